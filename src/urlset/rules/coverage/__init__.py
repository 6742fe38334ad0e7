"""Rules on what the sitemaps of a run list when taken together."""
