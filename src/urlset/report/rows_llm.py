"""Rows of a query for language models: as many as fit, with the text in them quoted."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from urlset.report.brief import Brief, Group, Quotes
from urlset.report.rows import plain_value
from urlset.report.style import Style
from urlset.safe import json_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.query import QueryResult

ROWS_SHOWN = 300
"""Maximum rows to fetch: no more fit."""


def render(result: QueryResult, style: Style = Style()) -> Iterator[str]:
    """Yield the lines of the rows, which are numbered."""
    quote = Quotes(style.ascii_only)
    rows = list(islice(result.rows, ROWS_SHOWN + 1))
    head = [*quote.heading(), f"columns: {', '.join(map(quote, result.columns))}"]
    tail = (
        [f"Only the first {ROWS_SHOWN} rows were fetched; count or group them to see all."]
        if len(rows) > ROWS_SHOWN
        else []
    )
    groups = [Group(", ".join(_value(plain_value(value), quote) for value in row)) for row in rows[:ROWS_SHOWN]]
    if not groups:
        head.append("no rows")
    yield from Brief(head, groups, tail, "row", style.ascii_only, headings=1).lines()


def _value(value: object, quote: Quotes) -> str:
    if value is None or isinstance(value, bool | int | float):
        return json_line(value)
    return quote(value if isinstance(value, str) else json_line(value))
