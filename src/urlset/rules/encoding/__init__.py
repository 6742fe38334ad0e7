"""Rules on bytes: encoding, byte order mark, gzip."""
