"""Findings of `validate` as CSV (RFC 4180) for spreadsheets: one row per example.

Spreadsheets evaluate cells that start like a formula, so such a cell gets a leading apostrophe
(https://owasp.org/www-community/attacks/CSV_Injection). Control characters are escaped.
"""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from urlset.report.locate import example_name, finding_name
from urlset.report.style import Style
from urlset.safe import no_formula, safe

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.finding import Finding
    from urlset.model.report import Report

COLUMNS = (
    "severity",
    "code",
    "name",
    "document",
    "line",
    "column",
    "field",
    "value",
    "url",
    "message",
    "example",
    "count",
    "fix",
    "fingerprint",
)
"""`count` is the number of places that break the rule in the document, repeated in each row of the finding. `example`
numbers the rows from 1, and is 0 in the only row of a finding without examples. The sum of `count` over rows with
`example` 0 or 1 is the total number of places."""


def render(report: Report, style: Style = Style()) -> Iterator[str]:
    """Yield the rows, each without the line feed but with the carriage return that RFC 4180 requires before it."""
    yield _line(COLUMNS)
    for finding in report.issues:
        for row in _rows(finding, report.document_url(finding.document_id)):
            line = _line(row)
            yield line.encode("ascii", "backslashreplace").decode("ascii") if style.ascii_only else line


def _rows(finding: Finding, document_url: str) -> Iterator[tuple[str | int | None, ...]]:
    rule = finding.rule
    head = (finding.severity.value, rule.code, rule.name, document_url)
    if not finding.examples:
        name = finding_name(finding, document_url)
        yield (*head, None, None, None, None, None, rule.message, 0, finding.count, rule.fix, name)
    for number, each in enumerate(finding.examples, start=1):
        place = (each.line, each.column, each.field, each.value, each.url, each.message)
        yield (*head, *place, number, finding.count, rule.fix, example_name(finding, each, document_url))


def _line(cells: tuple[str | int | None, ...]) -> str:
    written = io.StringIO()
    csv.writer(written, lineterminator="\r").writerow([_cell(cell) for cell in cells])
    return written.getvalue()


def _cell(value: str | int | None) -> str | int | None:
    if not isinstance(value, str):
        return value
    # Tested before escaping: an escaped tab (\t) is harmless, but a formula may follow it.
    guarded = no_formula(value)
    return safe(value) if guarded == value else f"'{safe(value)}"
