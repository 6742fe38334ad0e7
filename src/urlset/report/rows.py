"""Rows as a text table, and their values as text and as JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from datetime import date, datetime, time
from decimal import Decimal
from itertools import islice
from typing import TYPE_CHECKING

from urlset.report.paint import Role
from urlset.safe import safe, shortened
from urlset.sizes import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from urlset.report.style import Style

    Row = tuple[object, ...]

CELL_SHOWN = 100
"""Longest cell of the text table, in characters; other formats do not cut values."""


def table(columns: Sequence[str], rows: Iterable[Row], style: Style, null: str = "NULL") -> Iterator[str]:
    """Yield the header and the rows of a text table, with cells escaped for display.

    Args:
        columns: The columns' names.
        rows: The rows; one row past `max_rows` is fetched, to know whether there are more.
        style: How to show them.
        null: What to show for null.
    """
    from rich.cells import cell_len

    most, paint = style.max_rows, style.paint
    shown = list(islice(rows, most + 1)) if most else list(rows)
    has_more = bool(most) and len(shown) > most
    if has_more:
        shown.pop()
    cells = [[null if value is None else _cell(value) for value in row] for row in shown]
    names = [shortened(safe(name), CELL_SHOWN) for name in columns]
    widths = [max(map(cell_len, column)) for column in zip(names, *cells, strict=True)]
    right = [
        any(value is not None for value in column) and all(value is None or is_number(value) for value in column)
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
        yield paint(f"… more than {counted(most, 'row')}; use --rows 0 to show all", Role.FAINT)
    elif not shown:
        yield paint("no rows", Role.FAINT)


def plain_value(value: object) -> object:
    """Return a JSON value: instants in ISO 8601 with Z, bytes in hexadecimal, NaN and infinity as null."""
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


def as_text(value: object) -> str:
    """Return the value as text for a cell; null is empty."""
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
    return shortened(safe(as_text(value)), CELL_SHOWN)


def is_number(value: object) -> bool:
    """Return whether the value is a number, which is right-aligned."""
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)
