"""Rules that say what the official schemas reject, as libxml2 applies them."""
