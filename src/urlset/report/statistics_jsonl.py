"""The counts per rule of `validate --statistics` as JSON Lines: one object per rule, then one `summary`.

`type` is `unreadable`, `rule`, or `summary`. The rest of a line is what the format `json` has for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report import json_parts
from urlset.report.style import Style
from urlset.safe import json_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.report import Report


def render(report: Report, style: Style = Style()) -> Iterator[str]:
    """Yield the lines."""
    for kind, value in _objects(report):
        yield json_line({"type": kind} | value, ascii_only=style.ascii_only)


def _objects(report: Report) -> Iterator[tuple[str, dict[str, object]]]:
    for unreadable in report.unreadable:
        yield "unreadable", json_parts.unreadable_as_json(unreadable)
    for one in report.statistics:
        yield "rule", json_parts.count_as_json(one)
    tool = {"name": "urlset", "version": report.tool_version}
    yield "summary", {"version": json_parts.VERSION, "tool": tool, **json_parts.summary_as_json(report)}
