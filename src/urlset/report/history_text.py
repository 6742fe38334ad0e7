"""Table of the runs in a store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.model.run import RUN_NUMBERS
from urlset.report.paint import Role
from urlset.report.rows import table
from urlset.report.style import Style

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from urlset.model.run import RunRow


def render(runs: Sequence[RunRow], style: Style = Style()) -> Iterator[str]:
    """Yield the table, oldest run first."""
    if not runs:
        yield style.paint("no runs", Role.FAINT)
        return
    columns = ("run", "started (UTC)", "duration", *RUN_NUMBERS, "targets")
    rows = [
        (
            run.run_id,
            run.started_at.replace(tzinfo=None).isoformat(sep=" ", timespec="seconds"),
            _duration(run),
            *(getattr(run, name) for name in RUN_NUMBERS),
            ", ".join(run.targets),
        )
        for run in runs
    ]
    yield from table(columns, rows, style, null="")


def _duration(run: RunRow) -> str:
    if run.finished_at is None:
        return "unfinished"
    return f"{(run.finished_at - run.started_at).total_seconds():,.1f} s"
