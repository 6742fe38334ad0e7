"""Sites before they are built: the layouts of generators, and which source files make a page."""
