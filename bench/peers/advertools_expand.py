"""advertools on an index: `advertools.sitemap_to_df`, which follows it and returns one data frame of all entries.

Usage: python advertools_expand.py ORIGIN EXPECTED
"""

import logging
import sys

from advertools import sitemap_to_df

logging.disable(logging.CRITICAL)
origin, expected = sys.argv[1:]
found = int(sitemap_to_df(f"{origin}/sitemap.xml")["loc"].notna().sum())
if found != int(expected):
    sys.exit(f"found {found:,} URLs instead of {int(expected):,}")
