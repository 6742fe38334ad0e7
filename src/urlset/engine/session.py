"""DuckDB as urlset opens it: bounded in memory, spilling to a folder of its own, and loading nothing by itself."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Self

import duckdb

from urlset.engine.sql import NO_EXTENSIONS
from urlset.scratch import Scratch

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path
    from types import TracebackType

Config = dict[str, str | bool | int | float | list[str]]

MOST_THREADS = 4
"""Threads used unless told otherwise, at most: each needs memory of its own, and a scan is soon bound by memory."""


def usual_threads() -> int:
    """How many threads are used unless told otherwise: one for each core, up to a bound."""
    return min(os.cpu_count() or 1, MOST_THREADS)


def connect(
    config: Config, settings: Iterable[str] = (), *, path: Path | None = None, read_only: bool = False
) -> duckdb.DuckDBPyConnection:
    """Opens a DuckDB that installs and loads no extension, draws nothing and looks for no table among variables.

    Args:
        config: What else is set before it is opened.
        settings: What else is set after that, as `SET` takes it.
        path: Its file; None for one in memory.
        read_only: Only look at the file.
    """
    config = {"python_enable_replacements": False, **config}
    connection = duckdb.connect(":memory:" if path is None else str(path), read_only=read_only, config=config)
    for setting in (*NO_EXTENSIONS, "enable_progress_bar = false", *settings):
        connection.execute(f"SET {setting}")
    return connection


class Session:
    """A DuckDB in memory, which moves to a temporary folder what a bound on memory leaves no room for.

    Subclasses set up what they need in `_prepare`; if that fails, nothing is left behind.

    Args:
        config: What is set before DuckDB is opened.
        settings: What is set after that, as `SET` takes it.
    """

    def __init__(self, config: Config, settings: Iterable[str] = ()) -> None:
        self._scratch = Scratch()
        try:
            self._connection = connect({"temp_directory": str(self._scratch.path / "spilled"), **config}, settings)
        except BaseException:
            self._scratch.remove()
            raise
        try:
            self._prepare()
        except BaseException:
            self.close()
            raise

    def _prepare(self) -> None:
        """Sets up the connection."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes DuckDB and removes its temporary folder. May be called again."""
        self._connection.close()
        self._scratch.remove()
