"""Building: write entries to a set of valid sitemaps, and publish all files together."""
