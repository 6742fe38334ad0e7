"""The loop of the peers that write, and the pages that all of them write.

A peer is started as `python peer.py COUNT`. For every line on its standard input, it writes this number of entries to
files in a temporary folder, and prints one line of JSON. Removing the folder is not measured.
"""

from __future__ import annotations

import gc
import json
import sys
import tempfile
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SITE = "https://www.example.com"
COUNT = int(sys.argv[1])


def pages(count: int) -> Iterator[dict[str, str]]:
    """Yield entries: a URL of about 60 characters, every fourth with an ampersand, and a day."""
    for number in range(count):
        query = f"?colour=ash&page={number % 40}" if number % 4 == 0 else ""
        yield {
            "loc": f"https://www.example.com/catalogue/garden/amber-ash-{number}{query}",
            "lastmod": f"2025-{number % 12 + 1:02}-{number % 28 + 1:02}",
        }


class Prepared:
    """Return the values of the pages, created in advance, so that creating them is not measured."""

    def __init__(self, count: int) -> None:
        self._locs, self._lastmods = zip(*((page["loc"], page["lastmod"]) for page in pages(count)), strict=True)

    def pages(self) -> Iterator[dict[str, str]]:
        """Yield a dict for each page, created on demand."""
        for loc, lastmod in zip(self._locs, self._lastmods, strict=True):
            yield {"loc": loc, "lastmod": lastmod}


def serve(write: Callable[[str], int], versions: dict[str, str]) -> None:
    """Time `write` once for every line of input, until there are no more.

    Args:
        write: Writes the entries to files in a folder, and returns their number.
        versions: What is measured, with its version.
    """
    answers, sys.stdout = sys.stdout, sys.stderr
    print(json.dumps({"versions": versions}), file=answers, flush=True)
    for _ in sys.stdin:
        gc.collect()
        with tempfile.TemporaryDirectory() as folder:
            cpu, wall = time.process_time(), time.perf_counter()
            entries = write(folder)
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        print(json.dumps({"seconds": wall, "cpu_seconds": cpu, "entries": entries}), file=answers, flush=True)
