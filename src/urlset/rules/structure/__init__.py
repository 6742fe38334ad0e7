"""Rules on document types, elements, and namespaces."""
