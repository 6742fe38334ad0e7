"""Find the date of the last change of a page, according to the page itself and to the history of its file."""
