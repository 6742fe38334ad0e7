"""Keeps rows of single documents until the rules across documents run."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from urlset import _core
from urlset.database import ROW_GROUP
from urlset.engine.schemas import RUN
from urlset.engine.sql import listed, quote

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import duckdb

    from urlset.engine.schemas import Schemas


class KeptRows:
    """Inserts rows once there are enough for a row group.

    Inserting those of one file at a time takes three times as long (measured).

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
        self._waiting: defaultdict[str, list[_core.Table]] = defaultdict(list)

    def add(self, name: str, rows: object) -> None:
        """Add rows of a table, unless no rule across documents reads it.

        Args:
            name: The table.
            rows: An object with `__arrow_c_stream__`. Columns of the core stay in memory until there are enough.
        """
        if name not in self._columns:
            return
        self._schemas.create(RUN, [name])
        if not isinstance(rows, _core.Table):
            self.insert(name, rows, self._columns[name])
            return
        waiting = self._waiting[name]
        waiting.append(rows.select(self._columns[name]))
        if sum(some.num_rows for some in waiting) >= ROW_GROUP:
            self._insert_waiting(name)

    def settle(self) -> None:
        """Insert the rows that are left."""
        for name in list(self._waiting):
            self._insert_waiting(name)

    def insert(self, name: str, rows: object, columns: Sequence[str]) -> None:
        """Insert columns of rows into a table that exists."""
        self._connection.register("given", rows)
        try:
            self._connection.execute(f"INSERT INTO {RUN}.{quote(name)} SELECT {listed(columns)} FROM given")
        finally:
            self._connection.unregister("given")

    def _insert_waiting(self, name: str) -> None:
        self.insert(name, _core.Table.concat(self._waiting.pop(name)), self._columns[name])
