"""Checked redirects as CSV: one row per old URL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.model.query import QueryResult
from urlset.model.redirects import REDIRECT_COLUMNS
from urlset.report import rows_csv
from urlset.report.style import Style

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.redirects import CheckedRedirects


def render(result: CheckedRedirects, style: Style = Style()) -> Iterator[str]:
    """Yield the lines, as the redirects are checked."""
    return rows_csv.render(rows_of(result), style)


def rows_of(result: CheckedRedirects) -> QueryResult:
    """Return the redirects as rows."""
    rows = (tuple(getattr(one, name) for name in REDIRECT_COLUMNS) for one in result.checked)
    return QueryResult(REDIRECT_COLUMNS, ("VARCHAR",) * len(REDIRECT_COLUMNS), rows)
