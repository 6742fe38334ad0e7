"""Building: write entries to a set of valid sitemaps, which is published as a whole."""
