"""Rules about hreflang annotations."""
