"""The counts per rule of `validate --statistics` as CSV: one row per rule, without formulas for spreadsheets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.model.query import QueryResult
from urlset.report import json_parts, rows_csv
from urlset.report.style import Style

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.report import Report

COLUMNS = ("severity", "code", "name", "places", "documents", "fixable")


def render(report: Report, style: Style = Style()) -> Iterator[str]:
    """Yield the rows below the names of their columns."""
    counts = map(json_parts.count_as_json, report.statistics)
    rows = (tuple(one[column] for column in COLUMNS) for one in counts)
    yield from rows_csv.render(QueryResult(COLUMNS, (), rows), style)
