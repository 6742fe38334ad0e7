"""Rules on feeds that serve as sitemaps."""
