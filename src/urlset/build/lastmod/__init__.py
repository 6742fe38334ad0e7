"""When a page was last changed, by its own word and by the history of its file, and why that is believed."""
