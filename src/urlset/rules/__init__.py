"""The rules: one a file, found by `urlset.rules.registry`. Rules are data; the engine runs them."""
