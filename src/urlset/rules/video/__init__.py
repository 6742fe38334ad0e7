"""Rules about video records."""
