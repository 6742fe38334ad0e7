"""Turns the links of a run into the table `linked`: for each URL of the site, the pages that link to it.

The links of a million pages do not fit in memory. Each query here reads `links` once, by hashes, and returns a row per
URL; DuckDB writes intermediate results beyond its memory limit to its temporary folder.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from urlset import _core
from urlset.engine.page_verdicts import IS_SERVED
from urlset.engine.rule_sql import identifier_list
from urlset.links.broken_anchors import store_broken_anchors
from urlset.links.crawl_selection import NAMED_ROUND, linked_urls
from urlset.model.audit import MAX_CLICKS, LinkCounts
from urlset.rules.queries import sql_list
from urlset.store.file import RUN_ID
from urlset.store.url_hashes import add_hashes, add_spelling_hashes
from urlset.tables import CRAWLED, DOCUMENTS, LINKED, LINKS, PAGES, SITEMAP_KINDS, URLS
from urlset.web.html_page import HTML_TYPES
from urlset.web.indexability import CAUSE, INVALID, OF_CONTENT, READ_BY_CAUSE, RELOADED_WORDS, PageReason, is_indexable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import _duckdb as duckdb

    from urlset.links.crawl_selection import CrawlScope
    from urlset.model.audit import Basis
    from urlset.store.file import Fields
    from urlset.store.run import Run

MAX_SCRIPTED = 0.1
"""Share of pages without text and links unless scripts run, above which it is unknown which pages are linked."""

MAX_SHOWN = 20
"""Maximum number of sections and of unlisted URLs to show."""

MIN_MEMORY, MAX_MEMORY = 96, 256
"""Memory limits of DuckDB for these queries, in MB. With 96, 5,000,000 links take no longer than with 256, and the
process takes 100 MB less; 30,000,000 take 128 (measured). A site of 300 pages takes up to 84, mostly for the blocks of
256 KB that each column of a temporary table takes."""

LINKS_PER_MB = 160_000
"""Links for which the limit is 1 MB higher."""

_TEMPORARY = (
    "link_pages",
    "link_same",
    "link_nodes",
    "link_copies",
    "link_unreached",
    "link_counts",
    "link_clicks",
    "link_listed",
    "link_listed_as",
    "link_unread",
    "link_spellings",
    "link_urls",
    "link_linked_as",
    "link_redirecting",
    "link_unnamed",
    "link_rows",
)

_IS_HTML = f"(content_type IS NULL OR lower(trim(split_part(content_type, ';', 1))) IN {sql_list(sorted(HTML_TYPES))})"

# What `build` leaves out, too: a refresh of any delay leads visitors away, and one to the page itself hides its text.
_WORTH_LISTING = (
    "not_a_page IS NULL AND coalesce(refresh_url IN (url, final_url), true) "
    f"AND NOT coalesce(words < {RELOADED_WORDS} AND (refresh_seconds < 1 OR script_url IS NOT NULL), false)"
)

# Two URLs that are requested alike are one page: the first entry stands for both. A page that was requested only since
# another names it as its canonical or language version is not part of the links.
_PAGES = f"""
CREATE OR REPLACE TEMP TABLE link_pages AS
WITH requested AS (
    SELECT true AS is_listed, document_id, ordinal, line, col,
        reason IS NOT DISTINCT FROM '{PageReason.DUPLICATE}' AS is_copy, {{page}}
    FROM {PAGES.name}
    WHERE {{run}} AND skipped IS DISTINCT FROM '{INVALID}'
    UNION ALL
    SELECT page_hash IN (SELECT page_hash FROM link_listed) OR spelling_hash IN (FROM link_listed_as),
        NULL, NULL, NULL, NULL, false, {{page}}
    FROM {CRAWLED.name}
    WHERE {{run}} AND (
        round <> {NAMED_ROUND} OR page_hash IN (
            SELECT to_hash FROM {LINKS.name} WHERE {{run}} AND to_hash IN (
                SELECT page_hash FROM {CRAWLED.name} WHERE {{run}} AND round = {NAMED_ROUND}
            )
        )
    )
)
SELECT *,
    coalesce(
        words = 0 AND coalesce(links, 0) = 0 AND has_script AND status BETWEEN 200 AND 299 AND not_a_page IS NULL, false
    ) AS needs_script
