"""Stores what search engines report about URLs and sitemaps: `index_states` and `sitemap_readings`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset import _core
from urlset.engine.rule_sql import identifier_list
from urlset.store.file import without_zone
from urlset.tables import INDEX_STATES, SITEMAP_READINGS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    import _duckdb as duckdb

    from urlset.model.reported import ReportedSitemap
    from urlset.store.file import Store

ROWS_AT_ONCE = 10_000
"""Number of rows to add at once."""

_HASHED = {"page_hash": "url", "canonical_hash": "canonical", "user_canonical_hash": "user_canonical"}

# A file that is imported again replaces what it said on that day.
_REPLACE = f"""
DELETE FROM {INDEX_STATES.name} USING given
WHERE {INDEX_STATES.name}.page_hash = given.page_hash AND {INDEX_STATES.name}.engine = given.engine
    AND {INDEX_STATES.name}.source = given.source AND {INDEX_STATES.name}."at"::DATE = given."at"::DATE
"""


# A reading that was reported before is known already.
_READING = f"""
INSERT INTO {SITEMAP_READINGS.name}
SELECT $1, $2, $3, $4, $5, $6
WHERE NOT EXISTS (FROM {SITEMAP_READINGS.name} WHERE engine = $1 AND url = $2 AND read_at = $3)
"""


def add_readings(store: Store, sitemaps: Iterable[ReportedSitemap], now: datetime) -> None:
    """Add when search engines read sitemaps, as they report at a time, and commit.

    Raises:
        OutputError: It cannot be written.
    """
    with store.transaction() as connection:
        for sitemap in sitemaps:
            if sitemap.read_at is not None:
                row = (sitemap.engine, sitemap.url, without_zone(sitemap.read_at), sitemap.errors, sitemap.warnings)
                connection.execute(_READING, [*row, without_zone(now)])


def add_states(store: Store, files: Iterable[Sequence[Mapping[str, object]]]) -> None:
    """Add reports, and commit all of them at once.

    Args:
        store: The store, open for writing.
        files: Rows of `index_states` from each file, without their hashes. Reports of the same day are replaced.

    Raises:
        OutputError: They cannot be written.
    """
    with store.transaction() as connection:
        for rows in files:
            for first in range(0, len(rows), ROWS_AT_ONCE):
                _add(connection, rows[first : first + ROWS_AT_ONCE])


def _add(connection: duckdb.DuckDBPyConnection, rows: Sequence[Mapping[str, object]]) -> None:
    names = identifier_list(INDEX_STATES.column_names)
    columns = [(column.name, column.type) for column in INDEX_STATES.columns]
    connection.register("given", _core.Table.from_rows(columns, [{**row, **_hashes(row)} for row in rows]))
    connection.execute(_REPLACE)
    connection.execute(f"INSERT INTO {INDEX_STATES.name} ({names}) SELECT {names} FROM given")
    connection.unregister("given")


def count_reported_urls(store: Store, engines: Sequence[str]) -> int:
    """Return the number of different URLs with a report of these search engines."""
    [(count,)] = store.rows(
        f"SELECT count(DISTINCT page_hash) FROM {INDEX_STATES.name} WHERE engine IN (SELECT unnest($1::VARCHAR[]))",
        [list(engines)],
    )
    return int(count)


def engines_with_reports(store: Store) -> tuple[str, ...]:
    """Return the search engines with reports, in alphabetical order."""
    if not store.has_table(INDEX_STATES.name):
        return ()
    rows = store.rows(f"SELECT DISTINCT engine FROM {INDEX_STATES.name} ORDER BY engine")
    return tuple(engine for (engine,) in rows)


def _hashes(row: Mapping[str, object]) -> dict[str, object]:
    return {name: _core.page_hash(str(row[url])) if row.get(url) else None for name, url in _HASHED.items()}
