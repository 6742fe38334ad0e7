"""Rules on image records."""
