"""Object stores, through fsspec: addresses, file systems, listings, and objects as places to write to."""
