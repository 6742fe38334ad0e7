"""Rules on the limits of the protocol."""
