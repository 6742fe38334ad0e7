"""urlset measured side by side with its peers, on inputs that it generates; `make bench` runs it."""
