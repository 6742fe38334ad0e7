"""Rules on sitemap indexes and what they list."""
