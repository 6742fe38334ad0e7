"""Adds the hashes of URLs to temporary tables: `page_hash` is computed by the core, and SQL cannot call it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.database import batches

if TYPE_CHECKING:
    import _duckdb as duckdb

URLS_AT_ONCE = 50_000


def add_hashes(connection: duckdb.DuckDBPyConnection, table: str, query: str) -> None:
    """Add a row with the `page_hash` of each URL that a query returns.

    Args:
        table: A table with some columns, followed by the hash.
        query: A query that returns these columns, followed by the column `url`.
    """
    cursor = connection.cursor()
    try:
        for rows in batches(cursor, query, URLS_AT_ONCE):
            connection.register("hashed", rows.with_page_hashes("url"))
            connection.execute(f"INSERT INTO {table} SELECT * EXCLUDE (url) FROM hashed")
            connection.unregister("hashed")
    finally:
        cursor.close()
