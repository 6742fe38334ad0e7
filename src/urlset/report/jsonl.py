"""Report of `validate` as JSON Lines (https://jsonlines.org/): one object per line, for streams and log stores.

`type` is the type of a line: `document`, `unfetched`, `unreadable`, `skipped`, `schema` (a result of schema
validation), `finding`, and finally one `summary`. The other members are those of the same object in the format `json`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.model.document import ReadDocument, UnfetchedDocument, document_of, was_read
from urlset.model.fields import VERSION
from urlset.model.json_values import as_json
from urlset.report.style import Style
from urlset.text.safe import json_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.report import Report


def render(report: Report, style: Style = Style()) -> Iterator[str]:
    for kind, value in _objects(report):
        yield json_line({"type": kind} | as_json(value), ascii_only=style.ascii_only)


def _objects(report: Report) -> Iterator[tuple[str, object]]:
    for row in report.documents:
        if was_read(row):
            yield "document", document_of(ReadDocument, row, report.document_urls)
        else:
            yield "unfetched", document_of(UnfetchedDocument, row, report.document_urls)
    for unreadable in report.unreadable:
        yield "unreadable", unreadable
    for skipped in report.skipped:
        yield "skipped", skipped
    for verdict in report.schema or ():
        yield "schema", report.document_verdict(verdict)
    for finding in report.ranked_findings:
        yield "finding", finding
    yield "summary", summary_of(report)


def summary_of(report: Report) -> dict[str, object]:
    """Return the last object: the findings in numbers."""
    return {"version": VERSION, "tool": report.tool, **as_json(report.finding_counts)}
