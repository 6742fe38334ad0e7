"""Compares access logs with a run: fills `log_urls`, `log_crawlers`, and `log_sitemaps`.

Each query reads `crawls` once, by hashes of URLs, and returns a row per URL or crawler; DuckDB writes intermediate
results beyond its memory limit to its temporary folder. Requests of impostors only count where a column says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from urlset import _core
from urlset.agents import KNOWN_AGENTS, Purpose
from urlset.engine.sql import listed, text_literal
from urlset.net.origin import DEFAULT_PORTS, origin_of
from urlset.robots import Availability
from urlset.rules.queries import sql_list
from urlset.store.file import RUN_ID
from urlset.store.reading import kept_robots
from urlset.store.url_hashes import URLS_AT_ONCE, add_hashes
from urlset.tables import (
    CRAWLS,
    DOCUMENTS,
    LOG_CRAWLERS,
    LOG_FILES,
    LOG_SITEMAPS,
    LOG_URLS,
    SITEMAP_KINDS,
    URLS,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    import _duckdb as duckdb

    from urlset.robots import Robots
    from urlset.store.file import Store
    from urlset.store.run import Run

MEMORY = "192MB"
"""Memory limit of DuckDB for these queries, beyond which it writes to its temporary folder."""

SITEMAP_READERS = ("Google", "Microsoft", "Yandex")
"""The search engines that document how they use sitemaps, by company."""

OBEDIENT = frozenset({Purpose.SEARCH, Purpose.AI_SEARCH, Purpose.AI_TRAINING})
"""What crawlers fetch pages for that are expected to obey robots.txt."""

NOT_PAGES = (
    "avif", "bmp", "css", "csv", "eot", "gif", "gz", "ico", "jpeg", "jpg", "js", "json", "map", "mjs", "mp3", "mp4",
    "ogg", "otf", "png", "rss", "svg", "ttf", "txt", "wasm", "webm", "webmanifest", "webp", "woff", "woff2", "xml",
    "zip", "zst",
)  # fmt: skip
"""Extensions of files that are not pages, in lowercase."""

_SECTION = "concat('/', regexp_extract(url, '^[a-z]+://[^/?#]*/([^/?#]*/)', 1))"
_CAN_BE_PAGE = f"NOT regexp_matches(url, '^[^?#]*[.]({'|'.join(NOT_PAGES)})([?#]|$)', 'i')"

# How the log names the site of a URL: without the default port.
_PORTS = " ".join(f"WHEN '{scheme}' THEN {port}" for scheme, port in DEFAULT_PORTS.items())
_SITE = f"""
concat(scheme, '://', host, CASE WHEN port IS NULL OR port = CASE scheme {_PORTS} END THEN ''
    ELSE concat(':', port) END)
"""

_CRAWLED = f"""
CREATE OR REPLACE TEMP TABLE log_crawled AS
WITH of_site AS (
    SELECT * FROM {CRAWLS.name} WHERE site IN (SELECT site FROM log_listed)
), by_status AS (
    SELECT page_hash, agent, verdict, unnest(statuses) AS status, unnest(status_hits) AS hits FROM of_site
), counted AS (
    SELECT page_hash, agent, verdict,
        coalesce(sum(hits) FILTER (status BETWEEN 200 AND 299 OR status = 304), 0)::BIGINT AS good,
        coalesce(sum(hits) FILTER (status IN (301, 302, 303, 307, 308)), 0)::BIGINT AS redirected,
        coalesce(sum(hits) FILTER (status IN (403, 429)), 0)::BIGINT AS refused,
        coalesce(sum(hits) FILTER (status >= 400), 0)::BIGINT AS failed,
        list_sort(list_distinct(list(status) FILTER (status >= 400 AND status NOT IN (403, 429)))) AS failures,
        list_sort(list_distinct(list(status) FILTER (status >= 400))) AS all_failures
    FROM by_status GROUP BY page_hash, agent, verdict
), requested AS (
    SELECT page_hash, agent, verdict, min(site) AS site, min(url) AS url, min(first_at) AS first_at,
        max(last_at) AS last_at, sum(hits)::BIGINT AS hits
    FROM of_site GROUP BY page_hash, agent, verdict
)
SELECT r.*, good, redirected, refused, failed, failures, all_failures, a.purpose, a.operator,
    b.agent IS NOT NULL AS is_blocked,
    b.agent IS NOT NULL AND a.purpose IN {sql_list(sorted(OBEDIENT))} AS is_forbidden,
    r.site IN (FROM log_robots) AS has_robots
