"""ultimate-sitemap-parser: `usp.tree.sitemap_from_str` on the text, all pages consumed."""

import logging
from importlib.metadata import version

from usp.tree import sitemap_from_str

from worker import serve

logging.disable(logging.CRITICAL)


def read(data: bytes) -> int:
    return sum(1 for _ in sitemap_from_str(data.decode()).all_pages())


serve(read, {"ultimate-sitemap-parser": version("ultimate-sitemap-parser")})
