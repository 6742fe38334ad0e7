"""Adds the hashes of URLs to temporary tables: `page_hash` is computed by the core, and SQL cannot call it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset import _core
from urlset.engine.sql import SQL_TYPES

if TYPE_CHECKING:
    from collections.abc import Sequence

    import _duckdb as duckdb

URLS_AT_ONCE = 50_000


def add_hashes(connection: duckdb.DuckDBPyConnection, table: str, keys: Sequence[str], asked: str) -> None:
    """Add a row with the `page_hash` of each URL that a query returns.

    Args:
        connection: The database.
        table: A table with some columns, followed by the hash.
        keys: The types of these columns, as in `tables.Column`.
        asked: A query that returns these columns, followed by the URL.
    """
    types = (*(SQL_TYPES[key] for key in keys), SQL_TYPES["int64"])
    values = ", ".join(f"unnest(${number}::{type_}[])" for number, type_ in enumerate(types, 1))
    cursor = connection.cursor()
    try:
        rows = cursor.execute(asked)
        while some := rows.fetchmany(URLS_AT_ONCE):
            *columns, urls = map(list, zip(*some, strict=True))
            hashes = [_core.page_hash(url) for url in urls]
            connection.execute(f"INSERT INTO {table} SELECT {values}", [*columns, hashes])
    finally:
        cursor.close()
