"""The loop of every Python peer: read the same bytes on request, and report how long that took.

A peer process runs for the whole benchmark, so that imports and first-time work are not measured. It is started as
`python peer.py INPUT`. For every line on its standard input, it reads for at least a second and prints one line of
JSON.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


TURN = 1.0
"""Minimum seconds per turn: a fast reader reads repeatedly, and the mean counts. A single read of 20 ms right after the
turns of other processes would measure cold caches."""


def serve(read: Callable[[bytes], int], versions: dict[str, str]) -> None:
    """Time `read` for every line of input, until there are no more.

    Args:
        read: Reads a document from bytes, consumes all of it, and returns how many entries it found.
        versions: What is measured, with its version.
    """
    data = Path(sys.argv[1]).read_bytes()
    # Peers may print warnings; only results may go to the orchestrator.
    answers, sys.stdout = sys.stdout, sys.stderr
    print(json.dumps({"versions": versions}), file=answers, flush=True)
    for _ in sys.stdin:
        gc.collect()
        reads = 0
        cpu, wall = time.process_time(), time.perf_counter()
        while reads == 0 or time.perf_counter() - wall < TURN:
            entries = read(data)
            reads += 1
        wall, cpu = (time.perf_counter() - wall) / reads, (time.process_time() - cpu) / reads
        print(json.dumps({"seconds": wall, "cpu_seconds": cpu, "entries": entries}), file=answers, flush=True)