FROM requested AS r
LEFT JOIN counted AS c ON c.page_hash = r.page_hash AND c.agent = r.agent AND c.verdict = r.verdict
LEFT JOIN log_agents AS a ON a.agent = r.agent
LEFT JOIN (SELECT DISTINCT page_hash, agent FROM log_blocked) AS b ON b.page_hash = r.page_hash AND b.agent = r.agent
"""

# 403 and 429 are the matter of log_crawlers, unless it is unknown whether robots.txt allows the URL.
_URLS = f"""
WITH requested AS (
    SELECT page_hash, min(url) AS url, min(site) AS site, sum(hits)::BIGINT AS hits, sum(good)::BIGINT AS good_hits,
        sum(redirected)::BIGINT AS redirect_hits,
        coalesce(sum(hits) FILTER (purpose = 'search'), 0)::BIGINT AS search_hits,
        max(last_at) FILTER (purpose = 'search') AS searched_at,
        coalesce(sum(hits) FILTER (verdict = 'verified'), 0)::BIGINT AS verified_hits,
        coalesce(sum(CASE WHEN has_robots THEN failed - refused ELSE failed END)
            FILTER (verdict = 'verified'), 0)::BIGINT AS error_hits,
        list_sort(list_distinct(flatten(list(CASE WHEN has_robots THEN failures ELSE all_failures END)
            FILTER (verdict = 'verified' AND (CASE WHEN has_robots THEN failures ELSE all_failures END) IS NOT NULL)
        ))) AS statuses,
        list_sort(list(agent) FILTER (
            verdict = 'verified' AND CASE WHEN has_robots THEN failed > refused ELSE failed > 0 END
        )) AS error_agents,
        coalesce(sum(hits) FILTER (verdict = 'verified' AND is_forbidden), 0)::BIGINT
            AS blocked_hits,
        list_sort(list(agent) FILTER (verdict = 'verified' AND is_forbidden)) AS blocked_agents
    FROM log_crawled WHERE verdict <> 'impostor' GROUP BY page_hash
), searched AS (
    SELECT DISTINCT site FROM log_crawled WHERE verdict <> 'impostor' AND purpose = 'search'
), joined AS (
    SELECT l.document_id, l.ordinal, l.line, l.col, coalesce(l.url, r.url) AS url,
        coalesce(l.page_hash, r.page_hash) AS page_hash, coalesce(l.site, r.site) AS site,
        l.url IS NOT NULL AS is_listed, l.lastmod_at, r.* EXCLUDE (url, site, page_hash)
    FROM log_listed AS l FULL JOIN requested AS r ON r.page_hash = l.page_hash
)
SELECT row_number() OVER (ORDER BY url, page_hash) - 1 AS number,
    coalesce(document_id, {{first}}) AS document_id, ordinal, line, col, url, page_hash, site,
    {_SECTION} AS section, is_listed,
    {_CAN_BE_PAGE} AND page_hash NOT IN (SELECT page_hash FROM log_documents) AS is_page,
    contains(url, '?') AS has_parameters, lastmod_at,
    date_diff('second', greatest({{start}}, coalesce(lastmod_at, {{start}})), {{end}}) / 86400.0 AS days,
    coalesce(hits, 0) AS hits, coalesce(good_hits, 0) AS good_hits, coalesce(redirect_hits, 0) AS redirect_hits,
    CASE WHEN site IN (FROM searched) THEN coalesce(search_hits, 0) END AS search_hits, searched_at,
    coalesce(verified_hits, 0) AS verified_hits, coalesce(error_hits, 0) AS error_hits,
    nullif(array_to_string(statuses, ', '), '') AS error_statuses,
    nullif(array_to_string(error_agents, ', '), '') AS error_agents,
    coalesce(blocked_hits, 0) AS blocked_hits,
    nullif(array_to_string(blocked_agents, ', '), '') AS blocked_agents,
    {{period}}
