"""A DuckDB in memory: bounded, and moving to a folder of its own what does not fit."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Self

from urlset.database import connect
from urlset.scratch import Scratch

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path
    from types import TracebackType

Config = dict[str, str | bool | int | float | list[str]]

MOST_THREADS = 4
"""Threads used unless told otherwise, at most: each needs memory of its own, and a scan is soon bound by memory."""


def usual_threads() -> int:
    """How many threads are used unless told otherwise: one for each core, up to a bound."""
    return min(os.cpu_count() or 1, MOST_THREADS)


class Session:
    """A DuckDB in memory, which moves to a temporary folder what a bound on memory leaves no room for.

    Subclasses set up what they need in `_prepare`; if that fails, nothing is left behind.

    Args:
        config: What is set before DuckDB is opened.
        settings: What is set after that, as `SET` takes it.
        files: Let SQL open files of this machine.
        readable: The files that it may open otherwise.
    """

    def __init__(
        self, config: Config, settings: Iterable[str] = (), *, files: bool = False, readable: Sequence[Path] = ()
    ) -> None:
        self._scratch = Scratch()
        try:
            spilled = {"temp_directory": str(self._scratch.path / "spilled")}
            self._connection = connect({**spilled, **config}, settings, files=files, readable=readable)
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
