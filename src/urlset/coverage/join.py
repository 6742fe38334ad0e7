"""Joins what is known about each listed URL: requests of crawlers, the page, and the report of a search engine.

The temporary tables have a row per listed URL; DuckDB writes what exceeds its memory limit to its temporary folder.
What is not known stays null.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Self

from urlset.coverage.index_states import engines_with_reports
from urlset.engine.rule_sql import SQL_TYPES, identifier_list, quote
from urlset.engine.run_views import RunViews
from urlset.model.coverage import BING, GOOGLE, Funnel, FunnelRow, ReasonCount, Step
from urlset.store.file import RUN_ID, utc
from urlset.store.possible import POSSIBLE_REPORT, future_reports
from urlset.store.sites import site_of_url
from urlset.store.url_hashes import add_hashes, add_page_hashes
from urlset.tables import COVERAGE, CRAWLS, CUTS, DOCUMENTS, INDEX_STATES, LOG_FILES, SITEMAP_FETCHES, URLS
from urlset.web.agents import KNOWN_AGENTS, Purpose

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from urlset.options.coverage import By
    from urlset.store.file import Store

MEMORY = "256MB"
"""Memory limit of DuckDB for these queries."""

_OPERATORS = {GOOGLE: "Google", BING: "Microsoft"}

SITE = "regexp_extract({url}, '^[A-Za-z]+://([^/?#]+)', 1)"
SECTION = "regexp_extract({url}, '^[A-Za-z]+://([^/?#]*/(?:[^/?#]*/)?)', 1)"

# Where a URL has no section; a second regular expression on every URL would take long.
_SITE_WITHOUT_SECTION = f"CASE WHEN {SECTION} = '' THEN {SITE} END"

_ENTRIES = f"""
CREATE OR REPLACE TEMP TABLE coverage_entries AS
SELECT document_id, ordinal, line, col, loc AS url, '' AS section, '' AS site, loc_hash AS page_hash
FROM {URLS.name} WHERE false
"""

_LISTED = f"""
SELECT document_id, ordinal, coalesce(loc_line, line), coalesce(loc_col, col), loc, {SECTION.format(url="loc")},
    {_SITE_WITHOUT_SECTION.format(url="loc")}, loc AS url
FROM {URLS.name} WHERE {{run}} AND loc IS NOT NULL AND loc_problem IS NULL AND scheme IN ('http', 'https')
"""

# A later report without a state does not undo an earlier one with a state.
_STATES = f"""
CREATE OR REPLACE TEMP TABLE coverage_states AS
SELECT * EXCLUDE (last_crawled), max(last_crawled) OVER (PARTITION BY page_hash) AS last_crawled
FROM {INDEX_STATES.name}
WHERE engine = $1 AND {POSSIBLE_REPORT}
QUALIFY row_number() OVER (
    PARTITION BY page_hash ORDER BY state IS NULL, "at" DESC, source = 'url-inspection' DESC, canonical IS NULL
) = 1
"""

_FETCHES = f"""
CREATE OR REPLACE TEMP TABLE coverage_fetches AS
SELECT page_hash, bool_or(verdict = 'verified') AS is_verified FROM {CRAWLS.name}
WHERE verdict <> 'impostor' AND agent IN (SELECT unnest($1::VARCHAR[])) GROUP BY page_hash
"""

# A host whose logs have no request of any crawler was probably not in the logs.
_LOGGED = f"""
CREATE OR REPLACE TEMP TABLE coverage_logged AS
SELECT {SITE.format(url="site")} AS host FROM {CRAWLS.name} UNION
SELECT {SITE.format(url="site")} FROM {SITEMAP_FETCHES.name}
"""

# Most pages are listed once.
_REPEATED = """
CREATE OR REPLACE TEMP TABLE coverage_repeated AS
SELECT rowid AS entry FROM coverage_entries
WHERE page_hash IN (SELECT page_hash FROM coverage_entries GROUP BY page_hash HAVING count(*) > 1)
QUALIFY row_number() OVER (PARTITION BY page_hash ORDER BY document_id, ordinal) > 1
"""

# Without the text of URLs, which only rows with a report need.
_JOIN = f"""
CREATE OR REPLACE TEMP TABLE coverage_urls AS
WITH firsts AS (
    SELECT * FROM (SELECT * EXCLUDE (url), rowid AS entry FROM coverage_entries) ANTI JOIN coverage_repeated
        USING (entry)
), pages_of_run AS (
    SELECT page_hash, bool_or(is_indexable) AS is_indexable FROM ({{pages}}) AS p GROUP BY page_hash
), hosts AS (
    SELECT DISTINCT coalesce(site, split_part(section, '/', 1)) AS site FROM coverage_entries
), first_document AS (
    SELECT min(document_id) AS document_id FROM {DOCUMENTS.name} WHERE {{run}}
), located AS (
    SELECT f.document_id, f.ordinal, f.line, f.col, f.entry, coalesce(f.page_hash, s.page_hash) AS page_hash,
        f.page_hash IS NOT NULL AS has_entry, coalesce(f.section, {SECTION.format(url="s.url")}) AS section,
        coalesce(f.site, nullif(split_part(f.section, '/', 1), ''), {SITE.format(url="s.url")}) AS site,
        s.* EXCLUDE (page_hash)
    FROM firsts AS f FULL JOIN coverage_states AS s ON s.page_hash = f.page_hash
)
SELECT coalesce(e.document_id, (SELECT document_id FROM first_document), 0) AS document_id, e.ordinal, e.line, e.col,
    e.entry, e.url, e.page_hash, e.section, e.site,
    CASE WHEN has_entry THEN true WHEN {{complete}} THEN false END AS is_listed,
    CASE
        WHEN c.page_hash IS NOT NULL OR e.last_crawled IS NOT NULL THEN true
        WHEN e.reason IN ('discovered-not-indexed', 'unknown-to-engine') OR l.host IS NOT NULL THEN false
    END AS is_fetched,
    p.is_indexable,
    e.state = 'indexed' AS is_indexed,
    e.* EXCLUDE (document_id, ordinal, line, col, entry, url, page_hash, has_entry, section, site),
    CASE WHEN e.sitemaps IS NOT NULL THEN i.is_in_sitemaps END AS is_in_sitemaps
