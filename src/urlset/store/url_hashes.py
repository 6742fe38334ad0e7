"""Adds the hashes of URLs to tables, and looks URLs up by them: the core computes them, and SQL cannot call it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset import _core
from urlset.database.connections import batches
from urlset.engine.rule_sql import text_literal

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    import _duckdb as duckdb

URLS_AT_ONCE = 50_000

_HASHED = {
    "loc_hash": (("loc", "url"), _core.url_hash),
    "href_hash": (("href",), _core.url_hash),
    "canonical_hash": (("canonical",), _core.url_hash),
    "url_hash": (("url",), _core.url_hash),
    "final_url_hash": (("final_url",), _core.url_hash),
    "content_loc_hash": (("content_loc",), _core.url_hash),
    "player_loc_hash": (("player_loc",), _core.url_hash),
    "page_hash": (("url",), _core.page_hash),
    "final_hash": (("final_url",), _core.page_hash),
    "from_hash": (("from_url",), _core.page_hash),
    "to_hash": (("to_url",), _core.page_hash),
    "user_canonical_hash": (("user_canonical",), _core.page_hash),
}
"""The columns of hashes by which URLs are compared: the columns that may hold the URL, and the function."""

_EVERY = "SELECT DISTINCT {url} FROM {table} WHERE {url} IS NOT NULL"

# Most URLs are in their normal form, so that their hashes stay.
_MAYBE_OTHER = """
SELECT DISTINCT {url} FROM {table} WHERE {hash} IS NOT NULL
    AND (NOT regexp_full_match({url}, 'https?://[a-z0-9_.-]+/[A-Za-z0-9!$&()*+,/:;=?@_~.-]*') OR contains({url}, '/.'))
"""


def same_url(url: str, column: str = "loc", hash_column: str = "loc_hash") -> str:
    """Return SQL for whether a row has this URL, in any spelling.

    A store that an older urlset wrote, and that is open only for reading, has the hashes of URLs as written.
    """
    is_hash = f"{hash_column} = {_core.url_hash(url):d}"
    return is_hash if _core.normal_url(url) == url else f"({is_hash} OR {column} = {text_literal(url)})"


def same_page(url: str, column: str, hash_column: str) -> str:
    """Return SQL for whether a row has the URL of this page, in any spelling; see `same_url`."""
    is_hash = f"{hash_column} = {_core.page_hash(url):d}"
    return is_hash if _core.page_key(url) == url else f"({is_hash} OR {column} = {text_literal(url)})"


def renew_hashes(connection: duckdb.DuckDBPyConnection, tables: Mapping[str, Collection[str]]) -> None:
    """Compute the hashes of URLs again in tables of an older urlset, which took those of URLs as written."""
    for table, columns in tables.items():
        for hash_column in _HASHED.keys() & set(columns):
            _hash(connection, table, columns, hash_column, _MAYBE_OTHER)


def fill_hashes(connection: duckdb.DuckDBPyConnection, table: str, columns: Collection[str], added: str) -> None:
    """Compute the hashes of URLs in a column that was added to a table of an older urlset, if it has hashes."""
    if added in _HASHED:
        _hash(connection, table, columns, added, _EVERY)


def _hash(
    connection: duckdb.DuckDBPyConnection, table: str, columns: Collection[str], hash_column: str, which: str
) -> None:
    sources, hash_of = _HASHED[hash_column]
    url = next((source for source in sources if source in columns), None)
    if url is None:
        return
    connection.execute("CREATE OR REPLACE TEMP TABLE renewed (url VARCHAR, hash BIGINT)")
    cursor = connection.cursor()
    try:
        cursor.execute(which.format(url=url, table=table, hash=hash_column))
        while rows := cursor.fetchmany(URLS_AT_ONCE):
            urls = [text for (text,) in rows]
            connection.execute(
                "INSERT INTO renewed SELECT unnest($1::VARCHAR[]), unnest($2::BIGINT[])", [urls, [*map(hash_of, urls)]]
            )
    finally:
        cursor.close()
    connection.execute(
        f"UPDATE {table} SET {hash_column} = renewed.hash FROM renewed "
        f"WHERE {table}.{url} = renewed.url AND {hash_column} IS DISTINCT FROM renewed.hash"
    )
    connection.execute("DROP TABLE renewed")


def add_hashes(connection: duckdb.DuckDBPyConnection, table: str, query: str, method: str = "with_page_hashes") -> None:
    """Add a row with the `page_hash` of each URL that a query on stored tables returns.

    Args:
        table: A table with some columns, followed by the hash.
        query: A query that returns these columns, followed by the column `url`.
        method: `with_spelling_hashes` for the `spelling_hash`.
    """
    cursor = connection.cursor()
    try:
        for rows in batches(cursor, query, URLS_AT_ONCE):
            connection.register("hashed", getattr(rows, method)("url"))
            connection.execute(f"INSERT INTO {table} SELECT * EXCLUDE (url) FROM hashed")
            connection.unregister("hashed")
    finally:
        cursor.close()


def add_page_hashes(connection: duckdb.DuckDBPyConnection, table: str, source: str, key: str) -> None:
    """Add the page_hash of each URL of a temporary table; see `add_spelling_hashes`."""
    _add_of_temporary(connection, table, source, key, "with_page_hashes")


def add_spelling_hashes(connection: duckdb.DuckDBPyConnection, table: str, source: str, key: str = "to_hash") -> None:
    """Add the spelling_hash of each URL of a temporary table, which only this connection can read.

    Args:
        table: A table with a key and a column for the hash.
        source: A table with the column `url` that nothing was deleted from.
        key: SQL for the key in `source`.
    """
    _add_of_temporary(connection, table, source, key, "with_spelling_hashes")


def _add_of_temporary(connection: duckdb.DuckDBPyConnection, table: str, source: str, key: str, method: str) -> None:
    [(count,)] = connection.execute(f"SELECT count(*) FROM {source}").fetchall()
    for first in range(0, count, URLS_AT_ONCE):
        some = f"SELECT {key}, url FROM {source} WHERE rowid BETWEEN {first} AND {first + URLS_AT_ONCE - 1}"
        for rows in list(batches(connection, some, URLS_AT_ONCE)):
            connection.register("hashed", getattr(rows, method)("url"))
            connection.execute(f"INSERT INTO {table} SELECT * EXCLUDE (url) FROM hashed")
            connection.unregister("hashed")
