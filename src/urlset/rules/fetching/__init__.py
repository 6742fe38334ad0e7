"""Rules on how sitemaps are served: status, connection, redirects, headers."""
