"""Rules on video records."""