FROM joined
"""

_CRAWLERS = f"""
WITH urls_of_site AS (
    SELECT page_hash, is_listed, is_page, has_parameters, lastmod_at FROM {LOG_URLS.name} WHERE {{run}}
), requests AS (
    SELECT c.*, u.is_page AND verdict <> 'impostor' AS counts, u.is_listed, u.has_parameters, u.lastmod_at,
        CASE WHEN NOT u.is_listed THEN c.hits ELSE c.redirected END AS wasted,
        verdict = 'verified' AND has_robots AND NOT is_blocked AS is_allowed
    FROM log_crawled AS c LEFT JOIN urls_of_site AS u ON u.page_hash = c.page_hash
), fetched AS (
    SELECT agent, page_hash, lastmod_at, min(first_at) AS first_at, max(last_at) AS last_at, sum(hits) AS hits
    FROM requests WHERE is_listed AND verdict <> 'impostor' GROUP BY agent, page_hash, lastmod_at
), covered AS (
    SELECT agent, count(*) AS fetched, count(*) FILTER (last_at >= lastmod_at) AS fresh FROM fetched GROUP BY agent
), delays AS (
    SELECT agent,
        CASE WHEN first_at >= lastmod_at THEN date_diff('second', lastmod_at, first_at)
            ELSE least(date_diff('second', lastmod_at, last_at), date_diff('second', first_at, last_at) / (hits - 1))
            END / 86400.0 AS delay,
        first_at < lastmod_at AND hits > 2 AS is_estimate
    FROM fetched WHERE lastmod_at >= {{start}} AND last_at >= lastmod_at
), delay_of AS (
    SELECT agent, median(delay) AS delay_days, count(*) AS delay_urls, bool_or(is_estimate) AS delay_is_estimate
    FROM delays GROUP BY agent
), counted AS (
    SELECT agent, min(operator) AS operator, min(purpose) AS purpose,
        coalesce(sum(hits) FILTER (verdict <> 'impostor'), 0)::BIGINT AS hits,
        coalesce(sum(hits) FILTER (verdict = 'verified'), 0)::BIGINT AS verified_hits,
        coalesce(sum(hits) FILTER (verdict = 'impostor'), 0)::BIGINT AS impostor_hits,
        coalesce(sum(hits) FILTER (counts), 0)::BIGINT AS page_hits,
        coalesce(sum(wasted) FILTER (counts), 0)::BIGINT AS wasted_hits,
        coalesce(sum(hits) FILTER (counts AND NOT is_listed), 0)::BIGINT AS unlisted_hits,
        coalesce(sum(redirected) FILTER (counts), 0)::BIGINT AS redirect_hits,
        coalesce(sum(hits) FILTER (counts AND NOT is_listed AND has_parameters), 0)::BIGINT AS parameter_hits,
        coalesce(sum(hits) FILTER (is_allowed), 0)::BIGINT AS allowed_hits,
        coalesce(sum(refused) FILTER (is_allowed), 0)::BIGINT AS refused_hits,
        min(url) FILTER (is_allowed AND refused > 0) AS refused_url
    FROM requests GROUP BY agent
)
SELECT row_number() OVER (ORDER BY hits DESC, agent) - 1 AS number, {{first}} AS document_id, agent,
    coalesce(operator, '') AS operator, coalesce(purpose, '') AS purpose, hits, verified_hits, impostor_hits, page_hits,
    wasted_hits, unlisted_hits, redirect_hits, parameter_hits, wasted_hits / nullif(page_hits, 0) AS wasted_share,
    allowed_hits, refused_hits, refused_url, (SELECT count(*) FROM log_listed) AS listed,
    coalesce(fetched, 0) AS fetched, (SELECT count(lastmod_at) FROM log_listed) AS dated, coalesce(fresh, 0) AS fresh,
    delay_days, coalesce(delay_urls, 0) AS delay_urls, coalesce(delay_is_estimate, false) AS delay_is_estimate,
    {{period}}