FROM requested
QUALIFY row_number() OVER (PARTITION BY page_hash ORDER BY is_listed DESC, document_id, ordinal) = 1
"""

_OF_PAGE = (
    *dict.fromkeys(
        (
            *READ_BY_CAUSE, "page_hash", "final_hash", "words", "has_script", "links", "links_skipped", "spelling_hash",
            "final_spelling_hash", "content_hash", "bytes",
        )
    ),
)  # fmt: skip

# Spellings of one page (`spelling_hash`): the host serves all of them, or redirects from one to another. One of them
# stands for the page: the listed one, if there is one. A redirect to another page, or equal content, makes no one page.
_SAME = f"""
CREATE OR REPLACE TEMP TABLE link_same AS
WITH served AS (
    SELECT page_hash, spelling_hash, coalesce(content_hash, bytes) AS content, is_listed, coalesce(len(hops), 0) AS hops
    FROM link_pages
    WHERE {IS_SERVED}
), of_page AS (
    SELECT spelling_hash, content, arg_min(page_hash, (NOT is_listed, hops, page_hash)) AS page
    FROM served GROUP BY spelling_hash, content HAVING count(*) > 1
)
SELECT s.page_hash, p.page
FROM served AS s
JOIN of_page AS p ON p.spelling_hash = s.spelling_hash AND p.content IS NOT DISTINCT FROM s.content
"""

# Linked spellings of a listed page that were not requested: to say that nothing links to the page, or that it is not
# listed, would be a guess.
_SAME_UNREAD = """
INSERT INTO link_same
WITH of_spelling AS (
    SELECT spelling_hash, min(page_hash) AS page
    FROM link_pages
    WHERE is_listed AND status BETWEEN 200 AND 299 AND page_hash NOT IN (SELECT page_hash FROM link_same)
    GROUP BY spelling_hash HAVING count(*) = 1
)
SELECT u.to_hash, p.page FROM link_spellings AS u JOIN of_spelling AS p ON p.spelling_hash = u.spelling_hash
"""

# A link to a spelling of a page counts for the page, and one to a page that redirects also for the page where it
# arrives, if that page was requested.
_NODES = """
CREATE OR REPLACE TEMP TABLE link_nodes AS
SELECT page_hash, page AS node FROM link_same WHERE page_hash <> page
UNION ALL
SELECT p.page_hash, coalesce(s.page, t.page_hash)
FROM link_pages AS p
JOIN link_pages AS t ON t.page_hash = p.final_hash
LEFT JOIN link_same AS s ON s.page_hash = t.page_hash
WHERE len(p.hops) > 0 AND coalesce(len(t.hops), 0) = 0 AND t.page_hash <> p.page_hash
    AND p.page_hash NOT IN (SELECT page_hash FROM link_same)
