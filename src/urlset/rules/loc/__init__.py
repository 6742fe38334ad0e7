"""Rules on loc, the URL of an entry."""
