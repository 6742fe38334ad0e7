"""Access logs: the files, their decompression, and the verification of crawlers by address."""