"""

# Pages whose links are those of another page, so that they would count twice: another spelling, or where they redirect.
_COPIES = """
CREATE OR REPLACE TEMP TABLE link_copies AS
SELECT page_hash FROM link_nodes
UNION
SELECT page_hash FROM link_pages
WHERE len(hops) > 0 AND page_hash NOT IN (SELECT page_hash FROM link_nodes UNION ALL SELECT page_hash FROM link_same)
QUALIFY row_number() OVER (PARTITION BY final_hash ORDER BY page_hash) > 1
"""

# Pages of an audited directory to which neither a home page nor a listed page leads.
_UNREACHED = f"""
CREATE OR REPLACE TEMP TABLE link_unreached AS
SELECT page_hash FROM {CRAWLED.name} WHERE {{run}} AND round >= {{unreached_round}}
"""

# A page that links to several spellings of another one counts once for it: `repeated` has what it counts too much.
_COUNTS = f"""
CREATE OR REPLACE TEMP TABLE link_counts AS
WITH counted AS (
    SELECT l.to_hash, l.from_hash, l.nofollow, l.in_main,
        coalesce(f.page, l.from_hash) <> coalesce(t.page, l.to_hash) AS is_of_other,
        l.from_hash NOT IN (SELECT page_hash FROM link_unreached) AS is_reached
    FROM {LINKS.name} AS l
    LEFT JOIN link_same AS f ON f.page_hash = l.from_hash
    LEFT JOIN link_same AS t ON t.page_hash = l.to_hash
    WHERE {{run}} AND from_hash <> to_hash AND from_hash NOT IN (SELECT page_hash FROM link_copies)
), direct AS (
    SELECT to_hash, count(*) FILTER (is_of_other) AS links,
        count(*) FILTER (is_of_other AND is_reached) AS reached_from,
        count(*) FILTER (is_of_other AND NOT nofollow) AS followed,
        count(*) FILTER (is_of_other AND in_main) AS in_main,
        coalesce(min(from_hash) FILTER (is_reached), min(from_hash)) AS first_from
    FROM counted GROUP BY to_hash
), spellings AS (
    SELECT page_hash, node FROM link_nodes UNION SELECT node, node FROM link_nodes
), repeated AS (
    SELECT s.node, count(*) FILTER (is_of_other) AS links, count(*) FILTER (is_of_other AND is_reached) AS reached_from,
        count(*) FILTER (is_of_other AND NOT nofollow) AS followed, count(*) FILTER (is_of_other AND in_main) AS in_main
    FROM counted AS c JOIN spellings AS s ON s.page_hash = c.to_hash
    WHERE s.node IN (
        SELECT node FROM spellings JOIN direct ON to_hash = page_hash GROUP BY node HAVING count(*) > 1
    )
    GROUP BY s.node, c.from_hash HAVING count(*) > 1
), arriving AS (
    SELECT to_hash, links, reached_from, followed, in_main, first_from, links AS own FROM direct
    UNION ALL
    SELECT n.node, d.links, d.reached_from, d.followed, d.in_main, NULL, 0
    FROM direct AS d JOIN link_nodes AS n ON n.page_hash = d.to_hash
    UNION ALL
    SELECT node, least(1 - links, 0), least(1 - reached_from, 0), least(1 - followed, 0), least(1 - in_main, 0), NULL, 0
    FROM repeated
)
SELECT to_hash, sum(own)::BIGINT AS own, sum(links)::BIGINT AS links, sum(reached_from)::BIGINT AS reached_from,
    sum(followed)::BIGINT AS followed, sum(in_main)::BIGINT AS in_main, min(first_from) AS first_from
