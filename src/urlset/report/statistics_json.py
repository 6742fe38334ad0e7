"""The counts per rule of `validate --statistics` as JSON, as `schemas/statistics.schema.json` describes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report import json_parts
from urlset.report.style import Style
from urlset.safe import json_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.report import Report


def render(report: Report, style: Style = Style()) -> Iterator[str]:
    """Yield the counts as JSON text."""
    content = {
        "version": json_parts.VERSION,
        "tool": {"name": "urlset", "version": report.tool_version},
        "unreadable": [json_parts.unreadable_as_json(unreadable) for unreadable in report.unreadable],
        "summary": json_parts.summary_as_json(report),
        "statistics": [json_parts.count_as_json(one) for one in report.statistics],
    }
    yield json_text(content, ascii_only=style.ascii_only)
