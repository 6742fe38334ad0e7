"""Selects the pages of a crawl: home pages, then round by round the pages that the read pages link to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from urlset import _core
from urlset.engine.rule_sql import text_literal
from urlset.net.urlparts import split_url
from urlset.store.file import RUN_ID
from urlset.store.page_selection import PendingRows
from urlset.tables import CRAWLED, LINKS, PAGES
from urlset.web.indexability import INVALID

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from urlset.model.audit import CrawlLimit
    from urlset.store.file import Fields, Store
    from urlset.store.page_selection import PageSelection

MAX_VARIANTS = 50
"""Maximum pages to crawl that differ in their query only: filters and sort orders multiply without end."""

MAX_REPEATS = 3
"""Maximum times that a path may contain the same segment: relative links that are wrong grow paths without end."""

MAX_SEGMENTS = 20
"""Maximum segments of a path to crawl."""

LONGEST = 2_048
"""Maximum length of a URL to crawl."""

MAX_NAMED = 5_000
"""Maximum pages to request because other pages name them."""

NAMED_ROUND = 1_000_000
"""The round of these pages: no link may lead there."""

MAX_HOMES = 10
"""Maximum hosts of a site that no target names."""

PENDING = "crawl_pending"


class CrawlScope(Struct, frozen=True):
    """Which linked pages belong to a site.

    Attributes:
        origins: The origins of the site, with both schemes.
        selection: Globs of URLs to fetch or to skip.
    """

    origins: tuple[str, ...]
    selection: PageSelection

    @classmethod
    def of(cls, homes: Iterable[str], selection: PageSelection) -> CrawlScope:
        """Return the scope of a crawl from these home pages, with and without `www.`."""
        origins: dict[str, None] = {}
        for home in homes:
            authority = split_url(home).netloc
            bare = authority.removeprefix("www.")
            for name in (authority, bare, f"www.{bare}"):
                origins |= {f"https://{name}/": None, f"http://{name}/": None}
        return cls(tuple(origins), selection)

    def has(self, column: str) -> str:
        """Return SQL for whether the URL in a column is one of the site."""
        return (
            "("
            + (" OR ".join(f"starts_with({column}, {text_literal(origin)})" for origin in self.origins) or "false")
            + ")"
        )

    def selection_sql(self, column: str) -> str:
        """Return SQL for whether the globs select the URL in a column."""
        included = " OR ".join(f"{column} GLOB {text_literal(glob)}" for glob in self.selection.include) or "true"
        excluded = " OR ".join(f"{column} GLOB {text_literal(glob)}" for glob in self.selection.exclude) or "false"
        return f"(({included}) AND NOT ({excluded}))"


class PendingCrawl(PendingRows):
    """The pages of one round of a crawl that were not requested yet.

    Every page of earlier rounds was requested, so an interrupted round continues where it stopped.

    Args:
        round_: Number of the round: 0 for the home pages.
        homes: The home pages in the first round; in others, pages to take instead of those that are linked.
    """

    def __init__(self, store: Store, run_id: int, scope: CrawlScope, round_: int, homes: Sequence[str]) -> None:
        if round_ == 0 or homes:
            _select_urls(store, run_id, homes, round_)
        else:
            _select_targets(store, run_id, scope, round_)
        super().__init__(store, run_id, PENDING, ("url", "round"), CRAWLED, "url")


def _select_urls(store: Store, run_id: int, urls: Sequence[str], round_: int) -> None:
    store.connection.execute(f"CREATE OR REPLACE TEMP TABLE {PENDING} (url VARCHAR, round INTEGER, place BIGINT)")
    run = f"{RUN_ID} = {run_id:d}"
    keys = list(dict.fromkeys(_core.page_key(url) for url in urls))
    store.connection.execute(
        f"INSERT INTO {PENDING} SELECT url, {round_:d}, row_number() OVER () "
        "FROM (SELECT unnest($1::VARCHAR[]) AS url, unnest($2::BIGINT[]) AS hash) "
        f"WHERE hash NOT IN ({_requested(run)}) "
        f"AND hash NOT IN (SELECT page_hash FROM {CRAWLED.name} WHERE {run} AND round <> {round_:d})",
        [keys, [_core.page_hash(key) for key in keys]],
    )


def _select_targets(store: Store, run_id: int, scope: CrawlScope, round_: int) -> None:
    run = f"{RUN_ID} = {run_id:d}"
    before = f"SELECT page_hash FROM {CRAWLED.name} WHERE {run} AND round = {round_ - 1:d}"
    if round_ == 1:
        before += f" UNION ALL {_requested(run)}"
    known_pages = (
        f"{_requested(run)} UNION ALL SELECT page_hash FROM {CRAWLED.name} WHERE {run} AND round <> {round_:d}"
    )
    condition = (
        f"{run} AND NOT nofollow AND {scope.has('to_url')} AND {scope.selection_sql('to_url')} "
        f"AND from_hash IN ({before}) AND to_hash NOT IN ({known_pages})"
    )
    store.connection.execute(
        f"""
        CREATE OR REPLACE TEMP TABLE {PENDING} AS
        WITH found AS ({linked_urls(condition)}), crawled_variants AS (
            SELECT split_part(url, '?', 1) AS path, count(*) AS size
            FROM {CRAWLED.name} WHERE {run} AND round < {round_:d} AND contains(url, '?') GROUP BY path
        ), kept AS (
            SELECT url FROM found LEFT JOIN crawled_variants AS v ON v.path = split_part(url, '?', 1)
            WHERE {trap_of("url")} IS NULL
            QUALIFY NOT contains(url, '?')
                OR row_number() OVER (PARTITION BY split_part(url, '?', 1), contains(url, '?') ORDER BY url)
                    + coalesce(v.size, 0) <= {MAX_VARIANTS}
        )
        SELECT url, {round_:d} AS round, row_number() OVER (ORDER BY url) AS place FROM kept ORDER BY place
        """
    )


def named_pages(store: Store, run_id: int, scope: CrawlScope) -> list[str]:
    """Return URLs that were not requested, although a page of the same origin names them as canonical or version."""
    run = f"{RUN_ID} = {run_id:d}"
    requested = f"{run} AND status BETWEEN 200 AND 299"
    page = "coalesce(final_url, url) AS page"
    origin = "lower(regexp_extract({}, '^https?://[^/?#]+'))"
    rows = store.rows(
        f"""
        WITH named AS (
            SELECT canonical AS url, canonical_hash AS hash, {page} FROM {PAGES.name}
            WHERE {requested} AND NOT canonical_is_self
            UNION ALL
            SELECT canonical, canonical_hash, {page} FROM {CRAWLED.name} WHERE {requested} AND NOT canonical_is_self
            UNION ALL
            SELECT unnest(hreflang_urls), unnest(hreflang_hashes), {page} FROM {PAGES.name}
            WHERE {requested} AND len(hreflang_urls) > 0
        )
        SELECT min(url) FROM named
        WHERE hash NOT IN ({_requested(run)})
            AND hash NOT IN (SELECT page_hash FROM {CRAWLED.name} WHERE {run} AND round <> {NAMED_ROUND})
            AND {origin.format("url")} = {origin.format("page")} AND {scope.selection_sql("url")}
        GROUP BY hash ORDER BY 1 LIMIT {MAX_NAMED}
        """
    )
    return [str(url) for (url,) in rows]


def _requested(run: str) -> str:
    """Return SQL for the listed pages of a run, other than those whose URL is invalid: another URL leads to them."""
    return f"SELECT page_hash FROM {PAGES.name} WHERE {run} AND skipped IS DISTINCT FROM '{INVALID}'"


def linked_urls(condition: str) -> str:
    """Return SQL for the URLs of wanted links, once each: to_hash, url, and whether all links to it are nofollow.

    DuckDB groups numbers beyond its memory limit, but keeps strings in memory. So the groups hold row numbers, and
    another scan reads the URLs.
    """
    firsts = f"SELECT arg_min(rowid, nofollow) FROM {LINKS.name} WHERE {condition} GROUP BY to_hash"
    return f"SELECT to_hash, to_url AS url, nofollow FROM {LINKS.name} WHERE rowid IN ({firsts})"


def trap_of(url: str) -> str:
    """Return SQL for why a URL looks like part of an endless space; null if it does not."""
    segments = f"string_split(regexp_extract({url}, '^https?://[^/]*/([^?]*)', 1), '/')"
    return (
        f"CASE WHEN length({url}) >= {LONGEST} THEN 'long' "
        f"WHEN len({segments}) > {MAX_SEGMENTS} "
        f"OR list_max(map_values(list_aggregate({segments}, 'histogram'))) > {MAX_REPEATS} THEN 'segments' END"
    )


def leads_on(store: Store, run_id: int, scope: CrawlScope) -> bool:
    """Return whether any link leads to a URL of the site that was not requested."""
    return bool(store.rows(f"SELECT 1 FROM {LINKS.name} WHERE {_is_unrequested(run_id, scope)} LIMIT 1"))


def _is_unrequested(run_id: int, scope: CrawlScope) -> str:
    """Return SQL for whether a link leads to a URL of the site that was not requested."""
    run = f"{RUN_ID} = {run_id:d}"
    return (
        f"{run} AND {scope.has('to_url')} AND to_hash NOT IN ({_requested(run)} "
        f"UNION ALL SELECT page_hash FROM {CRAWLED.name} WHERE {run})"
    )


def uncrawled_reasons(store: Store, run_id: int, scope: CrawlScope) -> Iterator[tuple[CrawlLimit, int, str]]:
    """Yield why linked pages of the site were not requested after a crawl: the reason, how many, and an example."""
    run = f"{RUN_ID} = {run_id:d}"
    rows: list[Fields] = store.rows(
        f"""
        WITH found AS ({linked_urls(_is_unrequested(run_id, scope))}), variants AS (
            SELECT split_part(url, '?', 1) AS path, count(*) AS size
            FROM {CRAWLED.name} WHERE {run} AND contains(url, '?') GROUP BY path
        )
        SELECT CASE WHEN nofollow THEN 'nofollow' WHEN NOT {scope.selection_sql("url")} THEN 'globs'
            ELSE coalesce({trap_of("url")}, CASE WHEN v.size >= {MAX_VARIANTS} THEN 'parameters' ELSE 'limit' END)
            END AS why, count(*), min(url)
        FROM found LEFT JOIN variants AS v ON v.path = split_part(url, '?', 1) AND contains(url, '?')
        GROUP BY why ORDER BY why
        """
    )
    yield from ((why, int(count), str(url)) for why, count, url in rows)


def homes_of_pages(store: Store, run_id: int) -> list[str]:
    """Return the home pages of the hosts with most listed pages."""
    rows = store.rows(
        f"SELECT regexp_extract(url, '^https?://[^/?#]+', 0, 'i') AS home, count(*) AS size FROM {PAGES.name} "
        f"WHERE {RUN_ID} = {run_id:d} GROUP BY home ORDER BY size DESC, home LIMIT {MAX_HOMES:d}"
    )
    return [_core.page_key(f"{home}/") for home, _ in rows]


def count_requested_pages(store: Store, run_id: int) -> int:
    """Return the number of pages of a run that were requested or skipped for a reason."""
    [(number,)] = store.rows(
        f"SELECT (SELECT count(*) FROM {PAGES.name} WHERE {RUN_ID} = {run_id:d}) "
        f"+ (SELECT count(*) FROM {CRAWLED.name} WHERE {RUN_ID} = {run_id:d})"
    )
    return int(number)