FROM located AS e
LEFT JOIN coverage_inspected AS i ON i.page_hash = e.page_hash
LEFT JOIN coverage_fetches AS c ON c.page_hash = e.page_hash
LEFT JOIN coverage_logged AS l ON l.host = e.site
LEFT JOIN pages_of_run AS p ON p.page_hash = e.page_hash
WHERE has_entry OR e.site IN (SELECT site FROM hosts)
"""

# Materialized, so that the join has the few rows with a report on the side that it keeps in memory.
_JUDGED = """
CREATE OR REPLACE TEMP TABLE coverage_judged AS
WITH reported AS MATERIALIZED (
    FROM coverage_urls WHERE engine IS NOT NULL
), listed AS MATERIALIZED (
    SELECT rowid AS entry, url FROM coverage_entries WHERE rowid IN (SELECT entry FROM reported)
)
SELECT row_number() OVER (ORDER BY c.ordinal IS NULL, c.document_id, c.ordinal, c.page_hash) - 1 AS number,
    c.* REPLACE (coalesce(listed.url, c.url) AS url)
FROM reported AS c LEFT JOIN listed USING (entry)
"""

# Each document under its own URLs, and under those of the indexes above it. A file that was not fetched has no URL to
# compare with.
_SITEMAPS = f"""
WITH RECURSIVE above AS (
    SELECT document_id, document_id AS other_id FROM {DOCUMENTS.name} WHERE {{run}}
    UNION
    SELECT a.document_id, d.parent_id FROM above AS a
    JOIN {DOCUMENTS.name} AS d ON d.document_id = a.other_id WHERE {{run}} AND d.parent_id IS NOT NULL
)
SELECT DISTINCT document_id, url FROM (
    SELECT a.document_id, unnest([d.url, d.final_url]) AS url FROM above AS a
    JOIN {DOCUMENTS.name} AS d ON d.document_id = a.other_id WHERE {{run}})
WHERE url ILIKE 'http%'
"""

_REPORTED = """
CREATE OR REPLACE TEMP TABLE coverage_named AS SELECT page_hash, unnest(sitemaps) AS url FROM coverage_states;
CREATE OR REPLACE TEMP TABLE coverage_reported (page_hash BIGINT, sitemap_hash BIGINT)
"""

_INSPECTED = """
CREATE OR REPLACE TEMP TABLE coverage_inspected AS
SELECT e.page_hash, bool_or(r.sitemap_hash IS NOT NULL) AS is_in_sitemaps
FROM (
    FROM coverage_entries WHERE page_hash IN (SELECT page_hash FROM coverage_states WHERE sitemaps IS NOT NULL)
) AS e
JOIN coverage_sitemaps AS m ON m.document_id = e.document_id
LEFT JOIN coverage_reported AS r ON r.page_hash = e.page_hash AND r.sitemap_hash = m.sitemap_hash
GROUP BY e.page_hash
"""

# As for the rule on missing home pages: a single sitemap that was given may be one of many.
_MISSING = f"""
SELECT (SELECT count(*) FROM {CUTS.name} WHERE {{run}} AND kind IN ('depth-limit', 'document-limit', 'byte-limit'))
    + (SELECT count(*) FROM {DOCUMENTS.name} WHERE {{run}} AND kind IS DISTINCT FROM 'robots' AND (
        error IS NOT NULL AND coalesce(http_status, 0) NOT IN (404, 410) OR error_kind IS NOT NULL
        OR NOT coalesce(complete, true)
        OR found_by = 'given' AND NOT regexp_matches(
            site_path, CASE WHEN kind = 'sitemapindex' THEN '^/[^/]*$' ELSE '^/sitemap[.](xml|txt)([.]gz)?$' END
        )
    ))
