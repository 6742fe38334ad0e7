"""Rules on feeds that are used as sitemaps."""
