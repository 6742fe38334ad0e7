"""An in-memory DuckDB with a memory limit, which moves excess data to a temporary folder."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Self, TypeAlias

from urlset.database.connections import connect
from urlset.files.scratch import Scratch

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path
    from types import TracebackType

    import duckdb

    MemoryConnection: TypeAlias = duckdb.DuckDBPyConnection

Config = dict[str, str | bool | int | float | list[str]]

MAX_THREADS = 4
"""Maximum number of threads by default: each needs memory, and scans are soon limited by memory bandwidth."""

ROWS_FOR_THREADS = 20_000
"""Rows from which on several threads are worth their cost."""


def default_threads() -> int:
    """Return the default number of threads: one per core, up to a limit."""
    return min(os.cpu_count() or 1, MAX_THREADS)


class MemoryDatabase:
    """An in-memory DuckDB, which moves data beyond its memory limit to a temporary folder.

    Subclasses do their setup in `_prepare`; if it fails, everything is cleaned up.

    Args:
        config: Settings for opening DuckDB.
        settings: Settings after opening, in the syntax of `SET`.
        files: Allow SQL to open local files.
        readable: Files that SQL may open if `files` is not set.
        store: The names of the stores that it opens, if SQL of urlset reads them.
    """

    def __init__(
        self,
        config: Config,
        settings: Iterable[str] = (),
        *,
        files: bool = False,
        readable: Sequence[Path] = (),
        store: str | None = None,
    ) -> None:
        self._scratch = Scratch()
        try:
            spilled = {"temp_directory": str(self._scratch.path / "spilled")}
            self._connection = connect({**spilled, **config}, settings, files=files, readable=readable, store=store)
        except BaseException:
            self._scratch.remove()
            raise
        try:
            self._prepare()
        except BaseException:
            self.close()
            raise

    def _prepare(self) -> None:
        """Set up the connection."""

    @property
    def connection(self) -> duckdb.DuckDBPyConnection:
        return self._connection

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close DuckDB and remove its temporary folder. Can be called repeatedly."""
        self._connection.close()
        self._scratch.remove()
