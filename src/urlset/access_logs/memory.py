"""The memory that DuckDB may take for access logs, beyond which it writes to its temporary folder."""

from __future__ import annotations

from urlset.database.connections import connect, memory_limit, set_memory_limit
from urlset.errors import UsageError
from urlset.text.sizes import MiB

MIN_MEMORY = 128 * MiB
"""Memory limit on a small machine, in bytes."""

MAX_MEMORY = 320 * MiB
"""Memory limit on a large machine, in bytes: with more, 3,000,000 listed URLs and 500,000 requests take as much time
(measured)."""

SHARE = 8
"""Divisor of the memory that DuckDB would take by default, which is most of the machine or its container."""


def memory_of(text: str | None = None) -> int:
    """Return the memory limit in bytes: that of a text, or a share of the memory of the machine.

    Args:
        text: The limit in the syntax of DuckDB (`256MB`).

    Raises:
        UsageError: The text is not a size.
    """
    with connect() as connection:
        if text is None:
            return min(max(memory_limit(connection) // SHARE, MIN_MEMORY), MAX_MEMORY)
        if not set_memory_limit(connection, text):
            raise UsageError(f"max-memory: must be a size such as 2GB, not {text!r}")
        return memory_limit(connection)
