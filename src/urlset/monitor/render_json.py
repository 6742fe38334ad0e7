"""The JSON of `monitor`."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from urlset.model.monitoring import Alarm, MonitorResult
from urlset.report.json_objects import Members, Output

DateTime = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]
"""An instant as text, for members that do not have the form of `plain_value`."""


def _opened_at(alarm: Alarm) -> DateTime:
    """When it was opened."""
    return alarm.opened_at.isoformat()


def _closed_at(alarm: Alarm) -> DateTime | None:
    """When it was closed; null while it is open."""
    return None if alarm.closed_at is None else alarm.closed_at.isoformat()


MEMBERS: Members = {
    "Alarm": ("id=alarm_id", "kind", "name", "severity", "title", "details", _opened_at, _closed_at, "closed_by"),
    "SiteRound": ("site", "opened", "closed", "still_open", "is_first", "notes", "problem"),
}  # fmt: skip

MONITOR: Output[MonitorResult] = Output(
    "monitor", "What is new on the sites that were due.", "monitoring.MonitorResult"
)
