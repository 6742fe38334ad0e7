"""urlset: `urlset.write` of a generator of dicts or of an existing Arrow table, plain or compressed.

Usage: python urlset_write.py COUNT generator|arrow none|parts [once]   (once: writes once and exits, to measure memory)
"""

from __future__ import annotations

import sys
import tempfile
from importlib.metadata import version
from typing import Any

import urlset
from writing import COUNT, SITE, Prepared, pages, serve

kind, gzip = sys.argv[2:4]


def table() -> Any:
    import pyarrow

    table = pyarrow.Table.from_pylist(list(pages(COUNT)))
    days = table["lastmod"].cast(pyarrow.date32())
    return table.set_column(1, "lastmod", days)


if "once" in sys.argv:
    with tempfile.TemporaryDirectory() as folder:
        sys.exit(urlset.write(pages(COUNT), SITE, folder, gzip=gzip).written != COUNT)

prepared = table() if kind == "arrow" else Prepared(COUNT)


def write(folder: str) -> int:
    entries = prepared.pages() if isinstance(prepared, Prepared) else prepared
    return urlset.write(entries, SITE, folder, gzip=gzip).written


serve(write, {"urlset": version("urlset")})