"""

_COUNTS = """
count(*),
count(*) FILTER (is_fetched), count(*) FILTER (NOT is_fetched), count(*) FILTER (is_fetched IS NULL),
count(*) FILTER (is_indexable), count(*) FILTER (NOT is_indexable), count(*) FILTER (is_indexable IS NULL),
count(*) FILTER (is_indexed), count(*) FILTER (NOT is_indexed), count(*) FILTER (is_indexed IS NULL)
"""

_ROWS = {
    "section": f"SELECT section AS name, {_COUNTS} FROM coverage_urls WHERE ordinal IS NOT NULL GROUP BY section",
    "document": f"""SELECT d.url AS name, {_COUNTS}
FROM (SELECT DISTINCT document_id, page_hash FROM coverage_entries) AS o
JOIN coverage_urls AS c ON c.page_hash = o.page_hash
JOIN {DOCUMENTS.name} AS d ON d.document_id = o.document_id
WHERE {{run}} GROUP BY o.document_id, d.url""",
}


class Coverage:
    """The data on the URLs of a run, to be opened with `open`. Its temporary tables end with the connection.

    Args:
        store: The store, open for reading.
        engine: The search engine; None for google if it has reports, otherwise the first one.
    """

    def __init__(self, store: Store, run_id: int, engine: str | None = None) -> None:
        self._has_states, self._has_logs = store.has_table(INDEX_STATES.name), store.has_table(CRAWLS.name)
        self._store = store.share()
        self._connection = self._store.connection
        self._run_id = run_id
        self._run = f"{RUN_ID} = {run_id:d}"
        self.engines = engines_with_reports(store)
        self.engine = engine or (GOOGLE if GOOGLE in self.engines else next(iter(self.engines), None))
        self.crawlers = crawlers_of(self.engine)
        self._is_complete = self._all_read()
        self._prepare()

    @classmethod
    @contextmanager
    def open(cls, store: Store, run_id: int, engine: str | None = None) -> Iterator[Self]:
        """Join the data, and yield it; the store has less memory in the block, and as much as before after it."""
        with store.holding(MEMORY):
            yield cls(store, run_id, engine)

    def tables(self) -> RunViews:
        """Return the table `coverage` for rules: its rows with a report, since no rule applies to others.

        Their connection is this one, which has no other use then.
        """
        self._connection.execute(_JUDGED)
        names = identifier_list(COVERAGE.column_names)
        return RunViews(self._connection, {COVERAGE.name: f"SELECT {names} FROM coverage_judged"})

    def funnel(self, by: By, limit: int) -> Funnel:
        """Return how far the listed URLs get.

        Args:
            by: What the rows are.
            limit: Maximum number of rows; 0 for all.
        """
        [(name, *total)] = self._store.rows(f"SELECT '', {_COUNTS} FROM coverage_urls WHERE ordinal IS NOT NULL")
        rows = self._store.rows(_ROWS[by].format(run=self._run) + " ORDER BY 2 DESC, 1")
        first_rows = rows[:limit] if limit else rows
        [(oldest, newest)] = self._store.rows(
            'SELECT min("at"), max("at") FROM coverage_urls WHERE ordinal IS NOT NULL'
        )
        [(indexed_only,)] = self._store.rows("SELECT count(*) FROM coverage_urls WHERE is_indexed AND NOT is_listed")
        [(reported,)] = self._store.rows("SELECT count(*) FROM coverage_states")
        [(here,)] = self._store.rows("SELECT count(*) FROM coverage_urls WHERE engine IS NOT NULL")
        reasons = self._store.rows(
            "SELECT coalesce(reason, reason_text, state, ''), count(*) FROM coverage_urls "
            "WHERE ordinal IS NOT NULL AND engine IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1"
        )
        [(hosts,)] = self._store.rows(
            "SELECT count(DISTINCT host) FROM coverage_logged "
            "WHERE host IN (SELECT site FROM coverage_urls WHERE ordinal IS NOT NULL)"
        )
        [(requested, verified)] = self._store.rows(
            "SELECT count(*), count(*) FILTER (f.is_verified) FROM coverage_urls AS c "
            "JOIN coverage_fetches AS f ON f.page_hash = c.page_hash WHERE c.ordinal IS NOT NULL"
        )
        return Funnel(
            engine=self.engine if self.engine in self.engines else None,
            engines=self.engines,
            crawlers=self.crawlers,
            total=_row(name, total),
            by=by,
            rows=tuple(_row(name, counts) for name, *counts in first_rows),
            more_rows=len(rows) - len(first_rows),
            reasons=tuple(ReasonCount(reason or None, count) for reason, count in reasons),
            oldest=oldest and utc(oldest),
            newest=newest and utc(newest),
            logs=self._period(),
            logged_hosts=hosts,
            requested=requested,
            verified=verified,
            unlisted=indexed_only if self._is_complete else None,
            elsewhere=reported - here,
            future=future_reports(self._store, self.engine),
        )

    def _prepare(self) -> None:
        execute = self._connection.execute
        execute(_ENTRIES)
        add_hashes(self._connection, "coverage_entries", _LISTED.format(run=self._run))
        execute("CREATE OR REPLACE TEMP TABLE coverage_sitemaps (document_id INTEGER, sitemap_hash BIGINT)")
        add_hashes(self._connection, "coverage_sitemaps", _SITEMAPS.format(run=self._run))
        self._prepare_reports()
        execute(_REPEATED)
        execute(_REPORTED)
        add_page_hashes(self._connection, "coverage_reported", "coverage_named", "page_hash")
        execute(_INSPECTED)
        complete = "true" if self._is_complete else "false"
        execute(_JOIN.format(run=self._run, complete=complete, pages=self._store.pages(self._run_id)))

    def _prepare_reports(self) -> None:
        """Create the tables of the reports and the logs, which an older store lacks."""
        execute = self._connection.execute
        if self._has_states:
            execute(_STATES, [self.engine])
        else:
            columns = ", ".join(
                f"NULL::{SQL_TYPES[column.type]} AS {quote(column.name)}" for column in INDEX_STATES.columns
            )
            execute(f"CREATE OR REPLACE TEMP TABLE coverage_states AS SELECT {columns} WHERE false")
        if self._has_logs:
            execute(_FETCHES, [list(self.crawlers)])
            execute(_LOGGED)
        else:
            execute("CREATE OR REPLACE TEMP TABLE coverage_fetches (page_hash BIGINT, is_verified BOOLEAN)")
            execute("CREATE OR REPLACE TEMP TABLE coverage_logged (host VARCHAR)")

    def _all_read(self) -> bool:
        """Return whether the run has every sitemap of the site, so that a URL that is in none of them is not listed."""
        [(missing,)] = self._store.rows(_MISSING.format(run=self._run))
        return not missing

    def _period(self) -> tuple[datetime, datetime] | None:
        if not self._has_logs:
            return None
        [(first, last)] = self._store.rows(f"SELECT min(first_at), max(last_at) FROM {LOG_FILES.name}")
        if first is None:
            [(first, last)] = self._store.rows(f"SELECT min(first_at), max(last_at) FROM {CRAWLS.name}")
        return None if first is None else (utc(first), utc(last))


def has_reports(store: Store) -> bool:
    """Return whether a store has reports of search engines, or requests from access logs."""
    if engines_with_reports(store):
        return True
    if not store.has_table(CRAWLS.name):
        return False
    return bool(store.rows(f"SELECT 1 FROM {CRAWLS.name} LIMIT 1"))


def known_hosts(store: Store) -> frozenset[str]:
    """Return the sites that access logs and reports of search engines in a store are about."""
    queries = []
    if store.has_table(INDEX_STATES.name):
        queries.append(f"SELECT DISTINCT {SITE.format(url='url')} AS host FROM {INDEX_STATES.name}")
    if store.has_table(CRAWLS.name):
        queries.append(f"SELECT DISTINCT {SITE.format(url='site')} AS host FROM {CRAWLS.name}")
    if not queries:
        return frozenset()
    rows = store.rows(" UNION ".join(queries))
    return frozenset(site for (host,) in rows if (site := site_of_url(f"https://{host}")) is not None)


def crawlers_of(engine: str | None) -> tuple[str, ...]:
    """Return the crawlers whose requests count for a search engine; for an unknown one, all search crawlers."""
    operator = _OPERATORS.get(engine or "")
    return tuple(
        agent.name
        for agent in KNOWN_AGENTS
        if agent.fetches and agent.purpose is Purpose.SEARCH and operator in (None, agent.operator)
    )


def _row(name: str, counts: Sequence[int]) -> FunnelRow:
    return FunnelRow(name, counts[0], Step(*counts[1:4]), Step(*counts[4:7]), Step(*counts[7:10]))
