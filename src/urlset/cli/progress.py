"""The progress bar: on standard error, only on a terminal, and only once the work has taken a while."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Self

from urlset.report.safe import safe, shortened

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

PATIENCE = 1.0
"""Seconds of work before a bar appears."""

NAME_SHOWN = 50
"""Longest name of a document shown beside the bar, in characters."""


class ProgressBar:
    """A `config.Progress` that draws a bar while it is entered."""

    def __init__(self, *, wanted: bool = True) -> None:
        self._wanted = wanted and sys.stderr.isatty()
        self._began = time.monotonic()
        self._bar: Progress | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, done: int, total: int | None, what: str) -> None:
        """Shows that `done` of `total` documents are done, the last of them `what`."""
        if not self._wanted or time.monotonic() - self._began < PATIENCE:
            return
        if self._bar is None or self._task is None:
            self._bar, self._task = _start()
        self._bar.update(self._task, completed=done, total=total, what=shortened(safe(what), NAME_SHOWN))


def _start() -> tuple[Progress, TaskID]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    bar = Progress(
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        # What comes from outside is not Rich's markup.
        TextColumn("{task.fields[what]}", markup=False),
        console=Console(stderr=True),
        transient=True,
    )
    task = bar.add_task("", total=None, what="")
    bar.start()
    return bar, task
