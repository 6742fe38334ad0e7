"""Rules on changefreq and priority, which search engines may ignore."""
