"""Origins, how near an address is, and who is trusted: plain values, shared by everything that fetches."""
