"""Stores what search engines report: `index_states`, `sitemap_readings`, and the tables of Search Analytics."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, NamedTuple

from urlset import _core
from urlset.engine.rule_sql import identifier_list
from urlset.store.file import utc, without_zone
from urlset.tables import INDEX_STATES, SEARCH_ANALYTICS, SEARCH_ANALYTICS_DAYS, SITEMAP_READINGS, URLS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import _duckdb as duckdb

    from urlset.coverage.search_analytics import Day
    from urlset.model.reported import ReportedSitemap
    from urlset.store.file import Store
    from urlset.tables import Table

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
    columns = [(column.name, column.type) for column in INDEX_STATES.columns]
    connection.register("given", _core.Table.from_rows(columns, [{**row, **_hashes(row)} for row in rows]))
    connection.execute(_REPLACE)
    connection.execute(_insertion(INDEX_STATES))
    connection.unregister("given")


def _insertion(table: Table) -> str:
    names = identifier_list(table.column_names)
    return f"INSERT INTO {table.name} ({names}) SELECT {names} FROM given"


class ImpressionCounts(NamedTuple):
    """The days of a property and type of search in a store, in numbers; `provisional` and `cut` are some of them."""

    pages: int
    impressions: int
    clicks: int
    provisional: tuple[date, ...]
    cut: tuple[date, ...]


_SERIES = "property = $1 AND search_type = $2"


def stored_days(store: Store, site: str, search_type: str) -> dict[date, bool]:
    """Return for each day of a property and type of search that a store has whether it is provisional."""
    rows = store.rows(
        f"SELECT day, is_provisional FROM {SEARCH_ANALYTICS_DAYS.name} WHERE {_SERIES}", [site, search_type]
    )
    return {utc(day).date(): bool(is_provisional) for day, is_provisional in rows}


def add_impressions(store: Store, site: str, search_type: str, day: Day, *, is_provisional: bool) -> None:
    """Add the pages of a day, in place of what the store has of it, and commit.

    Raises:
        OutputError: They cannot be written.
    """
    midnight = datetime(day.day.year, day.day.month, day.day.day, tzinfo=UTC)
    of_day = {"property": site, "search_type": str(search_type), "day": midnight}
    pages = [
        {
            **of_day,
            "url": url,
            "page_hash": _core.page_hash(url),
            "impressions": count.impressions,
            "clicks": count.clicks,
        }
        for url, count in day.pages.items()
    ]
    summary = {
        **of_day,
        "is_provisional": is_provisional,
        "is_cut": day.is_cut,
        "pages": len(pages),
        "impressions": sum(count.impressions for count in day.pages.values()),
        "clicks": sum(count.clicks for count in day.pages.values()),
        "asked_at": datetime.now(UTC),
    }
    with store.transaction() as connection:
        for table, rows in ((SEARCH_ANALYTICS, pages), (SEARCH_ANALYTICS_DAYS, [summary])):
            connection.execute(
                f"DELETE FROM {table.name} WHERE {_SERIES} AND day = $3", [site, search_type, without_zone(midnight)]
            )
            columns = [(column.name, column.type) for column in table.columns]
            for first in range(0, len(rows), ROWS_AT_ONCE):
                connection.register("given", _core.Table.from_rows(columns, rows[first : first + ROWS_AT_ONCE]))
                connection.execute(_insertion(table))
                connection.unregister("given")


def count_impressions(store: Store, site: str, search_type: str, days: Sequence[date]) -> ImpressionCounts:
    """Return what a store has of a property and type of search from the first to the last one of some days."""
    if not days:
        return ImpressionCounts(0, 0, 0, (), ())
    chosen = f"{_SERIES} AND day BETWEEN $3 AND $4"
    values = [site, search_type, days[0], days[-1]]
    [(pages, impressions, clicks)] = store.rows(
        "SELECT count(DISTINCT page_hash) FILTER (impressions > 0), coalesce(sum(impressions), 0)::BIGINT, "
        f"coalesce(sum(clicks), 0)::BIGINT FROM {SEARCH_ANALYTICS.name} WHERE {chosen}",
        values,
    )
    provisional, cut = (
        tuple(
            utc(day).date()
            for (day,) in store.rows(
                f"SELECT day FROM {SEARCH_ANALYTICS_DAYS.name} WHERE {chosen} AND {which} ORDER BY day", values
            )
        )
        for which in ("is_provisional", "is_cut")
    )
    return ImpressionCounts(pages, impressions, clicks, provisional, cut)


def count_reported_urls(store: Store, engines: Sequence[str]) -> int:
    """Return the number of different URLs with a report of these search engines."""
    [(count,)] = store.rows(
        f"SELECT count(DISTINCT page_hash) FROM {INDEX_STATES.name} WHERE engine IN (SELECT unnest($1::VARCHAR[]))",
        [list(engines)],
    )
    return int(count)


def listed_hosts(store: Store) -> frozenset[str]:
    """Return the hosts of all URLs that the runs of a store list."""
    return frozenset(host for (host,) in store.rows(f"SELECT DISTINCT host FROM {URLS.name} WHERE host IS NOT NULL"))


def engines_with_reports(store: Store) -> tuple[str, ...]:
    """Return the search engines with reports, in alphabetical order."""
    if not store.has_table(INDEX_STATES.name):
        return ()
    rows = store.rows(f"SELECT DISTINCT engine FROM {INDEX_STATES.name} ORDER BY engine")
    return tuple(engine for (engine,) in rows)


def _hashes(row: Mapping[str, object]) -> dict[str, object]:
    return {name: _core.page_hash(str(row[url])) if row.get(url) else None for name, url in _HASHED.items()}
