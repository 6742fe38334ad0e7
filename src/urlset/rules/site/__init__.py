"""Rules on an audited site as a whole: its URL, its sitemaps, and whether it was built."""
