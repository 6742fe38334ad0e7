"""The database connections of urlset, what protects them, and what ends their statements."""
