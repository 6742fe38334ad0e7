"""Building: entries to a set of sitemaps that is right by construction, published as a whole."""
