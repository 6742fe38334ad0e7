"""The progress bar: on standard error, only on a terminal, and only once the work has taken a while."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Self

from urlset.safe import safe, shortened

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from urlset.config import Progressed

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

    def __call__(self, told: Progressed) -> None:
        """Shows how far the run is."""
        if not self._wanted or time.monotonic() - self._began < PATIENCE:
            return
        if self._bar is None or self._task is None:
            self._bar, self._task = _start()
        self._bar.update(
            self._task,
            completed=told.done,
            total=told.known,
            read=_read(told, time.monotonic() - self._began),
            name=shortened(safe(told.name), NAME_SHOWN),
        )


def _read(told: Progressed, seconds: float) -> str:
    """What was read, and how fast: `1,204 URLs, 3.1 MiB, 41,000 URLs/s`."""
    if told.urls is None or told.bytes is None:
        return ""
    rate = int(told.urls / seconds) if seconds > 0 else 0
    return f"{told.urls:,} URLs, {told.bytes / 1024**2:,.1f} MiB, {rate:,} URLs/s"


def _start() -> tuple[Progress, TaskID]:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    bar = Progress(
        BarColumn(bar_width=20),
        MofNCompleteColumn(),
        # What comes from outside is not Rich's markup.
        TextColumn("{task.fields[read]}", markup=False),
        TimeElapsedColumn(),
        TextColumn("left:"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[name]}", markup=False),
        console=Console(stderr=True),
        transient=True,
    )
    task = bar.add_task("", total=None, read="", name="")
    bar.start()
    return bar, task
