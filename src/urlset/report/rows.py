"""Rows as text, CSV, JSON, JSON Lines, and Markdown: the only place that aligns columns and makes cells safe."""

from __future__ import annotations

import csv
import io
import json
from decimal import Decimal
from itertools import chain, islice, zip_longest
from textwrap import wrap
from typing import TYPE_CHECKING

from urlset.model.json_values import plain_value
from urlset.report.paint import Role
from urlset.text.safe import code_span, json_text, no_formula, safe, shorten
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from urlset.report.style import Style

    Row = tuple[object, ...]

MAX_CELL = 100
"""Longest cell of the text table, in characters; other formats do not cut values."""

MAX_WRAPPED = 2_000
"""Longest cell that is wrapped instead of cut."""

BAR = r"\|"
"""`|` in a cell of a Markdown table."""


class Code(str):
    """Text from outside, which Markdown shows as a code span."""

    __slots__ = ()


def table(
    columns: Sequence[str],
    rows: Iterable[Row],
    style: Style,
    null: str = "NULL",
    *,
    right: Collection[str] = (),
    roles: Mapping[str, Mapping[str, Role]] | None = None,
    is_ruled: bool = True,
    whole: Collection[str] = (),
) -> Iterator[str]:
    """Yield the header and the rows of a text table, with cells escaped for display.

    Args:
        rows: The rows; one row past `max_rows` is fetched, to know whether there are more.
        right: Columns to align to the right, next to those of numbers.
        roles: The colors of the values of a column, by column.
        is_ruled: Whether a line separates the header from the rows.
        whole: Columns of sentences, whose cells are wrapped; those of the others are cut.
    """
    from rich.cells import cell_len

    max_rows, paint = style.max_rows, style.paint
    first_rows = list(islice(rows, max_rows + 1)) if max_rows else list(rows)
    has_more = bool(max_rows) and len(first_rows) > max_rows
    if has_more:
        first_rows.pop()
    cells = [
        [
            [null] if value is None else _wrapped(value) if name in whole else [_cell(value)]
            for name, value in zip(columns, row, strict=True)
        ]
        for row in first_rows
    ]
    names = [shorten(safe(name), MAX_CELL) for name in columns]
    widths = [max(map(cell_len, chain([name], *texts))) for name, *texts in zip(names, *cells, strict=True)]
    is_right = [
        name in right
        or (any(value is not None for value in column) and all(value is None or is_number(value) for value in column))
        for name, column in zip(columns, [*zip(*first_rows, strict=True)] or [()] * len(names), strict=True)
    ]
    colors = [(roles or {}).get(name, {}) for name in columns]

    def line(texts: Sequence[str], cell_roles: Iterable[Role | None]) -> str:
        pieces = []
        for text, width, to_right, role in zip(texts, widths, is_right, cell_roles, strict=True):
            space = " " * (width - cell_len(text))
            cell = text if role is None else paint(text, role)
            pieces.append(space + cell if to_right else cell + space)
        return "  ".join(pieces).rstrip()

    yield line(names, [Role.HEADING] * len(names))
    if is_ruled:
        yield line(["-" * width for width in widths], [Role.FAINT] * len(names))
    for lines, row in zip(cells, first_rows, strict=True):
        for texts in zip_longest(*lines, fillvalue=""):
            values = zip(row, texts, colors, strict=True)
            yield line(texts, [Role.FAINT if value is None else color.get(text) for value, text, color in values])
    if has_more:
        yield paint(f"… more than {quantity(max_rows, 'row')}; use --rows 0 to show all", Role.FAINT)
    elif not first_rows:
        yield paint("no rows", Role.FAINT)


def markdown_lines(columns: Sequence[str], rows: Iterable[Row], right: Collection[str] = ()) -> Iterator[str]:
    """Yield a Markdown table, with the columns `right` aligned to the right."""
    yield markdown_row(columns)
    yield f"|{'|'.join('---:' if name in right else '---' for name in columns)}|"
    yield from map(markdown_row, rows)


def markdown_row(cells: Iterable[object]) -> str:
    """Return a row of a Markdown table: integers with separators, `Code` as a code span, other text unchanged.

    `|` would end a cell even in a code span (https://github.github.com/gfm/#tables-extension-).
    """
    texts = (f"{cell:,}" if is_number(cell) else code_span(cell) if isinstance(cell, Code) else cell for cell in cells)
    return f"| {' | '.join(str(text).replace('|', BAR) for text in texts)} |"


def csv_lines(
    columns: Sequence[str], rows: Iterable[Row], style: Style, *, is_escaped: bool = False, end: str = ""
) -> Iterator[str]:
    """Yield the column names, then the rows, as CSV (RFC 4180); null is empty.

    Spreadsheets evaluate text that starts like a formula, so such text gets a leading apostrophe
    (https://owasp.org/www-community/attacks/CSV_Injection).

    Args:
        style: Control characters are escaped on a terminal.
        is_escaped: Whether to escape them in a file or pipe too, and to write only ASCII where `style` says so.
        end: What precedes the line feed.
    """
    escapes = is_escaped or style.is_terminal

    def cell(value: object) -> str:
        text = as_text(value)
        if is_number(value):
            return text
        # A formula may follow a tab, which is no longer visible as one when it is escaped.
        guard = no_formula(text).removesuffix(text)
        return f"{guard}{safe(text)}" if escapes else f"{guard}{text}"

    def line(values: Iterable[object]) -> str:
        buffer = io.StringIO()
        # Python before 3.13 quotes only those line breaks that are in the line terminator.
        csv.writer(buffer, lineterminator="\r\n").writerow(map(cell, values))
        text = buffer.getvalue().removesuffix("\r\n") + end
        is_ascii = is_escaped and style.ascii_only
        return text.encode("ascii", "backslashreplace").decode("ascii") if is_ascii else text

    yield line(columns)
    yield from map(line, rows)


def json_lines(columns: Sequence[str], rows: Iterable[Row], style: Style) -> Iterator[str]:
    """Yield a JSON object per row (https://jsonlines.org/)."""
    for row in rows:
        value = {name: plain_value(value) for name, value in zip(columns, row, strict=True)}
        yield json_text(value, ascii_only=style.ascii_only, indent=None)


def json_array(columns: Sequence[str], rows: Iterable[Row], style: Style) -> Iterator[str]:
    """Yield a JSON array of objects, one row per line."""
    before = "["
    for line in json_lines(columns, rows, style):
        yield before
        before = f"  {line},"
    if before == "[":
        yield "[]"
    else:
        yield before.removesuffix(",")
        yield "]"


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
    return shorten(safe(as_text(value)), MAX_CELL)


def _wrapped(value: object) -> list[str]:
    """Return the lines of a cell, broken between words where a line would be longer than a cell."""
    return wrap(shorten(safe(as_text(value)), MAX_WRAPPED), MAX_CELL, break_on_hyphens=False) or [""]


def is_number(value: object) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)
