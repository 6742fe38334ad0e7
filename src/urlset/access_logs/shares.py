"""Compares access logs with the listed URLs of a run, share by share, for `log_tables.py`.

DuckDB cannot move texts and lists that an aggregation holds to disk: with 5,500,000 rows of `crawls`, the limit of
192 MB was too low (measured). The requests are therefore taken by a hash of their URL, few enough to fit into memory,
and what remains of each share goes to temporary tables without an aggregation. Listed URLs are only joined, once those
that were requested with each share, and the others at the end.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from urlset.database.connections import batches
from urlset.net.origin import origin_of
from urlset.net.status import IS_REDIRECT
from urlset.rules.queries import sql_list
from urlset.store.hash_ranges import HASHES, between, ranges, row_count
from urlset.store.url_hashes import URLS_AT_ONCE
from urlset.tables import CRAWLS
from urlset.web.agents import KNOWN_AGENTS, Purpose
from urlset.web.robots_txt import Availability

if TYPE_CHECKING:
    from collections.abc import Sequence

    import _duckdb as duckdb

    from urlset.web.robots_txt import Robots

ROWS_IN_SHARE = 2_000_000
"""Approximate number of rows to take out of `crawls` and to sort by hash at once: all rows are read for each share."""

BYTES_PER_ROW = 2_200
"""Memory to compare a row of `crawls`, in bytes (measured), by which the number of rows to compare at once follows the
memory limit."""

SITEMAP_READERS = ("Google", "Microsoft", "Yandex")
"""The search engines that document how they use sitemaps, by company."""

OBEDIENT = frozenset({Purpose.SEARCH, Purpose.AI_SEARCH, Purpose.AI_TRAINING})
"""Purposes of crawlers that are expected to obey robots.txt."""

NOT_PAGES = (
    "avif", "bmp", "css", "csv", "eot", "gif", "gz", "ico", "jpeg", "jpg", "js", "json", "map", "mjs", "mp3", "mp4",
    "ogg", "otf", "png", "rss", "svg", "ttf", "txt", "wasm", "webm", "webmanifest", "webp", "woff", "woff2", "xml",
    "zip", "zst",
)  # fmt: skip
"""Extensions of files that are not pages, in lowercase."""

_KIND_OF_URL = f"""
contains(url, '?') AS has_parameters,
    NOT regexp_matches(url, '^[^?#]*[.]({"|".join(NOT_PAGES)})([?#]|$)', 'i')
    AND page_hash NOT IN (SELECT page_hash FROM log_documents) AS is_page
