"""Rules on robots.txt and on what it says of sitemaps and listed URLs."""
