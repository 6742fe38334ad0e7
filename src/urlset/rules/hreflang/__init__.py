"""Rules on language versions."""
