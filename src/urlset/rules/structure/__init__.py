"""Rules on what kind of document it is, on its elements and their namespaces."""
