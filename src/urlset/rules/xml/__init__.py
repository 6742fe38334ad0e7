"""Rules on well-formed XML."""
