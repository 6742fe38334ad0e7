"""Rows of a query as CSV (RFC 4180, with LF between rows).

Text that a spreadsheet would treat as a formula gets a leading apostrophe; JSON and Parquet leave values unchanged.
"""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from urlset.report.rows import as_text, is_number
from urlset.report.style import Style
from urlset.safe import no_formula, safe

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from urlset.model.query import QueryResult


def render(result: QueryResult, style: Style = Style()) -> Iterator[str]:
    """Yield the column names, then the rows; null is empty.

    Values are escaped on a terminal, and unchanged in a file or pipe.
    """
    escape = safe if style.is_terminal else str
    yield _line([no_formula(escape(name)) for name in result.columns])
    for row in result.rows:
        yield _line([_cell(value, escape) for value in row])


def _cell(value: object, escape: Callable[[str], str]) -> str:
    text = as_text(value)
    return text if is_number(value) else no_formula(escape(text))


def _line(cells: Sequence[str]) -> str:
    buffer = io.StringIO()
    # Python before 3.13 quotes only those line breaks that are in the line terminator.
    csv.writer(buffer, lineterminator="\r\n").writerow(cells)
    return buffer.getvalue().removesuffix("\r\n")
