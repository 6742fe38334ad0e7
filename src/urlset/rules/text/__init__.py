"""Rules on text sitemaps."""
