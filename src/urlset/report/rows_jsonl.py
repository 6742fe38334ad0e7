"""Rows of a query as JSON Lines (https://jsonlines.org/): one object per row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report.rows import plain_value
from urlset.report.style import Style
from urlset.safe import json_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.query import QueryResult


def render(result: QueryResult, style: Style = Style()) -> Iterator[str]:
    """Yield the lines, streaming the rows."""
    for row in result.rows:
        value = {name: plain_value(value) for name, value in zip(result.columns, row, strict=True)}
        yield json_text(value, ascii_only=style.ascii_only, indent=None)
