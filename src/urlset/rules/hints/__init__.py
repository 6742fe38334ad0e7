"""Rules on changefreq and priority, hints that engines may ignore."""
