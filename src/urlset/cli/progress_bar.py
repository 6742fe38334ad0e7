"""The progress bar: on standard error, only on a terminal, and only if the work takes a while."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Self

from urlset.text.safe import safe, shorten
from urlset.text.sizes import quantity, size

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, TaskID

    from urlset.text.progress import ProgressEvent

PATIENCE = 1.0
"""Seconds of work before a bar appears."""

WIDE = 120
"""Columns of a terminal below which the bar leaves out what was read and the time left."""

MAX_NAME = 50
"""Characters of a document's name shown next to the bar, at most."""


class ProgressBar:
    """A `Progress` callback that draws a bar while its context is open."""

    def __init__(self, *, is_enabled: bool = True) -> None:
        self._is_enabled = is_enabled and sys.stderr.isatty()
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

    def __call__(self, state: ProgressEvent) -> None:
        if not self._is_enabled or time.monotonic() - self._began < PATIENCE:
            return
        if self._bar is None or self._task is None:
            self._bar, self._task = _start()
        self._bar.update(
            self._task,
            completed=state.done,
            total=state.known,
            read=_read(state, time.monotonic() - self._began),
            name=shorten(safe(state.name), MAX_NAME),
        )


def _read(state: ProgressEvent, seconds: float) -> str:
    """Return what was read and how fast: `1,204 URLs, 3.1 MiB, 41,000 URLs/s`."""
    if state.urls is None or state.bytes is None:
        return ""
    rate = int(state.urls / seconds) if seconds > 0 else 0
    return f"{quantity(state.urls, 'URL')}, {size(state.bytes)}, {rate:,} URLs/s"


def _start(console: Console | None = None) -> tuple[Progress, TaskID]:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.table import Column

    console = console or Console(stderr=True)
    is_narrow = console.width < WIDE
    # Names from outside are not Rich markup. They take the rest of the line, which never breaks.
    name = TextColumn(
        "{task.fields[name]}", markup=False, table_column=Column(no_wrap=True, overflow="ellipsis", ratio=1)
    )
    read = TextColumn("{task.fields[read]}", markup=False, table_column=Column(no_wrap=True, overflow="ellipsis"))
    times = (TimeElapsedColumn(), TextColumn("left:"), TimeRemainingColumn())
    bar = Progress(
        BarColumn(bar_width=10 if is_narrow else 20),
        MofNCompleteColumn(),
        *(times[:1] if is_narrow else (read, *times)),
        name,
        console=console,
        transient=True,
        expand=True,
    )
    task = bar.add_task("", total=None, read="", name="")
    bar.start()
    return bar, task
