"""Keeps rows of single documents until the rules across documents run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.engine.row_groups import RowGroups
from urlset.engine.rule_sql import identifier_list, quote
from urlset.engine.schemas import RUN

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import duckdb

    from urlset.engine.schemas import Schemas


class CrossDocumentRows:
    """Inserts the rows that rules across documents read.

    Args:
        connection: The database.
        schemas: Its tables.
        columns: The columns to keep, by table.
    """

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, schemas: Schemas, columns: Mapping[str, Sequence[str]]
    ) -> None:
        self._connection = connection
        self._schemas = schemas
        self._columns = columns
        self._groups = RowGroups(self.insert)

    def add(self, name: str, rows: object) -> None:
        """Add rows of a table, unless no rule across documents reads it.

        Args:
            name: The table.
            rows: An object with `__arrow_c_stream__`.
        """
        if name in self._columns:
            self._schemas.create(RUN, [name])
            self._groups.add(name, rows, self._columns[name])

    def flush(self) -> None:
        """Insert the rows that are left."""
        self._groups.finish()

    def insert(self, name: str, rows: object, columns: Sequence[str]) -> None:
        """Insert columns of rows into a table that exists."""
        self._connection.register("given", rows)
        try:
            self._connection.execute(f"INSERT INTO {RUN}.{quote(name)} SELECT {identifier_list(columns)} FROM given")
        finally:
            self._connection.unregister("given")