"""

_CRAWLED = f"""
CREATE OR REPLACE TEMP TABLE log_crawled AS
WITH by_status AS (
    SELECT page_hash, agent, verdict, unnest(statuses) AS status, unnest(status_hits) AS hits FROM log_requests
), counted AS (
    SELECT page_hash, agent, verdict,
        coalesce(sum(hits) FILTER (status BETWEEN 200 AND 299 OR status = 304), 0)::BIGINT AS good,
        coalesce(sum(hits) FILTER (status {IS_REDIRECT}), 0)::BIGINT AS redirected,
        coalesce(sum(hits) FILTER (status IN (403, 429)), 0)::BIGINT AS refused,
        coalesce(sum(hits) FILTER (status >= 400), 0)::BIGINT AS failed,
        list_sort(list_distinct(list(status) FILTER (status >= 400 AND status NOT IN (403, 429)))) AS failures,
        list_sort(list_distinct(list(status) FILTER (status >= 400))) AS all_failures
    FROM by_status GROUP BY page_hash, agent, verdict
), requested AS (
    SELECT page_hash, agent, verdict, min(site) AS site, min(url) AS url, min(first_at) AS first_at,
        max(last_at) AS last_at, sum(hits)::BIGINT AS hits
    FROM log_requests GROUP BY page_hash, agent, verdict
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
_OF_SHARE = f"""
CREATE OR REPLACE TEMP TABLE log_of_share AS
WITH requested AS (
    SELECT page_hash, min(url) AS url, min(site) AS site, sum(hits)::BIGINT AS hits, sum(good)::BIGINT AS good_hits,
        sum(redirected)::BIGINT AS redirect_hits,
        coalesce(sum(hits) FILTER (purpose = 'search'), 0)::BIGINT AS search_hits,
        max(last_at) FILTER (purpose = 'search') AS searched_at,
        coalesce(sum(hits) FILTER (verdict = 'verified'), 0)::BIGINT AS verified_hits,
        coalesce(sum(CASE WHEN has_robots THEN failed - refused ELSE failed END)
            FILTER (verdict = 'verified'), 0)::BIGINT AS error_hits,
        nullif(array_to_string(list_sort(list_distinct(flatten(
            list(CASE WHEN has_robots THEN failures ELSE all_failures END) FILTER (verdict = 'verified' AND
                (CASE WHEN has_robots THEN failures ELSE all_failures END) IS NOT NULL)
        ))), ', '), '') AS error_statuses,
        nullif(array_to_string(list_sort(list(agent) FILTER (
            verdict = 'verified' AND CASE WHEN has_robots THEN failed > refused ELSE failed > 0 END
        )), ', '), '') AS error_agents,
        coalesce(sum(hits) FILTER (verdict = 'verified' AND is_forbidden), 0)::BIGINT AS blocked_hits,
        nullif(array_to_string(list_sort(list(agent) FILTER (verdict = 'verified' AND is_forbidden)), ', '), '')
            AS blocked_agents
    FROM log_crawled WHERE verdict <> 'impostor' GROUP BY page_hash
), joined AS (
    SELECT l.document_id, l.ordinal, l.line, l.col, coalesce(l.url, r.url) AS url, r.page_hash,
        coalesce(l.site, r.site) AS site, l.url IS NOT NULL AS is_listed, l.lastmod_at,
        r.* EXCLUDE (url, site, page_hash)
    FROM requested AS r LEFT JOIN log_listed AS l ON l.page_hash = r.page_hash
)
SELECT *, {_KIND_OF_URL} FROM joined
"""

_NOT_REQUESTED = f"""
INSERT INTO log_compared BY NAME
SELECT *, true AS is_listed, {_KIND_OF_URL} FROM log_listed ANTI JOIN log_compared USING (page_hash)
"""

_FETCHED = """
CREATE OR REPLACE TEMP TABLE log_fetched AS
SELECT c.agent, c.page_hash, u.lastmod_at, min(c.first_at) AS first_at, max(c.last_at) AS last_at, sum(c.hits) AS hits
FROM log_crawled AS c JOIN log_of_share AS u ON u.page_hash = c.page_hash
WHERE u.is_listed AND c.verdict <> 'impostor' GROUP BY ALL
"""

_COUNTED = """
WITH requests AS (
    SELECT c.*, u.is_page AND verdict <> 'impostor' AS counts, u.is_listed, u.has_parameters,
        CASE WHEN NOT u.is_listed THEN c.hits ELSE c.redirected END AS wasted,
        verdict = 'verified' AND has_robots AND NOT is_blocked AS is_allowed
    FROM log_crawled AS c LEFT JOIN log_of_share AS u ON u.page_hash = c.page_hash
), covered AS (
    SELECT agent, count(*) AS fetched, count(*) FILTER (last_at >= lastmod_at) AS fresh FROM log_fetched GROUP BY agent
), counted AS (
    SELECT agent, min(operator) AS operator, min(purpose) AS purpose,
        sum(hits) FILTER (verdict <> 'impostor') AS hits, sum(hits) FILTER (verdict = 'verified') AS verified_hits,
        sum(hits) FILTER (verdict = 'impostor') AS impostor_hits, sum(hits) FILTER (counts) AS page_hits,
        sum(wasted) FILTER (counts) AS wasted_hits, sum(hits) FILTER (counts AND NOT is_listed) AS unlisted_hits,
        sum(redirected) FILTER (counts) AS redirect_hits,
        sum(hits) FILTER (counts AND NOT is_listed AND has_parameters) AS parameter_hits,
        sum(hits) FILTER (is_allowed) AS allowed_hits, sum(refused) FILTER (is_allowed) AS refused_hits,
        min(url) FILTER (is_allowed AND refused > 0) AS refused_url
    FROM requests GROUP BY agent
)
SELECT * FROM counted LEFT JOIN covered USING (agent)
"""

_DELAYS = """
SELECT agent,
    CASE WHEN first_at >= lastmod_at THEN date_diff('second', lastmod_at, first_at)
        ELSE least(date_diff('second', lastmod_at, last_at), date_diff('second', first_at, last_at) / (hits - 1))
        END / 86400.0 AS delay,
    first_at < lastmod_at AND hits > 2 AS is_estimate
FROM log_fetched WHERE lastmod_at >= {start} AND last_at >= lastmod_at
"""

_SEARCHED = f"""
SELECT DISTINCT site, CASE WHEN operator IN {sql_list(SITEMAP_READERS)}
    AND page_hash NOT IN (SELECT page_hash FROM log_documents) THEN operator END AS engine
FROM log_crawled WHERE verdict <> 'impostor' AND purpose = 'search'
"""

_READ = """
SELECT page_hash, operator AS engine, sum(hits)::BIGINT AS hits, max(last_at) AS last_at
FROM log_crawled WHERE verdict <> 'impostor' AND page_hash IN (SELECT page_hash FROM log_documents) GROUP BY ALL
"""

_TARGETS = """
CREATE OR REPLACE TEMP TABLE log_targets AS
SELECT 0::INTEGER AS document_id, (row_number() OVER () - 1)::INTEGER AS ordinal, page_hash, min(url) AS loc,
    $1::VARCHAR AS scheme, $2::VARCHAR AS host, $3::INTEGER AS port
FROM log_requests WHERE site = $4 AND verdict = 'verified' GROUP BY page_hash
"""

RESULTS = {
    "log_compared": "FROM log_of_share",
    "log_counted": _COUNTED,
    "log_delays": _DELAYS,
    "log_searched": _SEARCHED,
    "log_read": _READ,
}
"""The temporary tables that stay, each with a query for the rows of a share.

`log_compared` has a row for each URL, `log_counted` the numbers of each crawler in a share, `log_delays` the time from
a change to a request, `log_searched` the sites and engines with requests of search engines, and `log_read` the requests
for documents.
"""

_OF_SHARES = ("log_share", "log_requests", "log_targets", "log_blocked", "log_crawled", "log_of_share", "log_fetched")

TEMPORARY = (*RESULTS, "log_agents", "log_robots")
"""The temporary tables that are left."""


class LogShares:
    """Fills the tables of `RESULTS`. Needs `log_listed`, `log_documents`, and `log_sites`.

    Args:
        robots: Each robots.txt of the run, with the number of its document.
        start: The earliest time in the logs, as SQL.
        memory: Memory limit of the connection, in bytes.
    """

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, robots: Sequence[tuple[int, Robots]], start: str, memory: int
    ) -> None:
        self._connection = connection
        # Each robots.txt that is known, with its site.
        self._robots = [
            (document_id, file, origin)
            for document_id, file in robots
            if file.availability is not Availability.UNREACHABLE
            and file.url is not None
            and (origin := origin_of(file.url)) is not None
        ]
        self._start = start
        self._rows_at_once = max(memory // BYTES_PER_ROW, 1)
        # With a salt, so that clients cannot choose URLs that all fall into one share.
        self._hash = f"hash(page_hash, {secrets.randbits(32):d})"
        self._is_first = True

    def compare(self) -> None:
        run = self._connection.execute
        self._add_agents()
        for share in ranges(0, HASHES, row_count(self._connection, CRAWLS.name) // ROWS_IN_SHARE + 1):
            run(
                f"CREATE OR REPLACE TEMP TABLE log_share AS SELECT *, {self._hash} AS hash FROM {CRAWLS.name} "
                f"WHERE site IN (FROM log_sites) AND {self._hash} {between(share)} ORDER BY hash"
            )
            for part in ranges(*share, row_count(self._connection, "log_share") // self._rows_at_once + 1):
                run(f"CREATE OR REPLACE TEMP TABLE log_requests AS FROM log_share WHERE hash {between(part)}")
                self._compare()
        run(_NOT_REQUESTED)
        for name in _OF_SHARES:
            run(f"DROP TABLE IF EXISTS {name}")

    def _compare(self) -> None:
        """Compare `log_requests` with the listed URLs."""
        run = self._connection.execute
        self._add_blocked_urls()
        for statement in (_CRAWLED, _OF_SHARE, _FETCHED):
            run(statement)
        for name, query in RESULTS.items():
            filled = query.format(start=self._start)
            run(
                f"CREATE OR REPLACE TEMP TABLE {name} AS {filled}" if self._is_first else f"INSERT INTO {name} {filled}"
            )
        self._is_first = False

    def _add_agents(self) -> None:
        """Fill log_agents, and log_robots with the sites whose robots.txt is known."""
        run, run_many = self._connection.execute, self._connection.executemany
        run("CREATE OR REPLACE TEMP TABLE log_agents (agent VARCHAR, operator VARCHAR, purpose VARCHAR)")
        run_many(
            "INSERT INTO log_agents VALUES ($1, $2, $3)",
            [[agent.name, agent.operator, agent.purpose.value] for agent in KNOWN_AGENTS],
        )
        run("CREATE OR REPLACE TEMP TABLE log_robots (site VARCHAR)")
        for _, _, origin in self._robots:
            run("INSERT INTO log_robots VALUES ($1)", [origin.url])

    def _add_blocked_urls(self) -> None:
        """Fill log_blocked with the URLs of `log_requests` that a robots.txt blocks, by crawler."""
        run = self._connection.execute
        run("CREATE OR REPLACE TEMP TABLE log_blocked (page_hash BIGINT, agent VARCHAR)")
        agents = [agent.name for agent in KNOWN_AGENTS if agent.fetches]
        for document_id, robots, origin in self._robots:
            if robots.availability is Availability.READ:
                run(_TARGETS, [origin.scheme, origin.host, origin.port, origin.url])
                self._add_urls_blocked_by(robots, agents, document_id)

    def _add_urls_blocked_by(self, robots: Robots, agents: Sequence[str], document_id: int) -> None:
        """Add to log_blocked what a robots.txt blocks of log_targets."""
        first = 0
        while True:
            query = (
                "SELECT document_id, ordinal, 1::INTEGER AS line, 1::INTEGER AS col, loc, NULL::INTEGER AS loc_line, "
                "NULL::INTEGER AS loc_col, scheme, host, port FROM log_targets "
                f"WHERE ordinal >= {first:d} AND ordinal < {first + URLS_AT_ONCE:d}"
            )
            tables = list(batches(self._connection, query, URLS_AT_ONCE))
            if not sum(table.num_rows for table in tables):
                return
            for table in tables:
                blocked = robots.blocked_urls(table, agents, document_id)
                self._connection.execute(
                    "INSERT INTO log_blocked SELECT t.page_hash, b.agent FROM ("
                    "SELECT unnest($1::INTEGER[]) AS ordinal, unnest($2::VARCHAR[]) AS agent"
                    ") AS b JOIN log_targets AS t ON t.ordinal = b.ordinal",
                    [blocked.column("ordinal"), blocked.column("agent")],
                )
            first += URLS_AT_ONCE
