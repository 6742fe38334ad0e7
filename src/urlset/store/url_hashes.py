"""Adds the hashes of URLs to temporary tables: they are computed by the core, and SQL cannot call it."""

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


def add_spelling_hashes(connection: duckdb.DuckDBPyConnection, table: str, source: str, key: str = "to_hash") -> None:
    """Add the spelling_hash of each URL of a temporary table, which only this connection can read.

    Args:
        table: A table with a key and the column `spelling_hash`.
        source: A table with the column `url` that nothing was deleted from.
        key: SQL for the key in `source`.
    """
    [(count,)] = connection.execute(f"SELECT count(*) FROM {source}").fetchall()
    for first in range(0, count, URLS_AT_ONCE):
        some = f"SELECT {key}, url FROM {source} WHERE rowid BETWEEN {first} AND {first + URLS_AT_ONCE - 1}"
        for rows in list(batches(connection, some, URLS_AT_ONCE)):
            connection.register("hashed", rows.with_spelling_hashes("url"))
            connection.execute(f"INSERT INTO {table} SELECT * EXCLUDE (url) FROM hashed")
            connection.unregister("hashed")
