"""Checked redirects as rows, for the formats that have one per old URL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.model.query import QueryResult
from urlset.model.redirects import REDIRECT_COLUMNS

if TYPE_CHECKING:
    from urlset.model.redirects import CheckedRedirects


def rows_of(result: CheckedRedirects) -> QueryResult:
    """Return the redirects as rows."""
    rows = (tuple(getattr(one, name) for name in REDIRECT_COLUMNS) for one in result.checked)
    return QueryResult(REDIRECT_COLUMNS, ("VARCHAR",) * len(REDIRECT_COLUMNS), rows)
