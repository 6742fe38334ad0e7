"""Report of `validate` as JSON Lines (https://jsonlines.org/): one object per line, for streams and log stores.

`type` is the type of a line: `document`, `unfetched`, `unreadable`, `skipped`, `schema` (a result of schema
validation), `finding`, and finally one `summary`. The other members are those of the same object in the format `json`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.model.document import was_read
from urlset.report import json_parts
from urlset.report.style import Style
from urlset.safe import json_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.report import Report


def render(report: Report, style: Style = Style()) -> Iterator[str]:
    """Yield the lines of the report."""
    for kind, value in _objects(report):
        yield json_line({"type": kind} | value, ascii_only=style.ascii_only)


def _objects(report: Report) -> Iterator[tuple[str, dict[str, object]]]:
    for row in report.documents:
        if was_read(row):
            yield "document", json_parts.document_as_json(row) | json_parts.origin_as_json(row, report.document_url)
        else:
            yield "unfetched", json_parts.unfetched_as_json(row, report.document_url)
    for unreadable in report.unreadable:
        yield "unreadable", json_parts.unreadable_as_json(unreadable)
    for skipped in report.skipped:
        yield "skipped", json_parts.skipped_as_json(skipped)
    for verdict in report.schema or ():
        yield "schema", json_parts.verdict_as_json(verdict, report.document_url(verdict.document_id))
    for finding in json_parts.findings_as_json(report):
        yield "finding", finding
    tool = {"name": "urlset", "version": report.tool_version}
    yield "summary", {"version": json_parts.VERSION, "tool": tool, **json_parts.summary_as_json(report)}
