"""Compares access logs with a run: fills `log_urls`, `log_crawlers`, and `log_sitemaps`.

`shares.py` first compares the URLs share by share, because all of them would not fit into memory; DuckDB writes its
results to the temporary folder. Requests of impostors only count where a column says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import _duckdb as duckdb
from msgspec import Struct

from urlset.access_logs.shares import TEMPORARY, LogShares
from urlset.database.connections import memory_limit
from urlset.engine.rule_sql import identifier_list, section, text_literal
from urlset.net.origin import DEFAULT_PORTS
from urlset.rules.queries import sql_list
from urlset.store.file import RUN_ID, unwritten
from urlset.store.hash_ranges import row_count
from urlset.store.run_documents import read_robots_files
from urlset.store.url_hashes import add_hashes
from urlset.tables import (
    DOCUMENTS,
    LOG_CRAWLERS,
    LOG_FILES,
    LOG_SITEMAPS,
    LOG_URLS,
    SITEMAP_KINDS,
    URLS,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.store.file import Store
    from urlset.store.run import Run
    from urlset.tables import Table

BYTES_PER_ROW = 144
"""Memory to sort a row of `log_urls`, in bytes (measured), by which the number of rows to sort at once follows the
memory limit."""

SAMPLED = 20_000
"""Number of URLs that decide which rows are sorted together."""

# How the log names the site of a URL: without the default port.
_PORTS = " ".join(f"WHEN '{scheme}' THEN {port}" for scheme, port in DEFAULT_PORTS.items())
_SITE = f"""
concat(scheme, '://', host, CASE WHEN port IS NULL OR port = CASE scheme {_PORTS} END THEN ''
    ELSE concat(':', port) END)
"""

# A window over all entries would sort their URLs; few are listed again.
_LISTED = """
CREATE OR REPLACE TEMP TABLE log_listed AS
WITH repeated AS (
    SELECT page_hash FROM log_entries GROUP BY page_hash HAVING count(*) > 1
), later AS (
    SELECT document_id, ordinal FROM log_entries SEMI JOIN repeated USING (page_hash)
    QUALIFY row_number() OVER (PARTITION BY page_hash ORDER BY document_id, ordinal) > 1
)
FROM log_entries ANTI JOIN later USING (document_id, ordinal)
"""

# To sort first and to number then takes a third less CPU time than a window over sorted rows (measured).
_URLS = f"""
SELECT number, coalesce(document_id, {{first}}) AS document_id, ordinal, line, col, url, page_hash, site,
    {section("url")} AS section, is_listed, is_page, has_parameters, lastmod_at,
    date_diff('second', greatest({{start}}, coalesce(lastmod_at, {{start}})), {{end}}) / 86400.0 AS days,
    coalesce(hits, 0) AS hits, coalesce(good_hits, 0) AS good_hits, coalesce(redirect_hits, 0) AS redirect_hits,
    CASE WHEN site IN (SELECT site FROM log_searched) THEN coalesce(search_hits, 0) END AS search_hits, searched_at,
    coalesce(verified_hits, 0) AS verified_hits, coalesce(error_hits, 0) AS error_hits,
    error_statuses, error_agents,
    coalesce(blocked_hits, 0) AS blocked_hits, blocked_agents,
    {{period}}
FROM (
    SELECT *, {{before}} + row_number() OVER () - 1 AS number
    FROM (FROM log_compared WHERE {{urls}} ORDER BY url, page_hash)
)
"""

_CRAWLERS = """
WITH delay_of AS (
    SELECT agent, median(delay) AS delay_days, count(*) AS delay_urls, bool_or(is_estimate) AS delay_is_estimate
    FROM log_delays GROUP BY agent
), sums AS (
    SELECT agent, min(operator) AS operator, min(purpose) AS purpose, min(refused_url) AS refused_url,
        coalesce(sum(COLUMNS('_hits$|^hits$')), 0)::BIGINT,
        coalesce(sum(fetched), 0)::BIGINT AS fetched, coalesce(sum(fresh), 0)::BIGINT AS fresh
    FROM log_counted GROUP BY agent
)
SELECT row_number() OVER (ORDER BY hits DESC, agent) - 1 AS number, {first} AS document_id, agent,
    coalesce(operator, '') AS operator, coalesce(purpose, '') AS purpose, hits, verified_hits, impostor_hits, page_hits,
    wasted_hits, unlisted_hits, redirect_hits, parameter_hits, wasted_hits / nullif(page_hits, 0) AS wasted_share,
    allowed_hits, refused_hits, refused_url, (SELECT count(*) FROM log_listed) AS listed, fetched,
    (SELECT count(lastmod_at) FROM log_listed) AS dated, fresh,
    delay_days, coalesce(delay_urls, 0) AS delay_urls, coalesce(delay_is_estimate, false) AS delay_is_estimate,
    {period}
