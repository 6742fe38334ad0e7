"""Rules on the Markdown twins of listed pages."""
