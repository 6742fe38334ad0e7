"""Rules on what is listed more than once."""
