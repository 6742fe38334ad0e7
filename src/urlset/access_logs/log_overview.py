"""Reads what access logs show about a run from the tables that `access_logs.tables` fills."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from urlset.model.crawl_report import CrawlerCoverage, CrawlOverview, SectionWaste
from urlset.store.file import RUN_ID
from urlset.tables import CRAWL_DAYS, CRAWLS, LOG_CRAWLERS, LOG_FILES, LOG_URLS, ROBOTS_FILES
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from datetime import date

    from urlset.store.file import Fields, Store

MAX_CRAWLERS = 20
"""Maximum number of crawlers to show."""

MAX_SECTIONS = 20
"""Maximum number of sections to show."""

MAX_ROWS = 6
"""Maximum number of crawlers in the calendar."""

MAX_DAYS = 92
"""Maximum number of days in the calendar, the latest ones."""

_COVERAGE = tuple(CrawlerCoverage.__struct_fields__)

_SECTIONS = f"""
SELECT site || section AS name, count(*) FILTER (is_listed) AS listed,
    count(*) FILTER (is_listed AND hits > 0) AS fetched, coalesce(sum(hits) FILTER (is_page), 0) AS page_hits,
    coalesce(sum(CASE WHEN is_listed THEN redirect_hits ELSE hits END) FILTER (is_page), 0) AS wasted,
    coalesce(sum(hits) FILTER (is_page AND NOT is_listed), 0) AS unlisted,
    coalesce(sum(redirect_hits) FILTER (is_page), 0) AS redirected,
    coalesce(sum(hits) FILTER (is_page AND NOT is_listed AND has_parameters), 0) AS parameters
FROM {LOG_URLS.name} WHERE {{run}} GROUP BY site, section
HAVING bool_or(is_page) ORDER BY wasted DESC, page_hits DESC, name
"""

# The periods of logs that overlap or follow each other, joined: where the next one starts later, there is a gap.
_GAPS = f"""
WITH logs AS (
    SELECT first_at, max(last_at) OVER (ORDER BY first_at ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS reached
    FROM {LOG_FILES.name} WHERE first_at IS NOT NULL
        AND (site IS NULL OR site IN (SELECT DISTINCT site FROM {LOG_URLS.name} WHERE {{run}} AND is_listed))
)
SELECT strftime(reached, '%Y-%m-%d %H:%M'), strftime(first_at, '%Y-%m-%d %H:%M') FROM logs
WHERE first_at > reached + INTERVAL 1 DAY ORDER BY first_at
"""

# Text of strangers in a store gives no days.
_PERIOD = f"""
SELECT any_value(period), coalesce(any_value(period_days), 0), try_cast(any_value(period)[:10] AS DATE),
    try_cast(any_value(period)[-10:] AS DATE)
FROM {LOG_URLS.name} WHERE {{run}}
"""

_UNLOGGED = f"""
SELECT DISTINCT site FROM {LOG_URLS.name} WHERE {{run}} AND is_listed AND search_hits IS NULL ORDER BY site
"""

_WITHOUT_ROBOTS = f"""
SELECT DISTINCT site FROM {LOG_URLS.name} WHERE {{run}} AND verified_hits > 0 AND site NOT IN (
    SELECT regexp_extract(lower(url), '^https?://[^/?#]+') FROM {ROBOTS_FILES.name}
    WHERE {{run}} AND url IS NOT NULL AND availability <> 'unreachable'
) ORDER BY site
"""


def is_compared(store: Store, run_id: int) -> bool:
    """Return whether access logs were compared with a run."""
    if not store.has_table(LOG_URLS.name):
        return False
    where = f"{RUN_ID} = {run_id:d}"
    [(exists,)] = store.rows(f"SELECT EXISTS (FROM {LOG_URLS.name} WHERE {where})")
    return bool(exists)


def crawl_overview(store: Store, run_id: int) -> CrawlOverview:
    """Return access logs in numbers, as compared with a run."""

    def ask(statement: str) -> list[Fields]:
        return store.rows(statement.format(run=f"{RUN_ID} = {run_id:d}"))

    [(period, days, first, last)] = ask(_PERIOD)
    crawlers = [
        CrawlerCoverage(*row)
        for row in ask(f"SELECT {', '.join(_COVERAGE)} FROM {LOG_CRAWLERS.name} WHERE {{run}} ORDER BY number")
    ]
    sections = [SectionWaste(name, *map(int, counts)) for name, *counts in ask(_SECTIONS)]
    is_verified = any(crawler.verified_hits or crawler.impostor_hits for crawler in crawlers)
    return CrawlOverview(
        run_id=run_id,
        period=period,
        days=days,
        is_verified=is_verified,
        crawlers=tuple(crawlers[:MAX_CRAWLERS]),
        more_crawlers=max(0, len(crawlers) - MAX_CRAWLERS),
        sections=tuple(sections[:MAX_SECTIONS]),
        more_sections=max(0, len(sections) - MAX_SECTIONS),
        calendar=_calendar(
            store, run_id, [crawler.agent for crawler in crawlers if crawler.hits][:MAX_ROWS], first, last
        ),
        notes=tuple(_notes(ask)),
    )


def _calendar(
    store: Store, run_id: int, agents: Sequence[str], first: date | None, last: date | None
) -> Mapping[str, tuple[tuple[date, int], ...]]:
    """Return the requests of crawlers on each day, with 0 for days without requests."""
    if first is None or last is None or last < first:
        return {}
    rows = store.rows(
        f"SELECT agent, day::DATE, sum(hits)::BIGINT FROM {CRAWL_DAYS.name} WHERE verdict <> 'impostor' "
        "AND list_contains($1::VARCHAR[], agent) AND site IN ("
        f"SELECT DISTINCT site FROM {LOG_URLS.name} WHERE {RUN_ID} = {run_id:d} AND is_listed) GROUP BY agent, day",
        [list(agents)],
    )
    hits = {(agent, day): count for agent, day, count in rows}
    first = max(first, last - timedelta(days=MAX_DAYS - 1))
    days = [first + timedelta(days=number) for number in range((last - first).days + 1)]
    return {agent: tuple((day, hits.get((agent, day), 0)) for day in days) for agent in agents}


def _notes(ask: Callable[[str], list[Fields]]) -> Iterator[str]:
    """Yield notes on what the logs cannot show."""
    for reached, following in ask(_GAPS):
        yield f"the logs have no line from {reached} to {following} UTC; requests in between are not known"
    for (site,) in ask(_UNLOGGED):
        yield f"the logs have no request of a search engine for {site}, so nothing is said of its listed URLs"
    for (site,) in ask(_WITHOUT_ROBOTS):
        yield f"the run has no robots.txt of {site}, so it is unknown which requests it allows"
    [(others, hits)] = ask(
        f"SELECT count(DISTINCT site), sum(hits) FROM {CRAWLS.name} WHERE site NOT IN ("
        f"SELECT DISTINCT site FROM {LOG_URLS.name} WHERE {{run}} AND is_listed)"
    )
    if others:
        sites = quantity(others, "site that the run does not list", "sites that the run does not list")
        yield f"{quantity(int(hits), 'request')} for {sites} left out"
