"""Child processes, and threads."""
