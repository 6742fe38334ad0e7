"""Origins, the reach of IP addresses, and trust: plain values, shared by all code that fetches."""
