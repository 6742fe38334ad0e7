"""The rows of a query as an Arrow stream, with the types that DuckDB has for them."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any

import _duckdb as duckdb

from urlset import _core
from urlset.database.connections import connect, first_line
from urlset.engine.result_rows import COLUMNAR, ResultRows
from urlset.engine.rule_sql import quote
from urlset.errors import QueryError

if TYPE_CHECKING:
    from collections.abc import Sequence


_NATIVE = {**COLUMNAR, "TIMESTAMP WITH TIME ZONE": "timestamp"}
"""The DuckDB types that the core has as well, and what it has for them."""


def arrow_stream(
    columns: Sequence[str], types: Sequence[str], rows: Sequence[Sequence[object]], requested: object = None
) -> object:
    """Return rows as an Arrow stream, in a PyCapsule.

    Args:
        columns: The names of the columns.
        types: Their DuckDB types.
        rows: The rows.
        requested: The schema that the consumer asks for.

    Raises:
        QueryError: A column has a type that cannot be converted.
    """
    if isinstance(rows, ResultRows):
        return rows.__arrow_c_stream__(requested)
    names = [f"c{number}" for number in range(len(columns))]
    parsed = [duckdb.sqltype(of) for of in types]
    kinds = [_kind(of, [row[number] for row in rows]) for number, of in enumerate(types)]
    table = _core.Table.from_rows(
        list(zip(names, kinds, strict=True)),
        [
            {
                name: value if kind != "text" else _text(value, of)
                for name, of, kind, value in zip(names, parsed, kinds, row, strict=True)
            }
            for row in rows
        ],
    )
    texts = (
        f"{name if of in _NATIVE and _NATIVE[of] == kind else f'CAST({name} AS {of})'} AS {quote(column)}"
        for name, of, kind, column in zip(names, types, kinds, columns, strict=True)
    )
    connection = connect({}, ["TimeZone = 'UTC'"], relations=True)
    try:
        connection.register("given", table)
        # The stream keeps the database open until it is read.
        return connection.sql(f"SELECT {', '.join(texts)} FROM given").__arrow_c_stream__(requested)
    except duckdb.Error as error:
        raise QueryError(f"the rows cannot be converted to Arrow: {first_line(error)}") from None


def _kind(of: str, values: Sequence[object]) -> str:
    """Return the type of the core for the values of a column; text if DuckDB must convert them."""
    kind = _NATIVE.get(of, "text")
    if kind.endswith("[]") and any(isinstance(value, list | tuple) and None in value for value in values):
        return "text"
    return kind


def _text(value: object, kind: object) -> str | None:
    """Return a value as text that DuckDB converts back."""
    return value if value is None or isinstance(value, str) else _literal(value, kind)


def _literal(value: object, kind: Any) -> str:
    """Return a value as DuckDB writes it in text, also within lists, structs, and maps.

    Args:
        value: The value.
        kind: Its DuckDB type.
    """
    match value:
        case bool():
            return str(value).lower()
        case bytes() | bytearray():
            return "".join(f"\\x{byte:02X}" for byte in value)
        case datetime():
            return value.isoformat(sep=" ")
        case date() | time():
            return value.isoformat()
        case timedelta():
            return f"{value // timedelta(microseconds=1)} microseconds"
        case list() | tuple():
            of_item = kind.children[0][1]
            return f"[{', '.join(_nested_value(item, of_item) for item in value)}]"
        case dict() if kind.id == "map":
            (_, of_key), (_, of_value) = kind.children
            pairs = (f"{_nested_value(key, of_key)}={_nested_value(item, of_value)}" for key, item in value.items())
            return f"{{{', '.join(pairs)}}}"
        case dict():
            kinds = dict(kind.children)
            items = (f"{_quote(str(name))}: {_nested_value(item, kinds[name])}" for name, item in value.items())
            return f"{{{', '.join(items)}}}"
        case _:
            return str(value)


def _nested_value(value: object, kind: object) -> str:
    if value is None:
        return "NULL"
    text = value if isinstance(value, str) else _literal(value, kind)
    return text if isinstance(value, list | tuple | dict) else _quote(text)


def _quote(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
