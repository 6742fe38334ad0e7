"""Rules on access logs."""
