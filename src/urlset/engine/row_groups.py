"""Collects rows until there are enough for a row group of DuckDB.

Inserting the rows of one file at a time takes three times as long (measured).
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from urlset import _core
from urlset.database.connections import ROW_GROUP

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


MAX_TABLES = 1_000
"""Maximum number of tables to collect: small ones take more memory than their rows."""


class RowGroups:
    """Collects rows of tables, and passes them on in row groups.

    Args:
        insert: Inserts rows: called with the name of the table, an object with `__arrow_c_stream__`, and the columns.
    """

    def __init__(self, insert: Callable[[str, object, Sequence[str]], None]) -> None:
        self._insert = insert
        self._waiting: defaultdict[str, list[_core.Table]] = defaultdict(list)
        self._rows: defaultdict[str, int] = defaultdict(int)

    def add(self, name: str, rows: object, columns: Sequence[str]) -> None:
        """Add rows of a table.

        Args:
            name: The table.
            rows: An object with `__arrow_c_stream__`.
            columns: The columns to insert, the same for all rows of a table. Those of the core stay in memory.
        """
        if not isinstance(rows, _core.Table):
            self._insert(name, rows, columns)
            return
        self._waiting[name].append(rows.select(columns))
        self._rows[name] += rows.num_rows
        if self._rows[name] >= ROW_GROUP or len(self._waiting[name]) >= MAX_TABLES:
            self._pass_on(name)

    def finish(self) -> None:
        """Insert the rows that do not fill a row group."""
        for name in list(self._waiting):
            self._pass_on(name)

    def _pass_on(self, name: str) -> None:
        rows = _core.Table.concat(self._waiting.pop(name))
        del self._rows[name]
        self._insert(name, rows, rows.column_names)
