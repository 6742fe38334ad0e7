"""Creates the tables of the engine once they are needed: creating all takes longer than to check a small sitemap."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.engine.rule_sql import create_table
from urlset.tables import TABLES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    import duckdb

    from urlset.engine.rule_sql import QueryRule

CHUNK = "chunk"
"""Schema with the tables of the reader, for loaded rows; registered tables of a chunk take precedence."""

RUN = "run"
"""Schema with the data that rules across documents need."""

TEMPORARY = "temp"
"""Schema with the tables of a stored run."""


class Schemas:
    """The tables of both schemas.

    Args:
        connection: The database.
        run_columns: The columns to keep for rules across documents, by table.
        stored: The tables of a stored run that have rows; None if rows arrive with documents. In a store there are no
            schemas, and a table without rows is a temporary one.
    """

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        run_columns: Mapping[str, Sequence[str]],
        stored: AbstractSet[str] | None = None,
    ) -> None:
        self._connection = connection
        self._run_columns = run_columns
        self._is_stored = stored is not None
        self._created_tables = {(TEMPORARY, name) for name in stored or ()}
        if self._is_stored:
            connection.execute("CREATE OR REPLACE TEMP TABLE required_urls (url VARCHAR, url_hash BIGINT)")
            return
        connection.execute(
            f"BEGIN; CREATE SCHEMA {CHUNK}; CREATE SCHEMA {RUN}; "
            f"CREATE TABLE {RUN}.required_urls (url VARCHAR, url_hash BIGINT); "
            f"COMMIT; SET search_path = '{CHUNK},{RUN}'"
        )

    def create(self, schema: str, names: Iterable[str]) -> None:
        """Create those of these tables that do not exist yet."""
        schema = TEMPORARY if self._is_stored else schema
        missing = [name for name in names if (schema, name) not in self._created_tables]
        if missing:
            self._connection.execute("; ".join(self._statement(schema, name) for name in missing))
            self._created_tables.update((schema, name) for name in missing)

    def add(self, names: Iterable[str]) -> None:
        """Remember tables that were created as temporary ones."""
        self._created_tables.update((TEMPORARY, name) for name in names)

    def forget(self, names: Iterable[str]) -> None:
        """Forget temporary tables that were dropped."""
        self._created_tables.difference_update((TEMPORARY, name) for name in names)

    def create_for(self, rules: Sequence[QueryRule], schema: str, names: Iterable[str]) -> None:
        """Create those of these tables that the queries of rules name."""
        queries = [rule.query.lower() for rule in rules]
        self.create(schema, [name for name in names if any(name in query for query in queries)])

    def _statement(self, schema: str, name: str) -> str:
        table = TABLES[name]
        if self._is_stored:
            return create_table(table, table.columns)
        names = self._run_columns.get(name) if schema == RUN else None
        return create_table(
            table, table.columns if names is None else [table.column(column) for column in names], schema
        )
