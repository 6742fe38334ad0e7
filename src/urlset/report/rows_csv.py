"""Rows of a query as CSV (RFC 4180, with LF between rows).

Text that a spreadsheet would treat as a formula gets a leading apostrophe; JSON and Parquet leave values unchanged.
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

# Spreadsheets treat text that starts with these as a formula. https://owasp.org/www-community/attacks/CSV_Injection
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def render(result: QueryResult, style: Style = Style()) -> Iterator[str]:
    """Yield the column names, then the rows; null is empty.

    Values are escaped on a terminal, and unchanged in a file or pipe.
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
