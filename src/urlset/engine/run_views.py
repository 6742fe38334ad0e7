"""The rows of a run of a store as the tables that rules read.

Rules have a connection of their own: a statement that fails or is interrupted on the connection that writes to a store
loses the rows that are not committed yet, and no later commit says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from urlset.database.connections import batches
from urlset.engine.examples import integer_of
from urlset.engine.rule_sql import quote

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from types import TracebackType

    import duckdb

    from urlset import _core

SEARCH_PATH = "temp.main"
"""Where names of tables are looked up: not among the tables of the store, which have the rows of all runs."""

ROWS_AT_ONCE = 100_000
"""Number of rows to read at once."""


class RunViews:
    """Views on the rows of a run, which only their connection has. A context manager.

    Args:
        connection: A connection to the store that no other code uses; it is closed at the end of the block.
        queries: SQL for the rows of each table that has any. What it reads must be committed.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection, queries: Mapping[str, str]) -> None:
        self.connection = connection
        self._queries = dict(queries)
        self._shown: dict[str, str] = {}
        connection.execute(f"SET search_path = '{SEARCH_PATH}'")

    @property
    def names(self) -> frozenset[str]:
        """The tables that have rows."""
        return frozenset(self._queries)

    def add(self, name: str, rows: object) -> None:
        """Add rows to a table that the store does not have.

        Args:
            name: The table.
            rows: An object with `__arrow_c_stream__`.
        """
        if name in self._queries:
            self._with(rows, f"INSERT INTO temp.{_place(name)} FROM given")
        else:
            self.replace(name, rows)

    def replace(self, name: str, rows: object) -> None:
        """Use other rows than those of the store."""
        self._with(rows, f"CREATE TEMP TABLE {_place(name)} AS FROM given")
        self._queries[name] = f"FROM temp.{_place(name)}"

    def _with(self, rows: object, statement: str) -> None:
        self.connection.register("given", rows)
        try:
            self.connection.execute(statement)
        finally:
            self.connection.unregister("given")

    def show(self, names: Iterable[str], condition: str = "TRUE") -> None:
        """Create or replace the views of some tables that have rows.

        Args:
            names: The tables.
            condition: SQL for the rows to show.
        """
        views = {name: f"FROM ({self._queries[name]}) WHERE {condition}" for name in names}
        new = {name: view for name, view in sorted(views.items()) if self._shown.get(name) != view}
        if new:
            statements = (f"CREATE OR REPLACE TEMP VIEW {quote(name)} AS {view}" for name, view in new.items())
            self.connection.execute("; ".join(statements))
            self._shown |= new

    def remove(self, name: str, condition: str) -> None:
        """Do not show the rows of a table for which a condition is true."""
        self._queries[name] = f"FROM ({self._queries[name]}) WHERE ({condition}) IS NOT TRUE"
        self.show([name])

    def batches(self, name: str, condition: str = "TRUE") -> Iterator[_core.Table]:
        """Yield rows of a table in batches."""
        yield from batches(self.connection, f"FROM ({self._queries[name]}) WHERE {condition}", ROWS_AT_ONCE)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.connection.close()


def _place(name: str) -> str:
    """Return the temporary table with the rows that the store does not have."""
    return quote(f"rows_of_{name}")


def of_documents(documents: Sequence[Mapping[str, object]]) -> str:
    """Return SQL for whether a row is of one of some documents in a row, which are in the order of their numbers."""
    first, last = (integer_of(row["document_id"]) for row in (documents[0], documents[-1]))
    return f"document_id BETWEEN {first:d} AND {last:d}"
