"""Finds the URLs of several entries of a run, without grouping all of its hashes.

The core remembers the hashes in a few bytes each and names those that may be repeated, so that DuckDB only counts
these. If they are too many, DuckDB counts all, which can use the disk.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset import _core
from urlset.rules.derived import shared_locs

if TYPE_CHECKING:
    import duckdb

CANDIDATES = "candidates"
"""The view of the hashes that may be repeated."""


class SharedLocs:
    """The URLs of several entries.

    Args:
        connection: The database.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection
        self._repeats = _core.Repeats("loc_hash")

    def add(self, urls: object) -> None:
        """Add rows of `urls`: an object with `__arrow_c_stream__`. Rows that are not kept may be among them."""
        self._repeats.add(urls)

    def query(self) -> str:
        """Return the query of `shared_locs`, which may read the view of candidates. Rows must then be added anew."""
        if (candidates := self._repeats.take()) is not None:
            self._connection.register(CANDIDATES, candidates)
            return shared_locs(f"urls SEMI JOIN {CANDIDATES} USING (loc_hash)")
        return shared_locs()
