"""Runs of a store as JSON; its schema is `schemas/history.schema.json`."""

from __future__ import annotations

import json
from datetime import UTC
from typing import TYPE_CHECKING

from urlset.model.run import RUN_NUMBERS
from urlset.report.json_parts import VERSION
from urlset.report.style import Style
from urlset.safe import json_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from urlset.model.run import RunRow


def render(runs: Sequence[RunRow], style: Style = Style()) -> Iterator[str]:
    """Yield the runs as JSON text."""
    yield json_text({"version": VERSION, "runs": [_as_json(run) for run in runs]}, ascii_only=style.ascii_only)


def _as_json(run: RunRow) -> dict[str, object]:
    return {
        "run": run.run_id,
        "started_at": _instant(run.started_at),
        "finished_at": None if run.finished_at is None else _instant(run.finished_at),
        "targets": list(run.targets),
        "settings": json.loads(run.settings),
        "version": run.version,
        **{name: getattr(run, name) for name in RUN_NUMBERS},
    }


def _instant(at: datetime) -> str:
    return at.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="seconds") + "Z"
