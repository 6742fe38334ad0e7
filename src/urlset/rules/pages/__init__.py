"""Rules on the listed pages: how the server responds, and what the pages say about themselves."""
