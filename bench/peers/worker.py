"""The loop that every Python peer runs in: read the same bytes when told to, and say how long that took.

A peer process lives through the whole benchmark, so that imports and first-time work are outside of what is timed.
It is started as `python peer.py INPUT`; for every line on its standard input it reads for at
least a second and answers with one line of JSON.
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
"""Seconds that a turn lasts at least: a fast reader reads again and again in it, and the mean counts. One read of 20 ms
right after the other processes' turns would measure how cold they left the caches."""


def serve(read: Callable[[bytes], int], versions: dict[str, str]) -> None:
    """Times `read` once for every line that comes in, until there are no more.

    Args:
        read: Reads a document from bytes, consumes all of it, and returns how many entries it found.
        versions: What is measured, with its version.
    """
    data = Path(sys.argv[1]).read_bytes()
    # Peers may print warnings; only the answers may go to the orchestrator.
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
