"""Rows of a query as CSV (RFC 4180, with LF between rows).

Text that a spreadsheet would take for a formula gets an apostrophe in front; JSON and Parquet give every value as it
is.
"""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from urlset.report.rows import as_text, is_number
from urlset.report.style import Style
from urlset.safe import safe

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from urlset.model.query import QueryResult

# Spreadsheets take text that begins so for a formula. https://owasp.org/www-community/attacks/CSV_Injection
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def render(result: QueryResult, style: Style = Style()) -> Iterator[str]:
    """Yield the names of the columns, then the rows; null is empty.

    On a terminal nothing in a value may act; in a file or a pipe it stays as it is.
    """
    escape = safe if style.is_terminal else str
    yield _line([_guarded(escape(name)) for name in result.columns])
    for row in result.rows:
        yield _line([_cell(value, escape) for value in row])


def _cell(value: object, escape: Callable[[str], str]) -> str:
    text = as_text(value)
    return text if is_number(value) else _guarded(escape(text))


def _guarded(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text


def _line(cells: Sequence[str]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="").writerow(cells)
    return buffer.getvalue()
