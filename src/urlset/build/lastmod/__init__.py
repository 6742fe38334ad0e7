"""When a page was last changed, according to the page itself and to the history of its file."""
