"""Limits the memory that the process takes while it runs SQL of others.

DuckDB's own limit is for tables, sorts, and joins. A value of one row, such as a list of a billion numbers, can exceed
it by any amount. On Linux, the system then refuses the memory, and DuckDB reports that.
"""

from __future__ import annotations

import sys
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from urlset.text.sizes import MiB

if TYPE_CHECKING:
    from collections.abc import Iterator

OTHER_MEMORY = 512 * MiB
"""Address space for everything else, in bytes: code, stacks of threads, results, and what DuckDB does not count.
Our choice: ordinary queries take less than half of it."""

_lock = threading.Lock()
_blocks = 0
_previous: list[tuple[int, int]] = []
"""The limits before the first of the blocks."""


@contextmanager
def limit_memory(max_bytes: int) -> Iterator[None]:
    """Limit the address space of the process in the block; only on Linux, and once for blocks at the same time.

    Args:
        max_bytes: Memory that the block may take in addition to what the process has, in bytes.
    """
    if sys.platform != "linux":
        yield
        return
    try:
        import resource
    except ImportError:
        # A Python without it.
        yield
        return
    global _blocks
    with _lock:
        if _blocks == 0:
            limits_before = resource.getrlimit(resource.RLIMIT_AS)
            pages = int(Path("/proc/self/statm").read_text("ascii").split(" ", 1)[0])
            size = pages * resource.getpagesize() + max_bytes + OTHER_MEMORY
            limits = [size, *(limit for limit in limits_before if limit != resource.RLIM_INFINITY)]
            resource.setrlimit(resource.RLIMIT_AS, (min(limits), limits_before[1]))
            _previous.append(limits_before)
        _blocks += 1
    try:
        yield
    finally:
        with _lock:
            _blocks -= 1
            if _blocks == 0:
                resource.setrlimit(resource.RLIMIT_AS, _previous.pop())
