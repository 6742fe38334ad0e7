"""Converts documents to a table with the columns of `tables.DOCUMENTS`."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from urlset import _core
from urlset.tables import DOCUMENTS, EPOCH

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def documents_table(documents: Sequence[Mapping[str, object]]) -> _core.Table:
    """Return rows of `documents` as a table that DuckDB can read."""
    columns = [(column.name, column.type) for column in DOCUMENTS.columns]
    tables = [
        _core.Table.from_rows(columns, [dict(document) for document in part])
        # A run may have 100,000 documents; as dictionaries, they would need several times the memory of the table.
        for part in (documents[begin : begin + 1_000] for begin in range(0, max(len(documents), 1), 1_000))
    ]
    return _core.Table.concat(tables)


def storable(value: object) -> object:
    """Convert a value for a table: instants to microseconds since 1970, text to valid Unicode."""
    match value:
        case datetime():
            at = value if value.tzinfo else value.replace(tzinfo=UTC)
            return (at - EPOCH) // timedelta(microseconds=1)
        case str() if not value.isascii():
            # A file name may have bytes that are not text; Python keeps them as lone surrogates.
            return value.encode("utf-8", "backslashreplace").decode("utf-8")
        case tuple():
            return list(value)
        case _:
            return value
