"""Rules on robots.txt, and on what it says about sitemaps and listed URLs."""
