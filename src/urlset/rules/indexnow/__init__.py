"""Rules on the IndexNow keys that sites declare."""
