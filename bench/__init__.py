"""Measures urlset and other tools on generated inputs; `make bench` runs it."""
