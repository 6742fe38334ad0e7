"""Rows of a query as text: a table for people, CSV, JSON and JSON lines for programs."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Mapping
from datetime import date, datetime, time
from decimal import Decimal
from itertools import islice
from typing import TYPE_CHECKING

from urlset.report.paint import Paint, Role, plain
from urlset.safe import json_text, safe, shortened

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    Row = tuple[object, ...]

CELL_SHOWN = 100
"""Longest cell of the table for people, in characters; the other forms give all of it."""

# Spreadsheets take text that begins so for a formula. https://owasp.org/www-community/attacks/CSV_Injection
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def table(columns: Sequence[str], rows: Iterable[Row], most: int, paint: Paint = plain) -> Iterator[str]:
    """The rows below their columns' names, for people; whatever a cell holds is made safe to show.

    Args:
        columns: The columns' names.
        rows: The rows; of those past `most` one is fetched, to say that there are more.
        most: How many rows to show; 0 for all.
        paint: How to colour it.
    """
    from rich.cells import cell_len

    shown = list(islice(rows, most + 1)) if most else list(rows)
    has_more = bool(most) and len(shown) > most
    if has_more:
        shown.pop()
    cells = [[_cell(value) for value in row] for row in shown]
    names = [shortened(safe(name), CELL_SHOWN) for name in columns]
    widths = [max(map(cell_len, column)) for column in zip(names, *cells, strict=True)]
    right = [
        any(value is not None for value in column) and all(value is None or _is_number(value) for value in column)
        for column in zip(*shown, strict=True)
    ] or [False] * len(names)

    def line(texts: Sequence[str], roles: Sequence[Role | None]) -> str:
        pieces = []
        for text, width, is_right, role in zip(texts, widths, right, roles, strict=True):
            space = " " * (width - cell_len(text))
            painted = text if role is None else paint(text, role)
            pieces.append(space + painted if is_right else painted + space)
        return "  ".join(pieces).rstrip()

    yield line(names, [Role.HEADING] * len(names))
    yield line(["-" * width for width in widths], [Role.FAINT] * len(names))
    for texts, row in zip(cells, shown, strict=True):
        yield line(texts, [Role.FAINT if value is None else None for value in row])
    if has_more:
        yield paint(f"… and more than these {most:,} rows; --rows 0 shows all of them", Role.FAINT)
    elif not shown:
        yield paint("no rows", Role.FAINT)


def csv_lines(columns: Sequence[str], rows: Iterable[Row], escape: Callable[[str], str] | None = None) -> Iterator[str]:
    """The rows as CSV (RFC 4180, with LF between rows), names first; null is empty.

    Text that a spreadsheet would take for a formula gets an apostrophe in front. JSON and Parquet give every value as
    it is.

    Args:
        columns: The columns' names.
        rows: The rows.
        escape: What makes a cell safe for where it is shown; None where nothing in it can act, in a file.
    """
    escape = escape or str
    yield _csv_line([_guarded(escape(name)) for name in columns])
    for row in rows:
        yield _csv_line([_csv_cell(value, escape) for value in row])


def json_lines(columns: Sequence[str], rows: Iterable[Row], *, ascii_only: bool = False) -> Iterator[str]:
    """The rows as JSON lines: an object a row."""
    for row in rows:
        yield _object(columns, row, ascii_only)


def json_array(columns: Sequence[str], rows: Iterable[Row], *, ascii_only: bool = False) -> Iterator[str]:
    """The rows as one JSON array of objects, a row a line, written as they come."""
    before = "["
    for row in rows:
        yield before
        before = f"  {_object(columns, row, ascii_only)},"
    if before == "[":
        yield "[]"
    else:
        yield before.removesuffix(",")
        yield "]"


def _object(columns: Sequence[str], row: Row, ascii_only: bool) -> str:
    value = {name: plain_value(value) for name, value in zip(columns, row, strict=True)}
    return json_text(value, ascii_only=ascii_only, indent=None)


def plain_value(value: object) -> object:
    """The value as JSON can hold it: instants in ISO 8601 with Z, bytes in hexadecimal, what is no number as null."""
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return value if math.isfinite(value) else None
        case Decimal():
            return float(value)
        case datetime():
            return f"{value.replace(tzinfo=None).isoformat()}Z"
        case date() | time():
            return value.isoformat()
        case bytes() | bytearray() | memoryview():
            return bytes(value).hex()
        case Mapping():
            return {str(name): plain_value(one) for name, one in value.items()}
        case list() | tuple() | set():
            return [plain_value(one) for one in value]
        case _:
            return str(value)


def _as_text(value: object) -> str:
    match value := plain_value(value):
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case str():
            return value
        case _:
            return json.dumps(value, ensure_ascii=False)


def _cell(value: object) -> str:
    return "NULL" if value is None else shortened(safe(_as_text(value)), CELL_SHOWN)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def _csv_cell(value: object, escape: Callable[[str], str]) -> str:
    text = _as_text(value)
    return text if _is_number(value) else _guarded(escape(text))


def _guarded(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text


def _csv_line(cells: Sequence[str]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="").writerow(cells)
    return buffer.getvalue()