FROM arriving GROUP BY to_hash
"""

_LINKED_FROM = f"""
SELECT DISTINCT coalesce(n.node, l.to_hash) AS page_hash
FROM {LINKS.name} AS l
SEMI JOIN {{pages}} AS c ON c.page_hash = l.from_hash
LEFT JOIN link_nodes AS n ON n.page_hash = l.to_hash
SEMI JOIN link_pages AS p ON p.page_hash = coalesce(n.node, l.to_hash)
WHERE {{run}}
"""

_NEXT_CLICK = f"""
INSERT INTO link_clicks
SELECT page_hash, {{clicks}}
FROM ({_LINKED_FROM.replace("{pages}", "(SELECT page_hash FROM link_clicks WHERE clicks = {clicks} - 1)")})
WHERE page_hash NOT IN (SELECT page_hash FROM link_clicks)
"""

# One statement for all further levels: a chain of 2,000 pages takes 0.2 s instead of 20 (measured).
_DEEPER = f"""
INSERT INTO link_clicks
WITH RECURSIVE deeper AS (
    SELECT page_hash FROM link_clicks WHERE clicks = {MAX_CLICKS} - 1
    UNION
    ({_LINKED_FROM.replace("{pages}", "deeper")})
)
SELECT page_hash, {MAX_CLICKS} FROM deeper WHERE page_hash NOT IN (SELECT page_hash FROM link_clicks)
"""

_URLS_OF_SITE = f"""
CREATE OR REPLACE TEMP TABLE link_urls AS
SELECT page_hash, url, is_listed, document_id, ordinal, line, col, skipped, status, error_kind, final_hash, hops,
    CASE WHEN len(hops) > 0 THEN final_url END AS redirects_to, noindex,
    canonical_is_self OR coalesce(canonical_redirects OR canonical_is_respelled, false) AS canonical_is_self,
    coalesce({is_indexable("cause")}, is_listed AND cause IN {sql_list(sorted(OF_CONTENT))}, false) AND {_IS_HTML}
        AND not_a_page IS DISTINCT FROM 'error-page' AND NOT is_copy AND (is_listed OR {_WORTH_LISTING})
        AS is_indexable,
    needs_script
FROM (SELECT *, {CAUSE} AS cause FROM link_pages)
UNION ALL
SELECT to_hash, url, false, NULL, NULL, NULL, NULL, 'unread', NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, false
FROM link_unread WHERE to_hash NOT IN (SELECT page_hash FROM link_listed)
"""

# Another spelling that the host serves, and to which more pages link than to the one that stands for the page.
_LINKED_AS = """
CREATE OR REPLACE TEMP TABLE link_linked_as AS
SELECT s.page,
    CASE WHEN max(coalesce(c.own, 0)) FILTER (is_other) > coalesce(max(c.own) FILTER (s.page_hash = s.page), 0)
        THEN arg_max(url, coalesce(c.own, 0)) FILTER (is_other) END AS linked_as
FROM (
    SELECT s.page_hash, s.page, u.url,
        u.redirects_to IS NULL AND NOT u.is_listed AND u.status IS NOT NULL AS is_other
    FROM link_same AS s JOIN link_urls AS u ON u.page_hash = s.page_hash
) AS s
LEFT JOIN link_counts AS c ON c.to_hash = s.page_hash
GROUP BY s.page
"""

_REDIRECTING = """
CREATE OR REPLACE TEMP TABLE link_redirecting AS
SELECT final_hash AS page_hash, min(url) AS url, min(len(hops)) AS redirects
FROM link_urls WHERE is_listed AND len(hops) > 0 GROUP BY final_hash
"""

_UNNAMED = "CREATE OR REPLACE TEMP TABLE link_unnamed (page_hash BIGINT, sitemap VARCHAR)"

_ADD_UNNAMED = """
INSERT INTO link_unnamed
SELECT DISTINCT coalesce(e.page, u.page_hash), $2
FROM (SELECT unnest($1::BIGINT[]) AS page_hash) AS u
LEFT JOIN link_same AS e ON e.page_hash = u.page_hash
"""

_LINKED = f"""
WITH clicks_of AS (
    SELECT page_hash, min(clicks) AS clicks FROM link_clicks GROUP BY page_hash
), first_document AS (
    SELECT min(document_id) AS document_id FROM {URLS.name} WHERE {{run}}
)
SELECT coalesce(s.document_id, f.document_id, (SELECT document_id FROM first_document), 0) AS document_id,
    CASE WHEN s.is_listed THEN s.ordinal ELSE f.ordinal END AS ordinal,
    CASE WHEN s.is_listed THEN s.line ELSE f.line END AS line,
    CASE WHEN s.is_listed THEN s.col ELSE f.col END AS col,
    s.url, s.page_hash, coalesce(e.page, s.page_hash) AS page,
    CASE WHEN EXISTS (
        SELECT 1 FROM {DOCUMENTS.name} WHERE {{run}} AND kind IN {sql_list(SITEMAP_KINDS)}
    ) THEN s.is_listed END AS is_listed,
    CASE WHEN s.is_listed THEN s.url WHEN o.is_listed THEN o.url END AS listed_as, w.linked_as,
    a.url AS redirected_from, a.redirects AS redirects_from, (
        SELECT min(http_status) FROM {DOCUMENTS.name} WHERE {{run}} AND parent_id IS NOT NULL AND http_status >= 300
    ) AS unread_status, v.sitemap AS unnamed_sitemap,
    regexp_full_match(s.url, 'https?://[^/?]*/?') AS is_home,
    coalesce(c.links, 0) AS links, coalesce(c.reached_from, 0) AS reached_from,
    coalesce(c.followed, 0) AS followed, coalesce(c.in_main, 0) AS in_main,
    f.url AS linked_from, k.clicks, {{basis}} AS basis, s.skipped, s.status, s.error_kind, s.redirects_to, s.noindex,
    s.canonical_is_self, s.is_indexable, s.needs_script
