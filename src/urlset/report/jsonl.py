"""Report of `validate` as JSON Lines (https://jsonlines.org/): one object per line, for streams and log stores.

`type` is the type of a line: `document`, `unfetched`, `unreadable`, `skipped`, `schema` (a result of schema
validation), `finding`, and finally one `summary`. The other members are those of the same object in the format `json`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.model.document import was_read
from urlset.report.json import (
    VERSION,
    document_as_json,
    findings_as_json,
    origin_as_json,
    skipped_as_json,
    summary_as_json,
    unfetched_as_json,
    unreadable_as_json,
    verdict_as_json,
)
from urlset.report.style import Style
from urlset.safe import json_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.report import Report


def render(report: Report, style: Style = Style()) -> Iterator[str]:
    for kind, value in _objects(report):
        yield json_line({"type": kind} | value, ascii_only=style.ascii_only)


def _objects(report: Report) -> Iterator[tuple[str, dict[str, object]]]:
    for row in report.documents:
        if was_read(row):
            yield "document", document_as_json(row) | origin_as_json(row, report.document_url)
        else:
            yield "unfetched", unfetched_as_json(row, report.document_url)
    for unreadable in report.unreadable:
        yield "unreadable", unreadable_as_json(unreadable)
    for skipped in report.skipped:
        yield "skipped", skipped_as_json(skipped)
    for verdict in report.schema or ():
        yield "schema", verdict_as_json(verdict, report.document_url(verdict.document_id))
    for finding in findings_as_json(report):
        yield "finding", finding
    tool = {"name": "urlset", "version": report.tool_version}
    yield "summary", {"version": VERSION, "tool": tool, **summary_as_json(report)}
