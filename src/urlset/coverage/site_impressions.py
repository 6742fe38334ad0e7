"""The impressions of the pages of a run in the last days that a store has, for the HTML report."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from urlset.coverage.join import MEMORY, SECTION, SITE
from urlset.model.impressions import PageImpressions, SectionImpressions, SiteImpressions
from urlset.options.coverage import SearchType
from urlset.store.file import RUN_ID, utc
from urlset.store.stored_values import stored_values
from urlset.tables import SEARCH_ANALYTICS, SEARCH_ANALYTICS_DAYS, URLS

if TYPE_CHECKING:
    from datetime import datetime

    from urlset.store.file import Store

DAYS = 28
"""Days of the period: whole weeks, since weekdays differ, and as far as the first `coverage impressions` goes back."""

_HOST = f"split_part({SITE.format(url='url')}, ':', 1)"

_HOSTS = f"CREATE OR REPLACE TEMP TABLE impression_hosts AS SELECT DISTINCT host FROM {URLS.name} WHERE {{run}}"

# The properties with pages on these hosts, and the last day that each has.
_SERIES = f"""
CREATE OR REPLACE TEMP TABLE impression_series AS
WITH ends AS (SELECT property, search_type, max(day) AS last FROM {SEARCH_ANALYTICS_DAYS.name} GROUP BY ALL)
SELECT DISTINCT property, search_type, last FROM {SEARCH_ANALYTICS.name} JOIN ends USING (property, search_type)
WHERE day > last - to_days({DAYS}) AND {_HOST} IN (FROM impression_hosts)
"""

_DAYS_KNOWN = f"""
SELECT day, bool_or(is_provisional), bool_or(is_cut) FROM {SEARCH_ANALYTICS_DAYS.name}
WHERE search_type = $1 AND day > $2::TIMESTAMP - to_days({DAYS}) AND day <= $2
    AND property IN (SELECT property FROM impression_series WHERE search_type = $1)
GROUP BY day ORDER BY day
"""

# A page that is in several properties has the same impressions in each. The URLs of a page differ in their fragments.
_PAGES = f"""
CREATE OR REPLACE TEMP TABLE impression_pages AS
WITH of_property AS (
    SELECT property, page_hash, day, min(url) AS url, sum(impressions) AS impressions, sum(clicks) AS clicks
    FROM {SEARCH_ANALYTICS.name}
    WHERE search_type = $1 AND day > $2::TIMESTAMP - to_days({DAYS}) AND day <= $2
        AND property IN (SELECT property FROM impression_series WHERE search_type = $1)
        AND {_HOST} IN (FROM impression_hosts)
    GROUP BY property, page_hash, day
), of_day AS (
    SELECT page_hash, min(url) AS url, max(impressions) AS impressions, max(clicks) AS clicks FROM of_property
    GROUP BY page_hash, day
)
SELECT page_hash, min(url) AS url, sum(impressions)::BIGINT AS impressions, sum(clicks)::BIGINT AS clicks,
    page_hash IN (SELECT loc_hash FROM {URLS.name} WHERE {{run}} AND loc_hash IS NOT NULL) AS is_listed
FROM of_day GROUP BY page_hash HAVING sum(impressions) > 0
"""

_TOTALS = "count(*), coalesce(sum(impressions), 0)::BIGINT, coalesce(sum(clicks), 0)::BIGINT"

_SECTIONS = f"""
SELECT coalesce(nullif({SECTION.format(url="url")}, ''), {SITE.format(url="url")}) AS name, {_TOTALS}
FROM impression_pages GROUP BY name ORDER BY 3 DESC, 4 DESC, 1
"""

_TOP = """
SELECT url, impressions, clicks, is_listed FROM impression_pages ORDER BY impressions DESC, clicks DESC, url LIMIT $1
"""


def impressions_of_run(store: Store, run_id: int, sections: int, pages: int) -> tuple[SiteImpressions, ...]:
    """Return the impressions of the pages on the hosts of a run, by type of search; empty if the store has none.

    Args:
        sections: Maximum number of sections.
        pages: Maximum number of pages.
    """
    if not store.has_table(SEARCH_ANALYTICS.name):
        return ()
    with store.holding(MEMORY), store.share() as shared:
        run = f"{RUN_ID} = {run_id:d}"
        shared.connection.execute(_HOSTS.format(run=run))
        shared.connection.execute(_SERIES)
        found: dict[str, datetime] = dict(
            shared.rows("SELECT search_type, max(last) FROM impression_series GROUP BY search_type")
        )
        [(listed,)] = shared.rows(f"SELECT count(DISTINCT loc_hash) FROM {URLS.name} WHERE {run}") if found else [(0,)]
        kinds = [kind.value for kind in SearchType if kind in found]
        return tuple(_of_type(shared, run, kind, found[kind], listed, (sections, pages)) for kind in kinds)


def _of_type(
    store: Store, run: str, kind: str, last: datetime, listed: int, limits: tuple[int, int]
) -> SiteImpressions:
    rows = store.rows(_DAYS_KNOWN, [kind, last])
    with stored_values(store.path, "the days of impressions"):
        days = [(utc(day).date(), *flags) for day, *flags in rows]
        end = utc(last).date()
    store.connection.execute(_PAGES.format(run=run), [kind, last])
    [(pages, impressions, clicks)] = store.rows(f"SELECT {_TOTALS} FROM impression_pages")
    [(listed_with,)] = store.rows("SELECT count(*) FROM impression_pages WHERE is_listed")
    sections = store.rows(_SECTIONS)
    most_sections, most_pages = limits
    return SiteImpressions(
        search_type=kind,
        first=end - timedelta(days=DAYS - 1),
        last=end,
        days=len(days),
        provisional=tuple(day for day, is_provisional, _ in days if is_provisional),
        cut=tuple(day for day, _, is_cut in days if is_cut),
        pages=pages,
        impressions=impressions,
        clicks=clicks,
        listed=listed,
        listed_with=listed_with,
        sections=tuple(SectionImpressions(*row) for row in sections[:most_sections]),
        more_sections=max(0, len(sections) - most_sections),
        top=tuple(PageImpressions(*row) for row in store.rows(_TOP, [most_pages])),
    )
