"""What results have in common: JSON, and a short form for Python and notebooks, as they may hold millions of rows."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from itertools import islice
from typing import Any, TypeVar

from msgspec import Struct

from urlset.model.json_values import as_json
from urlset.text.safe import safe
from urlset.text.sizes import quantity

T = TypeVar("T", bound=type[Struct])

LONGEST_VALUE = 80
"""Characters of the longest value that is shown."""

FIRST_ROWS = 10
"""Maximum rows of a table in a notebook."""

FIRST_COLUMNS = 20
"""Maximum columns of a table in a notebook."""


class JsonValues:
    """A result, or a part of one, that gives its own JSON."""

    __slots__ = ()

    def to_dict(self) -> dict[str, object]:
        """Return it as JSON values, as `--format json` shows it."""
        values: dict[str, object] = as_json(self)
        return values


def with_short_repr(cls: T) -> T:
    """Give a result a `repr` with the size of each collection instead of its items, and HTML with the first items."""
    # A type checker takes the functions for bound methods.
    setattr(cls, "__repr__", _short_repr)  # noqa: B010
    setattr(cls, "_repr_html_", _html)  # noqa: B010
    return cls


def _fields(result: Struct) -> Iterator[tuple[str, Any]]:
    values = ((name, getattr(result, name)) for name in result.__struct_fields__)
    return ((name, value) for name, value in values if not callable(value))


def _short_repr(result: Struct) -> str:
    parts = (f"{name}={_value(value)}" for name, value in _fields(result))
    return f"{type(result).__name__}({', '.join(parts)})"


def _html(result: Struct) -> str:
    """Return the result for a notebook: its values, the size of each collection, and the first rows of each."""
    values, tables = [], []
    for name, value in _fields(result):
        if isinstance(value, Mapping | Sequence) and not isinstance(value, str | bytes) and value:
            count = quantity(len(value), "item") + (f", the first {FIRST_ROWS}" * (len(value) > FIRST_ROWS))
            columns, rows = _columns_and_rows(result, name, value)
            cut = f", {FIRST_COLUMNS} of {len(columns)} columns" * (len(columns) > FIRST_COLUMNS)
            # The rows of a query are what it was run for.
            opening = f"<details{' open' * (name == 'rows')}><summary><code>{name}</code>: {count}{cut}</summary>"
            tables.append(f"{opening}{_html_table(columns, rows)}</details>")
        else:
            values.append((name, value))
    heading = f"<p><code>{type(result).__name__}</code></p>"
    return "\n".join([heading, *([_html_table(("field", "value"), values)] if values else ()), *tables])


def _columns_and_rows(
    result: Struct, name: str, value: Mapping[Any, Any] | Sequence[Any]
) -> tuple[Sequence[str], Sequence[Sequence[Any]]]:
    """Return the names of the columns of a collection, and its first rows."""
    if isinstance(value, Mapping):
        return ("key", "value"), list(islice(value.items(), FIRST_ROWS))
    items = list(islice(value, FIRST_ROWS))
    if isinstance(items[0], Struct):
        columns: Sequence[str] = items[0].__struct_fields__
        return columns, [[getattr(item, column, None) for column in columns] for item in items]
    if isinstance(items[0], Mapping):
        columns = [*items[0]]
        return columns, [[item.get(column) for column in columns] for item in items]
    columns = getattr(result, "columns", ())
    if isinstance(items[0], tuple) and len(items[0]) == len(columns):
        return columns, items
    return (name,), [(item,) for item in items]


def _html_table(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    head = "".join(f"<th>{_cell(column)}</th>" for column in columns[:FIRST_COLUMNS])
    lines = ("".join(f"<td>{_cell(value)}</td>" for value in row[:FIRST_COLUMNS]) for row in rows)
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(value: object) -> str:
    """Return a value as HTML; text of others is escaped, and cut with a mark."""
    # Imported here because only notebooks ask for it.
    from html import escape

    if value is None:
        return ""
    # A rule is shown by its code.
    code = getattr(value, "code", None)
    text = safe(value if isinstance(value, str) else code if isinstance(code, str) else _value(value))
    return escape(text if len(text) <= LONGEST_VALUE else f"{text[:LONGEST_VALUE]}…")


def _value(value: object) -> str:
    if isinstance(value, Collection) and not isinstance(value, str | bytes):
        return f"<{len(value):,} {'item' if len(value) == 1 else 'items'}>"
    if is_dataclass(value) or isinstance(value, Struct):
        return f"<{type(value).__name__}>"
    text = repr(value)
    return text if len(text) <= LONGEST_VALUE else f"<{type(value).__name__}>"
