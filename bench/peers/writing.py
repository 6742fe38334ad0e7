"""The loop of the peers that write, and the pages that all of them write.

A peer is started as `python peer.py COUNT`; for every line on its standard input it writes so many entries to files in
a folder of its own, which is removed again outside of what is timed, and answers with one line of JSON.
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
    """Entries as a program makes them: a URL of about 60 characters, an ampersand in every fourth, a day."""
    for number in range(count):
        query = f"?colour=ash&page={number % 40}" if number % 4 == 0 else ""
        yield {
            "loc": f"https://www.example.com/catalogue/garden/amber-ash-{number}{query}",
            "lastmod": f"2025-{number % 12 + 1:02}-{number % 28 + 1:02}",
        }


class Prepared:
    """The values of the pages, made before, so that making them is not what is measured."""

    def __init__(self, count: int) -> None:
        self._locs, self._lastmods = zip(*((page["loc"], page["lastmod"]) for page in pages(count)), strict=True)

    def pages(self) -> Iterator[dict[str, str]]:
        """A dict for each page, made when it is asked for."""
        for loc, lastmod in zip(self._locs, self._lastmods, strict=True):
            yield {"loc": loc, "lastmod": lastmod}


def serve(write: Callable[[str], int], versions: dict[str, str]) -> None:
    """Times `write` once for every line that comes in, until there are no more.

    Args:
        write: Writes the entries to files in a folder, and returns how many they were.
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
