"""urlset: `urlset.write` of a generator of dicts or of an Arrow table made before, plain or compressed.

Usage: python urlset_write.py COUNT generator|arrow none|parts [once]   (once: writes once and ends, for its memory)
"""

from __future__ import annotations

import sys
import tempfile
from importlib.metadata import version
from typing import Any

import urlset
from writing import COUNT, SITE, pages, serve

kind, gzip = sys.argv[2:4]


def table() -> Any:
    import pyarrow

    table = pyarrow.Table.from_pylist(list(pages(COUNT)))
    days = table["lastmod"].cast(pyarrow.date32())
    return table.set_column(1, "lastmod", days)


entries = table() if kind == "arrow" else None


def write(folder: str) -> int:
    given = pages(COUNT) if entries is None else entries
    return urlset.write(given, SITE, folder, gzip=gzip).written


if "once" in sys.argv:
    with tempfile.TemporaryDirectory() as folder:
        sys.exit(write(folder) != COUNT)
serve(write, {"urlset": version("urlset")})