FROM link_urls AS s
LEFT JOIN link_same AS e ON e.page_hash = s.page_hash
LEFT JOIN link_pages AS o ON o.page_hash = e.page
LEFT JOIN link_counts AS c ON c.to_hash = coalesce(e.page, s.page_hash)
LEFT JOIN link_counts AS d ON d.to_hash = s.page_hash
LEFT JOIN link_pages AS f ON f.page_hash = d.first_from
LEFT JOIN clicks_of AS k ON k.page_hash = coalesce(e.page, s.page_hash)
LEFT JOIN link_linked_as AS w ON w.page = s.page_hash
LEFT JOIN link_redirecting AS a ON a.page_hash = s.page_hash
LEFT JOIN link_unnamed AS v ON v.page_hash = coalesce(e.page, s.page_hash)
"""


_IS_UNLISTED = "NOT is_listed AND page_hash = page AND listed_as IS NULL AND unnamed_sitemap IS NULL AND NOT is_home"
"""SQL for a row of `linked` that stands for a page which no sitemap lists in any spelling, named or not."""


def memory_for_links(run: Run) -> str:
    """Return the memory limit for queries on the links of a run."""
    with run.writing() as connection:
        [(links,)] = _ask(connection, f"SELECT count(*) FROM {LINKS.name} WHERE {RUN_ID} = {run.run_id:d}")
    return f"{min(MAX_MEMORY, MIN_MEMORY + links // LINKS_PER_MB)}MB"


class LinkGraph:
    """The links of a run, after all its pages were requested. Its temporary tables are dropped at the end.

    Args:
        all_listed: Whether every listed page was requested.
        all_linked: Whether every linked page of the site was requested, too.
        unreached_round: The first round of the crawl that requested what no link leads to, in an audited directory;
            None if there was no such round.
        unnamed: The URLs of sitemaps that nothing names, with the pages that only they list.
    """

    def __init__(
        self,
        run: Run,
        scope: CrawlScope,
        homes: Sequence[str],
        *,
        all_listed: bool,
        all_linked: bool,
        unreached_round: int | None = None,
        unnamed: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        self._run = run
        self._where = f"{RUN_ID} = {run.run_id:d}"
        self._scope = scope
        self._homes = [_core.page_hash(home) for home in homes]
        self._is_all_listed = all_listed
        self._is_all_linked = all_linked
        self._unreached_round = unreached_round
        self._unnamed = unnamed or {}

    def store(self) -> LinkCounts:
        """Add the rows of `linked` and `broken_anchors` to the run, and return the links in numbers."""
        with self._run.writing() as connection:
            self._prepare(connection)
            basis = self._basis(connection)
            statement = _LINKED.format(
                run=self._where,
                basis="NULL" if basis is None else f"'{basis}'",
            )
            names = identifier_list(LINKED.column_names)
            # One step at a time: in one statement, all of them take more memory than any.
            connection.execute(";".join((_URLS_OF_SITE, _LINKED_AS, _REDIRECTING, _UNNAMED)))
            for sitemap, pages in self._unnamed.items():
                hashes = [_core.page_hash(page) for page in pages]
                connection.execute(_ADD_UNNAMED, [hashes, sitemap])
            # A window that sorts would hold all rows in memory, while ORDER BY writes them to the temporary folder.
            connection.execute(
                f"CREATE OR REPLACE TEMP TABLE link_rows AS {statement};"
                f"INSERT INTO {LINKED.name} ({RUN_ID}, {names}) SELECT {self._run.run_id:d}, {names} "
                "FROM (SELECT row_number() OVER () - 1 AS number, * FROM (FROM link_rows ORDER BY url))"
            )
            unknown_anchors = store_broken_anchors(connection, self._run.run_id)
            counts = structs.replace(self._counts(connection, basis), unknown_anchors=unknown_anchors)
            connection.execute(";".join(f"DROP TABLE IF EXISTS {name}" for name in _TEMPORARY))
        self._run.flush()
        return counts

    def _prepare(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._add_unrequested(connection)
        connection.execute(";".join((_PAGES.format(page=", ".join(_OF_PAGE), run=self._where), _SAME)))
        self._add_unread(connection)
        unreached_round = "NULL" if self._unreached_round is None else f"{self._unreached_round:d}"
        steps = (
            _NODES,
            _COPIES,
            _UNREACHED.format(run=self._where, unreached_round=unreached_round),
            _COUNTS.format(run=self._where),
            "CREATE OR REPLACE TEMP TABLE link_clicks (page_hash BIGINT, clicks INTEGER)",
        )
        connection.execute(";".join(steps))
        connection.execute(
            "INSERT INTO link_clicks SELECT coalesce(n.node, p.page_hash), 0 FROM link_pages AS p "
            "LEFT JOIN link_nodes AS n ON n.page_hash = p.page_hash "
            "WHERE p.page_hash IN (SELECT unnest($1::BIGINT[]))",
            [self._homes],
        )
        self._add_clicks(connection)

    def _add_unread(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Add the linked URLs of the site that were not requested, and of which page they are a spelling."""
        unread = f"{self._where} AND {self._scope.has('to_url')} AND to_hash NOT IN (SELECT page_hash FROM link_pages)"
        # In a step of its own: in one statement with what follows, it takes more memory than both.
        connection.execute(
            f"CREATE OR REPLACE TEMP TABLE link_unread AS {linked_urls(unread)};"
            "CREATE OR REPLACE TEMP TABLE link_spellings (to_hash BIGINT, spelling_hash BIGINT)"
        )
        add_spelling_hashes(connection, "link_spellings", "link_unread")
        connection.execute(_SAME_UNREAD)

    def _add_clicks(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Follow the links from the home pages, level by level; the last level takes everything deeper."""
        for clicks in range(1, MAX_CLICKS):
            [(added,)] = connection.execute(_NEXT_CLICK.format(run=self._where, clicks=clicks)).fetchall()
            if not added:
                return
        connection.execute(_DEEPER.format(run=self._where))

    def _add_unrequested(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Add the hashes of listed URLs that were not requested or are invalid: they do not count as unlisted.

        Whether another spelling of one that was not requested is the same page is unknown.
        """
        connection.execute("CREATE OR REPLACE TEMP TABLE link_listed_as (spelling_hash BIGINT)")
        connection.execute(
            f"CREATE OR REPLACE TEMP TABLE link_listed AS SELECT page_hash FROM {PAGES.name} "
            f"WHERE {self._where} AND skipped = '{INVALID}'"
        )
        # A line break or a space in a URL is usually not part of it (LOC005): the URL without it is what is meant.
        add_hashes(
            connection,
            "link_listed",
            f"SELECT DISTINCT regexp_replace(loc, '\\s', '', 'g') AS url FROM {URLS.name} "
            f"WHERE {self._where} AND loc_problem = 'whitespace'",
        )
        if self._is_all_listed:
            return
        unrequested = (
            f"SELECT DISTINCT loc AS url FROM {URLS.name} WHERE {self._where} AND loc_problem IS NULL "
            f"AND loc NOT IN (SELECT url FROM {PAGES.name} WHERE {self._where})"
        )
        add_hashes(connection, "link_listed", unrequested)
        add_hashes(connection, "link_listed_as", unrequested, "with_spelling_hashes")

    def _basis(self, connection: duckdb.DuckDBPyConnection) -> Basis | None:
        """Return which pages were read for links; None if too few to tell which pages no page links to."""
        [(read, scripted)] = _ask(
            connection, "SELECT count(*) FILTER (links IS NOT NULL), count(*) FILTER (needs_script) FROM link_pages"
        )
        if not self._is_all_listed or not read or scripted > MAX_SCRIPTED * read:
            return None
        if not self._is_all_linked:
            return "listed"
        return "crawl" if self._unreached_round is None else "directory"

    def _counts(self, connection: duckdb.DuckDBPyConnection, basis: Basis | None) -> LinkCounts:
        [(read, links, skipped, scripted, crawled)] = _ask(
            connection,
            "SELECT count(*) FILTER (links IS NOT NULL), coalesce(sum(links), 0), coalesce(sum(links_skipped), 0), "
            "count(*) FILTER (needs_script), "
            "count(*) FILTER (links IS NOT NULL AND NOT is_listed "
            "AND page_hash NOT IN (SELECT page_hash FROM link_unnamed)) FROM link_pages "
            "WHERE page_hash NOT IN (SELECT page_hash FROM link_same WHERE page_hash <> page)",
        )
        [(unlinked, unlisted)] = _ask(
            connection,
            "SELECT count(*) FILTER (is_listed AND reached_from = 0 AND NOT is_home), "
            f"CASE WHEN bool_or(is_listed IS NOT NULL) THEN count(*) FILTER ({_IS_UNLISTED} AND reached_from > 0) END "
            f"FROM {LINKED.name} WHERE {self._where}",
        )
        depths = _ask(
            connection,
            f"SELECT clicks, count(*) FROM {LINKED.name} "
            f"WHERE {self._where} AND clicks IS NOT NULL AND page_hash = page "
            "GROUP BY clicks ORDER BY clicks",
        )
        sections = _ask(
            connection,
            f"SELECT regexp_extract(url, '^https?://([^/?]*/(?:[^/?]*/)?)', 1) AS section, count(*) AS size "
            f"FROM {LINKED.name} WHERE {self._where} AND is_listed AND reached_from = 0 AND NOT is_home "
            f"GROUP BY section ORDER BY size DESC, section LIMIT {MAX_SHOWN}",
        )
        most_linked = _ask(
            connection,
            f"SELECT url, links FROM {LINKED.name} WHERE {self._where} AND {_IS_UNLISTED} "
            f"AND reached_from > 0 ORDER BY links DESC, url LIMIT {MAX_SHOWN}",
        )
        return LinkCounts(
            pages=read,
            links=int(links),
            skipped=int(skipped),
            needs_script=scripted,
            basis=basis,
            unlinked=unlinked,
            unlisted=unlisted,
            crawled=crawled if unlisted is not None else 0,
            unlinked_sections=tuple((section, size) for section, size in sections),
            most_linked=tuple((url, links) for url, links in most_linked),
            depths=tuple((clicks, count) for clicks, count in depths),
        )


def _ask(connection: duckdb.DuckDBPyConnection, statement: str) -> list[Fields]:
    return connection.execute(statement).fetchall()
