"""Finds listed pages that fell out of an index, and those that a crawler stopped requesting, in what a store has.

Both need evidence, never its absence: a report that says that a page is out, and logs in which the crawler requested
other pages of the site meanwhile.
"""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta
from typing import TYPE_CHECKING, NamedTuple

from urlset import _core
from urlset.model.coverage import GOOGLE
from urlset.model.reported import NAMES
from urlset.store.file import RUN_ID
from urlset.store.log_days import days_with_logs, days_without_logs
from urlset.store.page_timeline import ENGINES
from urlset.store.possible import POSSIBLE_REPORT, last_possible
from urlset.store.waits import distribution, until_first
from urlset.tables import CRAWL_DAYS, CRAWLS, INDEX_STATES, PAGE_CRAWLS, SEARCH_ANALYTICS, URLS
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from urlset.store.file import Store

MAX_PAGES = 20_000
"""Maximum pages to name of each kind, by search engine or site."""

ROWS_AT_ONCE = 20_000
"""Number of reports to compare with the listed pages at once."""

WEEKS, WEEKS_SEEN = 5, 4
"""Weeks before a report, and in how many of them impressions show that the page was indexed."""

SETTLED = 7
"""Days within which an inspection outweighs a newer export, whose states are some days older than its date."""

MIN_SILENCE = 14
"""Days without a request below which a page is never said not to be crawled."""

RHYTHM, RHYTHM_FACTOR = 0.99, 2
"""The share of requests that come again within the usual time, and how many times as long is not usual any more."""

MIN_RETURNS = 8
"""Requests of pages of a site that came again, below which it has no rhythm."""

_EPOCH = date(1970, 1, 1)

# Of reports of the same day, that of an inspection counts, and then the one that says indexed.
_NEWEST = f"""
SELECT * FROM {INDEX_STATES.name} WHERE state IS NOT NULL AND {POSSIBLE_REPORT}
QUALIFY row_number() OVER (
    PARTITION BY engine, page_hash ORDER BY "at" DESC, source = 'url-inspection' DESC, state = 'indexed' DESC
) = 1
"""

_SEEN = f"""
SELECT page_hash, day FROM {SEARCH_ANALYTICS.name} WHERE impressions > 0
"""

_UNSEEN = "SELECT NULL::BIGINT AS page_hash, NULL::TIMESTAMP AS day WHERE false"

_OUT = f"""
CREATE OR REPLACE TEMP TABLE monitor_out AS
WITH newest AS ({_NEWEST}), seen AS ({{seen}}), earlier AS (
    SELECT n.engine, n.page_hash, max(s."at") FILTER (s.state = 'indexed') AS indexed_at,
        bool_or(
            s.state = 'indexed' AND s.source = 'url-inspection' AND n.source <> 'url-inspection'
            AND s."at" > n."at" - INTERVAL {SETTLED:d} DAY
        ) AS is_contradicted
    FROM newest AS n JOIN {INDEX_STATES.name} AS s
        ON s.engine = n.engine AND s.page_hash = n.page_hash AND s."at" < n."at"
    GROUP BY ALL
), impressions AS (
    SELECT n.page_hash, max(s.day) AS seen_at, count(DISTINCT date_diff('day', s.day, n."at") // 7) FILTER (
        s.day <= n."at" AND date_diff('day', s.day, n."at") < {7 * WEEKS:d}
    ) AS weeks
    FROM newest AS n JOIN seen AS s ON s.page_hash = n.page_hash WHERE n.engine = '{GOOGLE}' GROUP BY ALL
)
SELECT row_number() OVER (ORDER BY n.engine, n."at" DESC, n.url) AS place, n.engine, n.url, n."at"::DATE AS day,
    coalesce(n.reason, n.reason_text) AS reason, e.indexed_at::DATE AS indexed_day
FROM newest AS n
LEFT JOIN earlier AS e ON e.engine = n.engine AND e.page_hash = n.page_hash
LEFT JOIN impressions AS i ON i.page_hash = n.page_hash AND n.engine = '{GOOGLE}'
WHERE n.state = 'not-indexed' AND NOT coalesce(e.is_contradicted, false)
    AND (e.indexed_at IS NOT NULL OR i.weeks >= {WEEKS_SEEN:d})
    AND (i.seen_at IS NULL OR i.seen_at::DATE <= n."at"::DATE)
"""

_OUT_ROWS = """
SELECT engine, url, day, reason, indexed_day FROM monitor_out WHERE place > $1 AND place <= $2 ORDER BY place
"""