FROM sums LEFT JOIN delay_of USING (agent)
"""

_SITEMAPS = """
WITH engines AS (
    SELECT DISTINCT site, engine FROM log_searched WHERE engine IS NOT NULL
), requested AS (
    SELECT page_hash, engine, sum(hits)::BIGINT AS hits, max(last_at) AS last_at FROM log_read GROUP BY ALL
)
SELECT row_number() OVER (ORDER BY d.document_id, e.engine) - 1 AS number, d.document_id, d.url, e.engine,
    coalesce(r.hits, 0) AS hits, r.last_at,
    date_diff('second', coalesce(r.last_at, {start}), {end}) / 86400.0 AS days, {period}
FROM log_documents AS d JOIN engines AS e ON e.site = d.site
LEFT JOIN requested AS r ON r.page_hash = d.page_hash AND r.engine = e.engine
WHERE d.is_sitemap
"""


class LogPeriod(Struct, frozen=True):
    """The period and the sites that the access logs in a store cover.

    Attributes:
        start: The earliest time in them, as SQL.
        end: The latest time in them, as SQL.
        columns: The columns `period` and `period_days`, as SQL.
    """

    start: str
    end: str
    columns: str

    @classmethod
    def of(cls, store: Store, run_id: int) -> LogPeriod | None:
        """Return the period of the logs that can have requests for the sites of a run; None if they have no times."""
        [(start, end)] = store.rows(
            f"SELECT min(first_at), max(last_at) FROM {LOG_FILES.name} WHERE site IS NULL OR site IN "
            f"(SELECT {_SITE} FROM {URLS.name} WHERE {RUN_ID} = {run_id:d} AND host IS NOT NULL)"
        )
        if start is None:
            return None
        days = (end - start).total_seconds() / 86_400
        name = f"{start:%Y-%m-%d} to {end:%Y-%m-%d}"
        columns = f"{text_literal(name)} AS period, {days!r}::DOUBLE AS period_days"
        return cls(f"TIMESTAMP '{start}'", f"TIMESTAMP '{end}'", columns)


class LogTables:
    """Compares the access logs in a store with one of its runs. The temporary tables are dropped at the end.

    The memory limit of the store decides how many rows are compared at once.
    """

    def __init__(self, store: Store, run: Run, period: LogPeriod) -> None:
        self._store = store
        self._run = run
        self._where = f"{RUN_ID} = {run.run_id:d}"
        self._period = period
        self._memory = memory_limit(store.connection)

    def store(self) -> None:
        """Replace the rows of the run in `log_urls`, `log_crawlers`, and `log_sitemaps`."""
        try:
            # Before the transaction, which would hold their rows in memory.
            self._prepare(self._store.connection)
        except duckdb.Error as error:
            raise unwritten(self._store.path, error) from None
        with self._run.writing() as connection:
            [(first,)] = connection.execute(
                f"SELECT coalesce(min(document_id), 0) FROM {DOCUMENTS.name} WHERE {self._where}"
            ).fetchall()
            for table in (LOG_URLS, LOG_CRAWLERS, LOG_SITEMAPS):
                connection.execute(f"DELETE FROM {table.name} WHERE {self._where}")
            before = 0
            for urls in _in_order(connection, self._memory // BYTES_PER_ROW):
                before += self._insert(LOG_URLS, _URLS, first=first, before=before, urls=urls)
            self._insert(LOG_CRAWLERS, _CRAWLERS, first=first)
            self._insert(LOG_SITEMAPS, _SITEMAPS)
            for name in ("log_listed", "log_sites", "log_documents", *TEMPORARY):
                connection.execute(f"DROP TABLE IF EXISTS {name}")
        self._run.flush()

    def _insert(self, table: Table, statement: str, **values: object) -> int:
        """Add the rows of a statement, and return their number."""
        filled = statement.format(start=self._period.start, end=self._period.end, period=self._period.columns, **values)
        names = identifier_list(table.column_names)
        [(count,)] = self._store.rows(
            f"INSERT INTO {table.name} ({RUN_ID}, {names}) SELECT {self._run.run_id:d}, {names} FROM ({filled})"
        )
        return int(count)

    def _prepare(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._add_listed_urls(connection)
        self._add_documents(connection)
        robots = read_robots_files(self._store, self._run.run_id)
        LogShares(connection, robots, self._period.start, self._memory).compare()

    def _add_listed_urls(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Fill log_listed: each listed URL once, as its first entry."""
        connection.execute(
            "CREATE OR REPLACE TEMP TABLE log_entries (url VARCHAR, document_id INTEGER, ordinal INTEGER, "
            "line INTEGER, col INTEGER, lastmod_at TIMESTAMP, site VARCHAR, page_hash BIGINT)"
        )
        add_hashes(
            connection,
            "log_entries",
            f"SELECT loc, document_id, ordinal, coalesce(loc_line, line), coalesce(loc_col, col), lastmod_at, "
            f"{_SITE} AS site, loc AS url FROM {URLS.name} WHERE {self._where} AND loc_problem IS NULL "
            "AND scheme IN ('http', 'https') AND host IS NOT NULL",
        )
        connection.execute(_LISTED)
        connection.execute("DROP TABLE log_entries")
        connection.execute("CREATE OR REPLACE TEMP TABLE log_sites AS SELECT DISTINCT site FROM log_listed")

    def _add_documents(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Fill log_documents: the sitemaps and robots.txt files of the run."""
        _create_hashes(connection, "log_document_hashes")
        add_hashes(
            connection,
            "log_document_hashes",
            f"SELECT document_id, 0 AS ordinal, coalesce(final_url, d.url) AS url FROM {DOCUMENTS.name} AS d "
            f"WHERE {self._where} AND regexp_matches(d.url, '^https?://')",
        )
        connection.execute(
            "CREATE OR REPLACE TEMP TABLE log_documents AS "
            f"SELECT h.page_hash, d.document_id, d.url, kind IN {sql_list(SITEMAP_KINDS)} AND "
            # Search engines need not know a feed that only a page names.
            "found_by NOT IN ('html-link', 'http-header') AS is_sitemap, "
            "regexp_extract(lower(d.url), '^https?://[^/?#]+') AS site "
            f"FROM {DOCUMENTS.name} AS d JOIN log_document_hashes AS h ON h.document_id = d.document_id "
            f"WHERE d.{self._where}"
        )
        connection.execute("DROP TABLE log_document_hashes")


def _in_order(connection: duckdb.DuckDBPyConnection, rows: int) -> Iterator[str]:
    """Yield SQL for ranges of URLs in ascending order, which have all rows of `log_compared`, some at a time."""
    parts = row_count(connection, "log_compared") // rows + 1
    sampled = connection.execute(f"SELECT url FROM log_compared USING SAMPLE {SAMPLED:d} ROWS").fetchall()
    urls = sorted(url for (url,) in sampled)
    firsts = sorted({urls[len(urls) * number // parts] for number in range(1, parts)})
    for first, following in zip((None, *firsts), (*firsts, None), strict=True):
        conditions = [] if first is None else [f"url >= {text_literal(first)}"]
        if following is not None:
            conditions.append(f"url < {text_literal(following)}")
        yield " AND ".join(conditions) or "true"


def _create_hashes(connection: duckdb.DuckDBPyConnection, name: str) -> None:
    """Create a table for `add_hashes`."""
    connection.execute(f"CREATE OR REPLACE TEMP TABLE {name} (document_id INTEGER, ordinal INTEGER, page_hash BIGINT)")
