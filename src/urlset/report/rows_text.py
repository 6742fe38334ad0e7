"""Rows of a query as a text table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report.rows import table
from urlset.report.style import Style

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.query import QueryResult


def render(result: QueryResult, style: Style = Style()) -> Iterator[str]:
    """Yield the lines of the table."""
    yield from table(result.columns, result.rows, style)
