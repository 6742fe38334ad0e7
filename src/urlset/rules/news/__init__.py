"""Rules about news records."""
