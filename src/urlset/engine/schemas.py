"""Creates the tables of the engine once they are needed: creating all takes longer than to check a small sitemap."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.engine.rule_sql import create_table
from urlset.tables import TABLES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import duckdb

    from urlset.engine.rule_sql import QueryRule

CHUNK = "chunk"
"""Schema with the tables of the reader, for loaded rows; registered tables of a chunk take precedence."""

RUN = "run"
"""Schema with the data that rules across documents need."""


class Schemas:
    """The tables of both schemas.

    Args:
        connection: The database.
        run_columns: The columns to keep for rules across documents, by table.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection, run_columns: Mapping[str, Sequence[str]]) -> None:
        self._connection = connection
        self._run_columns = run_columns
        self._created_tables: set[tuple[str, str]] = set()
        connection.execute(
            f"BEGIN; CREATE SCHEMA {CHUNK}; CREATE SCHEMA {RUN}; "
            f"CREATE TABLE {RUN}.required_urls (url VARCHAR, url_hash BIGINT); "
            f"COMMIT; SET search_path = '{CHUNK},{RUN}'"
        )

    def create(self, schema: str, names: Iterable[str]) -> None:
        """Create those of these tables that do not exist yet."""
        missing = [name for name in names if (schema, name) not in self._created_tables]
        if missing:
            self._connection.execute("; ".join(self._statement(schema, name) for name in missing))
            self._created_tables.update((schema, name) for name in missing)

    def create_for(self, rules: Sequence[QueryRule], schema: str, names: Iterable[str]) -> None:
        """Create those of these tables that the queries of rules name."""
        queries = [rule.query.lower() for rule in rules]
        self.create(schema, [name for name in names if any(name in query for query in queries)])

    def _statement(self, schema: str, name: str) -> str:
        table = TABLES[name]
        names = self._run_columns.get(name) if schema == RUN else None
        return create_table(
            table, table.columns if names is None else [table.column(column) for column in names], schema
        )
