"""Renderers, one per file, of the values in `urlset.model`. Importing this package does not import any of them."""
