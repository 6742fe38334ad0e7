"""Rows of a query as a JSON array of objects, one row per line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report import rows_jsonl
from urlset.report.style import Style

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.query import QueryResult


def render(result: QueryResult, style: Style = Style()) -> Iterator[str]:
    """Yield the lines of the array, streaming the rows."""
    before = "["
    for line in rows_jsonl.render(result, style):
        yield before
        before = f"  {line},"
    if before == "[":
        yield "[]"
    else:
        yield before.removesuffix(",")
        yield "]"
