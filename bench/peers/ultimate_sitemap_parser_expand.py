"""ultimate-sitemap-parser on a whole site: `usp.tree.sitemap_tree_for_homepage`, all pages consumed.

Usage: python ultimate_sitemap_parser_expand.py ORIGIN EXPECTED
"""

import logging
import sys

from usp.tree import sitemap_tree_for_homepage

logging.disable(logging.CRITICAL)
origin, expected = sys.argv[1:]
tree = sitemap_tree_for_homepage(f"{origin}/", use_known_paths=False)
found = sum(1 for _ in tree.all_pages())
if found != int(expected):
    sys.exit(f"found {found:,} URLs instead of {int(expected):,}")
