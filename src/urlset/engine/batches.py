"""Arrow tables as views of a connection."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    import duckdb


class Batches:
    """Shows Arrow tables to a connection one after the other, each under the name of its kind.

    A view for each of them would cost memory: until a transaction ends, DuckDB holds all views of it, even those that
    were removed, and their tables.

    Args:
        connection: The connection.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection
        self._slots: dict[str, _Slot] = {}

    @contextmanager
    def show(self, kind: str, rows: object) -> Iterator[str]:
        """Show a table in the block, and yield the name of its view.

        Args:
            kind: Its kind: all tables of a kind have the same columns.
            rows: An object with `__arrow_c_stream__`.
        """
        name = f"batch_of_{kind}"
        slot = self._slots.get(kind)
        if slot is None:
            slot = _Slot(rows)
            self._connection.register(name, slot)
            self._slots[kind] = slot
        slot.rows = rows
        try:
            yield name
        finally:
            slot.rows = None


class _Slot:
    """The table that is currently shown to the connection."""

    def __init__(self, rows: object) -> None:
        self.rows: Any = rows

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.rows.__arrow_c_stream__(requested_schema)
