"""Rules on violations of the official schemas, with the same results as libxml2."""
