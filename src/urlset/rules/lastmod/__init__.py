"""Rules on lastmod, the date of an entry's last change."""