_IN_AGAIN = f"""
WITH newest AS ({_NEWEST}), seen AS ({{seen}})
SELECT n.page_hash FROM newest AS n
LEFT JOIN (SELECT page_hash, max(day) AS seen_at FROM seen GROUP BY ALL) AS s ON s.page_hash = n.page_hash
WHERE n.engine = $1 AND n.page_hash IN (SELECT unnest($2::BIGINT[]))
    AND (n.state = 'indexed' OR n.engine = '{GOOGLE}' AND s.seen_at::DATE > n."at"::DATE)
"""

_LISTED = f"""
SELECT a.url, min(u.loc) FROM (SELECT unnest($1::VARCHAR[]) AS url, unnest($2::BIGINT[]) AS loc_hash) AS a
JOIN {URLS.name} AS u ON u.loc_hash = a.loc_hash AND u.{RUN_ID} = $3 GROUP BY a.url
"""

_REQUESTS = f"""
CREATE OR REPLACE TEMP TABLE monitor_requests AS
WITH listed AS (
    SELECT DISTINCT c.site, c.page_hash, c.url FROM {CRAWLS.name} AS c
    JOIN {URLS.name} AS u ON u.loc = c.url AND u.{RUN_ID} = $2 WHERE c.agent = $1
), days AS (
    SELECT DISTINCT page_hash, (day::DATE - DATE '1970-01-01')::INTEGER AS day FROM {PAGE_CRAWLS.name}
    WHERE agent = $1 AND day <= $3
)
SELECT l.site, l.url, d.page_hash, d.day, lead(d.day) OVER (PARTITION BY d.page_hash, l.url ORDER BY d.day) AS next_day
FROM listed AS l JOIN days AS d ON d.page_hash = l.page_hash
"""

_RETURNS = "SELECT day, next_day, count(*) FROM monitor_requests WHERE site = $1 GROUP BY ALL"

_SILENT = f"""
SELECT url, max(day) AS last_day, max(next_day - day) AS longest FROM monitor_requests WHERE site = $1
GROUP BY url HAVING count(*) > 1 AND last_day < $2 AND {RHYTHM_FACTOR:d} * longest < $3 - last_day
ORDER BY last_day, url LIMIT {MAX_PAGES:d}
"""

_CRAWLER_DAYS = f"""
SELECT DISTINCT (day::DATE - DATE '1970-01-01')::INTEGER FROM {CRAWL_DAYS.name}
WHERE site = $1 AND agent = $2 AND verdict = 'verified'
"""

_CRAWLED_AGAIN = f"""
SELECT DISTINCT page_hash FROM {PAGE_CRAWLS.name}
WHERE agent = $1 AND page_hash IN (SELECT unnest($2::BIGINT[])) AND epoch(day) > $3 AND day <= $4
"""


class PageProblem(NamedTuple):
    """Listed pages with the same problem.

    Attributes:
        name: The search engine, or the crawler.
        title: What is wrong with these pages, to follow their number.
        members: What is known of each page, by URL.
        pages: Number of these pages, which can be more than the members.
        last_request: The last day on which a crawler requested one of them, in seconds from 1970-01-01.
    """

    name: str
    title: str
    members: Mapping[str, str]
    pages: int
    last_request: float | None = None


def deindexed(store: Store, run_id: int) -> list[PageProblem]:
    """Return the listed pages that a search engine had in its index, and now reports as not indexed."""
    if not store.has_table(INDEX_STATES.name):
        return []
    store.connection.execute(_OUT.format(seen=_seen(store)))
    by_engine: dict[str, dict[str, str]] = {}
    counts: Counter[str] = Counter()
    place = 0
    while rows := store.rows(_OUT_ROWS, [place, place + ROWS_AT_ONCE]):
        place += ROWS_AT_ONCE
        listed = _listed(store, [url for _, url, *_ in rows], run_id)
        for engine, url, at, reason, indexed_at in rows:
            members = by_engine.setdefault(engine, {})
            if url not in listed or listed[url] in members:
                continue
            counts[engine] += 1
            if len(members) < MAX_PAGES:
                why = "" if reason is None else f" ({reason})"
                before = (
                    f"had impressions in {WEEKS_SEEN} of {WEEKS} weeks before"
                    if indexed_at is None
                    else f"last reported as indexed on {indexed_at}"
                )
                members[listed[url]] = f"reported as not indexed{why} on {at}, {before}"
    return [
        PageProblem(engine, f"fell out of the index of {NAMES.get(engine, engine)}", members, counts[engine])
        for engine, members in by_engine.items()
        if members
    ]


def indexed_again(store: Store, run_id: int, engine: str, urls: Sequence[str], *, is_whole: bool) -> frozenset[str]:
    """Return those of some pages that a search engine reports as indexed, or that are not listed any more.

    Args:
        is_whole: Whether the run read all sitemaps to their end.
    """
    hashes = {url: _core.page_hash(url) for url in urls}
    back: set[int] = set()
    if store.has_table(INDEX_STATES.name):
        rows = store.rows(_IN_AGAIN.format(seen=_seen(store)), [engine, [*hashes.values()]])
        back = {page_hash for (page_hash,) in rows}
    return frozenset(url for url in urls if hashes[url] in back) | _unlisted(store, urls, run_id, is_whole=is_whole)