FROM counted LEFT JOIN covered USING (agent) LEFT JOIN delay_of USING (agent)
"""

_SITEMAPS = f"""
WITH engines AS (
    SELECT DISTINCT site, operator AS engine FROM log_crawled
    WHERE verdict <> 'impostor' AND purpose = 'search' AND operator IN {sql_list(SITEMAP_READERS)}
        AND page_hash NOT IN (SELECT page_hash FROM log_documents)
), requested AS (
    SELECT c.page_hash, c.operator AS engine, sum(hits)::BIGINT AS hits, max(last_at) AS last_at
    FROM log_crawled AS c WHERE verdict <> 'impostor' GROUP BY ALL
)
SELECT row_number() OVER (ORDER BY d.document_id, e.engine) - 1 AS number, d.document_id, d.url, e.engine,
    coalesce(r.hits, 0) AS hits, r.last_at,
    date_diff('second', coalesce(r.last_at, {{start}}), {{end}}) / 86400.0 AS days, {{period}}
FROM log_documents AS d JOIN engines AS e ON e.site = d.site
LEFT JOIN requested AS r ON r.page_hash = d.page_hash AND r.engine = e.engine
WHERE d.is_sitemap
"""

_TEMPORARY = (
    "log_listed", "log_documents", "log_agents", "log_robots", "log_targets", "log_blocked", "log_crawled",
)  # fmt: skip


class LogPeriod(Struct, frozen=True):
    """What the access logs in a store cover.

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
        [(start, end)] = store.connection.execute(
            f"SELECT min(first_at), max(last_at) FROM {LOG_FILES.name} WHERE site IS NULL OR site IN "
            f"(SELECT {_SITE} FROM {URLS.name} WHERE {RUN_ID} = {run_id:d} AND host IS NOT NULL)"
        ).fetchall()
        if start is None:
            return None
        days = (end - start).total_seconds() / 86_400
        name = f"{start:%Y-%m-%d} to {end:%Y-%m-%d}"
        columns = f"{text_literal(name)} AS period, {days!r}::DOUBLE AS period_days"
        return cls(f"TIMESTAMP '{start}'", f"TIMESTAMP '{end}'", columns)


