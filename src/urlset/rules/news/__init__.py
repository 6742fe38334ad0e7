"""Rules on news records."""