def not_crawled(store: Store, run_id: int) -> list[PageProblem]:
    """Return the listed pages that a crawler has not requested for longer than is usual, while it requested others."""
    if not (store.has_table(PAGE_CRAWLS.name) and store.has_table(CRAWLS.name)):
        return []
    problems = []
    for crawler in ENGINES:
        store.connection.execute(_REQUESTS, [crawler, run_id, last_possible()])
        silent: dict[str, tuple[int, str]] = {}
        for site, days in days_with_logs(store, crawler).items():
            silent |= _silent(store, site, crawler, days)
        if silent:
            members = {url: what for url, (_, what) in silent.items()}
            last = 86_400.0 * max(day for day, _ in silent.values())
            problems.append(PageProblem(crawler, f"no longer requested by {crawler}", members, len(members), last))
    return problems


def _silent(store: Store, site: str, crawler: str, days: Sequence[int]) -> dict[str, tuple[int, str]]:
    """Return the last day with a request of each page that is silent, and what is known of it."""
    unknown = days_without_logs(days)
    if len(unknown) < 2 or (limit := _usual_silence(store, site, unknown)) is None:
        return {}
    # Since the last day without logs, on which the crawler may have come, until the last whole day.
    start, end = (unknown[-2][1] or 0), unknown[-1][0] - 1
    present = {day for (day,) in store.rows(_CRAWLER_DAYS, [site, crawler])}

    def is_here(since: int) -> bool:
        """Return whether the crawler came about every week since a day, also in the last one."""
        here = [day for day in present if since < day <= end]
        return bool(here) and max(here) > end - 7 and len(here) >= (end - since) // 7

    members: dict[str, tuple[int, str]] = {}
    if end - start > limit:
        for url, last_day, _ in store.rows(_SILENT, [site, end - limit, end]):
            since = max(last_day, start)
            if is_here(since):
                last, until = (_EPOCH + timedelta(days=day) for day in (last_day, end))
                members[url] = (
                    last_day,
                    f"last requested on {last}; not requested since then in access logs until {until}; usual for this "
                    f"site: again within {quantity(limit, 'day')}",
                )
    return members


def _usual_silence(store: Store, site: str, unknown: Sequence[tuple[int, int | None]]) -> int | None:
    """Return after how many days without a request a page is unusual; None if the site has no rhythm yet."""
    waits: dict[tuple[tuple[int, int | None], ...], int] = {}
    returned = 0
    for day, next_day, count in store.rows(_RETURNS, [site]):
        wait = until_first((day, day), [] if next_day is None else [next_day], unknown)
        waits[wait] = waits.get(wait, 0) + count
        returned += 0 if next_day is None else count
    if returned < MIN_RETURNS:
        return None
    known = distribution(waits)
    usual = known.quantile(RHYTHM * known.ended)
    return None if usual.high is None else max(MIN_SILENCE, RHYTHM_FACTOR * usual.high)


def crawled_again(
    store: Store, run_id: int, crawler: str, urls: Sequence[str], since: float, *, is_whole: bool
) -> frozenset[str]:
    """Return those of some pages that a crawler requested again, or that are not listed any more.

    Args:
        since: The last day on which the crawler requested one of them when they were found
            not to be crawled, in seconds from 1970-01-01.
        is_whole: Whether the run read all sitemaps to their end.
    """
    hashes = {url: _core.page_hash(url) for url in urls}
    back: set[int] = set()
    if store.has_table(PAGE_CRAWLS.name):
        values = [crawler, [*hashes.values()], since, last_possible()]
        back = {page_hash for (page_hash,) in store.rows(_CRAWLED_AGAIN, values)}
    return frozenset(url for url in urls if hashes[url] in back) | _unlisted(store, urls, run_id, is_whole=is_whole)


def _seen(store: Store) -> str:
    return _SEEN if store.has_table(SEARCH_ANALYTICS.name) else _UNSEEN


def _listed(store: Store, urls: Iterable[str], run_id: int) -> dict[str, str]:
    """Return those of some URLs that a run lists, with the URL as listed."""
    given = list(urls)
    return dict(store.rows(_LISTED, [given, [*map(_core.url_hash, given)], run_id]))


def _unlisted(store: Store, urls: Sequence[str], run_id: int, *, is_whole: bool) -> frozenset[str]:
    return frozenset(urls) - _listed(store, urls, run_id).keys() if is_whole else frozenset()
