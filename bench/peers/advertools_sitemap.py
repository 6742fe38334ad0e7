"""advertools: `advertools.sitemap_to_df` on a file: URL (it does not accept bytes; the file is cached)."""

import logging
import sys
from importlib.metadata import version
from pathlib import Path

from advertools import sitemap_to_df

from worker import serve

logging.disable(logging.CRITICAL)
ADDRESS = Path(sys.argv[1]).resolve().as_uri()


def read(_data: bytes) -> int:
    return len(sitemap_to_df(ADDRESS))


serve(read, {"advertools": version("advertools"), "pandas": version("pandas")})
