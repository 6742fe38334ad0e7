"""Rules on encoding, byte order marks, and gzip."""
