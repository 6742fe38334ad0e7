"""Rules about image records."""
