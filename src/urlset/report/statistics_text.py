"""The counts per rule of `validate --statistics` as text: the most severe rules first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report.paint import Role
from urlset.report.roles import SEVERITY_ROLES
from urlset.report.style import Style
from urlset.safe import safe
from urlset.sizes import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.report import Report

HEADINGS = ("severity", "code", "name", "places", "documents", "fixable")
NUMBERS = (3, 4)
"""Columns that are aligned to the right."""


def render(report: Report, style: Style = Style()) -> Iterator[str]:
    """Yield the table and its sums."""
    counts = report.statistics
    rows = [
        (
            one.rule.severity.value,
            one.rule.code,
            safe(one.rule.name),
            f"{one.places:,}",
            f"{one.documents:,}",
            one.rule.fixable.value,
        )
        for one in counts
    ]
    if rows:
        widths = [max(map(len, column)) for column in zip(HEADINGS, *rows, strict=True)]
        yield style.paint(_line(HEADINGS, widths).rstrip(), Role.HEADING)
        for one, row in zip(counts, rows, strict=True):
            line = _line(row, widths).rstrip()
            severity = one.rule.severity
            yield style.paint(severity.value, SEVERITY_ROLES[severity]) + line[len(severity.value) :]
        yield ""
    where = f"in {counted(report.summary.documents, 'document')} ({counted(report.summary.urls, 'URL')})"
    if rows:
        places = counted(sum(one.places for one in counts), "place")
        yield f"Found {places} that break{'s' if places == '1 place' else ''} {counted(len(rows), 'rule')} {where}."
    else:
        caveat = report.caveat or "no problems found"
        yield f"{caveat[0].upper()}{caveat[1:]} {where}."


def _line(cells: tuple[str, ...], widths: list[int]) -> str:
    return "  ".join(
        f"{cell:>{width}}" if number in NUMBERS else f"{cell:{width}}"
        for number, (cell, width) in enumerate(zip(cells, widths, strict=True))
    )
