"""The runs of a store: as a table for people, and as JSON (`schemas/history.schema.json`)."""

from __future__ import annotations

import json
from datetime import UTC
from typing import TYPE_CHECKING

from urlset.report.json import VERSION
from urlset.report.paint import Role
from urlset.report.rows import table
from urlset.safe import json_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from urlset.model.run import RunRow
    from urlset.report.paint import Paint

NUMBERS = ("documents", "urls", "pages", "errors", "warnings", "infos")


def lines(runs: Sequence[RunRow], paint: Paint) -> Iterator[str]:
    """The runs as a table, oldest first."""
    if not runs:
        yield paint("no runs", Role.FAINT)
        return
    columns = ("run", "started (UTC)", "took", *NUMBERS, "targets")
    rows = [
        (
            run.run_id,
            run.started_at.replace(tzinfo=None).isoformat(sep=" ", timespec="seconds"),
            _took(run),
            *(getattr(run, name) for name in NUMBERS),
            ", ".join(run.targets),
        )
        for run in runs
    ]
    yield from table(columns, rows, 0, paint)


def as_json_text(runs: Sequence[RunRow], *, ascii_only: bool = False) -> str:
    """The runs as JSON text."""
    return json_text({"version": VERSION, "runs": [_as_json(run) for run in runs]}, ascii_only=ascii_only)


def _as_json(run: RunRow) -> dict[str, object]:
    return {
        "run": run.run_id,
        "started_at": _instant(run.started_at),
        "finished_at": None if run.finished_at is None else _instant(run.finished_at),
        "targets": list(run.targets),
        "settings": json.loads(run.settings),
        "version": run.version,
        **{name: getattr(run, name) for name in NUMBERS},
    }


def _instant(at: datetime) -> str:
    return at.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="seconds") + "Z"


def _took(run: RunRow) -> str:
    if run.finished_at is None:
        return "no end"
    return f"{(run.finished_at - run.started_at).total_seconds():,.1f} s"
