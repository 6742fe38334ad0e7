"""Sources of entries: one file per kind, each of which yields what the writer accepts."""