class LogTables:
    """Compares the access logs in a store with one of its runs. The temporary tables are dropped at the end."""

    def __init__(self, store: Store, run: Run, period: LogPeriod) -> None:
        self._store = store
        self._run = run
        self._where = f"{RUN_ID} = {run.run_id:d}"
        self._period = period

    def store(self) -> None:
        """Replace the rows of the run in `log_urls`, `log_crawlers`, and `log_sitemaps`."""
        self._store.connection.execute(f"SET memory_limit = '{MEMORY}'")
        with self._run.writing() as connection:
            self._prepare(connection)
            [(first,)] = connection.execute(
                f"SELECT coalesce(min(document_id), 0) FROM {DOCUMENTS.name} WHERE {self._where}"
            ).fetchall()
            # log_crawlers is made from log_urls.
            for table, statement in ((LOG_URLS, _URLS), (LOG_CRAWLERS, _CRAWLERS), (LOG_SITEMAPS, _SITEMAPS)):
                names = listed(table.column_names)
                filled = statement.format(
                    first=f"{first:d}",
                    run=self._where,
                    start=self._period.start,
                    end=self._period.end,
                    period=self._period.columns,
                )
                connection.execute(f"DELETE FROM {table.name} WHERE {self._where}")
                connection.execute(
                    f"INSERT INTO {table.name} ({RUN_ID}, {names}) SELECT {self._run.run_id:d}, {names} FROM ({filled})"
                )
            for name in _TEMPORARY:
                connection.execute(f"DROP TABLE IF EXISTS {name}")
        self._run.settle()

    def _prepare(self, connection: duckdb.DuckDBPyConnection) -> None:
        connection.execute("CREATE OR REPLACE TEMP TABLE log_agents (agent VARCHAR, operator VARCHAR, purpose VARCHAR)")
        connection.executemany(
            "INSERT INTO log_agents VALUES ($1, $2, $3)",
            [[agent.name, agent.operator, agent.purpose.value] for agent in KNOWN_AGENTS],
        )
        self._add_listed(connection)
        self._add_documents(connection)
        self._add_robots(connection)
        connection.execute(_CRAWLED)

    def _add_listed(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Fill log_listed: each listed URL once, as its first entry."""
        _create_hashes(connection, "log_hashes")
        add_hashes(
            connection,
            "log_hashes",
            f"SELECT document_id, ordinal, loc AS url FROM {URLS.name} WHERE {self._where} AND loc_problem IS NULL "
            "AND scheme IN ('http', 'https') AND host IS NOT NULL",
        )
        connection.execute(
            "CREATE OR REPLACE TEMP TABLE log_listed AS "
            "SELECT h.page_hash, u.loc AS url, u.document_id, u.ordinal, coalesce(u.loc_line, u.line) AS line, "
            f"coalesce(u.loc_col, u.col) AS col, u.lastmod_at, {_SITE} AS site "
            f"FROM {URLS.name} AS u JOIN log_hashes AS h ON h.document_id = u.document_id AND h.ordinal = u.ordinal "
            f"WHERE u.{self._where} "
            "QUALIFY row_number() OVER (PARTITION BY h.page_hash ORDER BY u.document_id, u.ordinal) = 1"
        )
        connection.execute("DROP TABLE log_hashes")

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

    def _add_robots(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Fill log_robots with the sites whose robots.txt is known, and log_blocked with what it blocks for whom."""
        connection.execute("CREATE OR REPLACE TEMP TABLE log_robots (site VARCHAR)")
        connection.execute("CREATE OR REPLACE TEMP TABLE log_blocked (page_hash BIGINT, agent VARCHAR)")
        agents = [agent.name for agent in KNOWN_AGENTS if agent.fetches]
        for document_id, robots in kept_robots(self._store, self._run.run_id):
            origin = None if robots.url is None else origin_of(robots.url)
            if origin is None or robots.availability is Availability.UNREACHABLE:
                continue
            connection.execute("INSERT INTO log_robots VALUES ($1)", [origin.url])
            if robots.availability is not Availability.READ:
                continue
            connection.execute(
                "CREATE OR REPLACE TEMP TABLE log_targets AS "
                "SELECT 0::INTEGER AS document_id, (row_number() OVER () - 1)::INTEGER AS ordinal, page_hash, "
                "min(url) AS loc, $1::VARCHAR AS scheme, $2::VARCHAR AS host, $3::INTEGER AS port "
                f"FROM {CRAWLS.name} WHERE site = $4 AND verdict = 'verified' GROUP BY page_hash",
                [origin.scheme, origin.host, origin.port, origin.url],
            )
            self._add_blocked(connection, robots, agents, document_id)

    def _add_blocked(
        self, connection: duckdb.DuckDBPyConnection, robots: Robots, agents: Sequence[str], document_id: int
    ) -> None:
        """Add to log_blocked what a robots.txt blocks of log_targets."""
        first = 0
        while True:
            some = connection.sql(
                "SELECT document_id, ordinal, 1::INTEGER AS line, 1::INTEGER AS col, loc, NULL::INTEGER AS loc_line, "
                "NULL::INTEGER AS loc_col, scheme, host, port FROM log_targets "
                f"WHERE ordinal >= {first:d} AND ordinal < {first + URLS_AT_ONCE:d}"
            )
            tables = list(_core.Table.stream(some, URLS_AT_ONCE))
            if not sum(table.num_rows for table in tables):
                return
            for table in tables:
                blocked = robots.forbidden(table, agents, document_id)
                connection.execute(
                    "INSERT INTO log_blocked SELECT t.page_hash, b.agent FROM ("
                    "SELECT unnest($1::INTEGER[]) AS ordinal, unnest($2::VARCHAR[]) AS agent"
                    ") AS b JOIN log_targets AS t ON t.ordinal = b.ordinal",
                    [blocked.column("ordinal"), blocked.column("agent")],
                )
            first += URLS_AT_ONCE


def _create_hashes(connection: duckdb.DuckDBPyConnection, name: str) -> None:
    """Create a table for `add_hashes`."""
    connection.execute(f"CREATE OR REPLACE TEMP TABLE {name} (document_id INTEGER, ordinal INTEGER, page_hash BIGINT)")
