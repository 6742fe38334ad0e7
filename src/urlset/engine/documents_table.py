"""The documents as a table of the contract, `tables.DOCUMENTS`."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from urlset import _core
from urlset.tables import DOCUMENTS, EPOCH

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def documents_table(documents: Sequence[Mapping[str, object]]) -> _core.Table:
    """Rows of `documents` as a table that DuckDB reads."""
    columns = [(column.name, column.type) for column in DOCUMENTS.columns]
    tables = [
        _core.Table.from_rows(columns, [storable_row(document) for document in some])
        # A run may have a hundred thousand; as dictionaries they would take several times the table.
        for some in (documents[begin : begin + 1_000] for begin in range(0, max(len(documents), 1), 1_000))
    ]
    return _core.Table.concat(tables)


_AS_IT_IS = frozenset({int, float, bool, list, type(None)})


def storable_row(row: Mapping[str, object]) -> dict[str, object]:
    """The values of a row as a table takes them."""
    return {name: value if type(value) in _AS_IT_IS else storable(value) for name, value in row.items()}


def storable(value: object) -> object:
    """A value as a table takes it: instants in microseconds since 1970, text that is valid Unicode."""
    match value:
        case datetime():
            at = value if value.tzinfo else value.replace(tzinfo=UTC)
            return (at - EPOCH) // timedelta(microseconds=1)
        case str() if not value.isascii():
            # The name of a file may hold bytes that are no text; Python keeps them as lone surrogates.
            return value.encode("utf-8", "backslashreplace").decode("utf-8")
        case tuple():
            return list(value)
        case _:
            return value
