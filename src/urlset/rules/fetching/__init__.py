"""Rules on how sitemaps are served: status code, connection, redirects, and headers."""
