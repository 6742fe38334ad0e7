"""Compares the lastmods of a run with its pages, with the previous run, and with access logs."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING

from urlset.model.build import DateProof
from urlset.model.lastmod import CrawlerFollowing, DateCounts, SitemapDates, TextDateOfPage
from urlset.rules.date_evidence import DATE_FAMILY, ENTRY_VERDICT, is_future, is_request_time, page_verdict
from urlset.rules.date_verdict import DateVerdict
from urlset.rules.queries import LASTMOD_IS_PROVEN, sql_list
from urlset.store.file import RUN_ID
from urlset.tables import CRAWLS, EPOCH, PAGE_LIST_KINDS, PAGES

if TYPE_CHECKING:
    from urlset.model.run import RunRow
    from urlset.store.file import Store

DAYS_TO_FOLLOW = 7
"""Days that a crawler has to request a page after its lastmod. Our choice."""

# The verdict on a date applies to every entry with the same URL and the same date, in any sitemap.
_COUNTED = """
WITH judged AS (
    SELECT loc_hash, lastmod, {verdict} AS verdict, {proven} AS is_proven
    FROM ({pages}) WHERE {run} AND lastmod_at IS NOT NULL
), listed AS (
    SELECT document_id, url AS name, {request_time} AS is_request_time
    FROM documents WHERE {run} AND kind IN {kinds} AND error IS NULL
), dated AS (
    SELECT document_id, loc_hash, lastmod, lastmod_at, {future} AS is_future FROM urls WHERE {run}
), raised AS (
    SELECT document_id, list_sort(list(DISTINCT code)) AS rules FROM findings
    WHERE {run} AND starts_with(code, '{family}') GROUP BY document_id
)
SELECT any_value(l.name), coalesce(any_value(r.rules), []), count(d.document_id),
    count(d.document_id) FILTER (d.lastmod IS NULL),
    count(*) FILTER (d.lastmod IS NOT NULL AND d.lastmod_at IS NULL),
    {counts}
FROM listed AS l
LEFT JOIN dated AS d USING (document_id)
LEFT JOIN judged AS j ON j.loc_hash = d.loc_hash AND j.lastmod = d.lastmod
LEFT JOIN raised AS r ON r.document_id = l.document_id
GROUP BY l.document_id ORDER BY l.document_id
"""

_FOLLOWED = """
WITH changed AS (
    SELECT page_hash, max(lastmod_at) AS lastmod_at FROM ({pages})
    WHERE {run} AND lastmod_at IS NOT NULL AND page_hash IS NOT NULL GROUP BY page_hash
), requests AS (
    SELECT agent, page_hash, min(first_at) AS first_at, max(last_at) AS last_at FROM {logs}
    WHERE verdict <> 'impostor' AND page_hash IN (SELECT page_hash FROM changed) GROUP BY ALL
), spans AS (
    SELECT agent, min(first_at) AS since, max(last_at) AS until FROM requests GROUP BY agent
)
SELECT s.agent, count(*) AS changed, count(*) FILTER (r.last_at >= c.lastmod_at)
FROM spans AS s
JOIN changed AS c ON c.lastmod_at BETWEEN s.since AND s.until - INTERVAL {days} DAY
LEFT JOIN requests AS r ON r.agent = s.agent AND r.page_hash = c.page_hash
GROUP BY s.agent ORDER BY changed DESC, s.agent
"""


def dates_of_sitemaps(store: Store, run: RunRow) -> tuple[SitemapDates, ...]:
    """Return the dates of each sitemap of a run that lists pages, in order."""
    started = f"make_timestamp({(run.started_at - EPOCH).total_seconds() * 1_000_000:.0f})"
    dated = f"d.lastmod_at IS NOT NULL AND {ENTRY_VERDICT}"
    statement = _COUNTED.format(
        verdict=page_verdict(),
        pages=_pages(store),
        run=f"{RUN_ID} = {run.run_id:d}",
        proven=LASTMOD_IS_PROVEN,
        request_time=is_request_time(started),
        future=is_future(started),
        kinds=sql_list(PAGE_LIST_KINDS),
        family=DATE_FAMILY,
        counts=", ".join(f"count(*) FILTER ({dated} = '{verdict}')" for verdict in DateVerdict),
    )
    return tuple(
        SitemapDates(
            url=url,
            rules=tuple(rules),
            entries=entries,
            absent=absent,
            invalid=invalid,
            **{verdict.value: count for verdict, count in zip(DateVerdict, counts, strict=True)},
        )
        for url, rules, entries, absent, invalid, *counts in store.rows(statement)
    )


def text_dates(store: Store, run_id: int) -> tuple[TextDateOfPage, ...]:
    """Return the pages whose text has a date in git, those with a false lastmod first, the farthest off first."""
    statement = f"""
        SELECT url, lastmod, date_diff('day', page_modified_at, lastmod_at), {page_verdict()} AS verdict,
            proof_path, proof_commit, page_modified_at, proof_subject, proof_words, proof_files
        FROM ({_pages(store)}) WHERE {RUN_ID} = {run_id:d} AND proof_commit IS NOT NULL
        ORDER BY verdict IN ('{DateVerdict.INFLATED}', '{DateVerdict.FROZEN}') DESC,
            abs(date_diff('day', page_modified_at, lastmod_at)) DESC, url
    """
    return tuple(
        TextDateOfPage(
            url=url,
            lastmod=lastmod,
            proof=DateProof(path, commit, committed.replace(tzinfo=UTC), *change),
            days=days,
            verdict=DateVerdict(verdict),
        )
        for url, lastmod, days, verdict, path, commit, committed, *change in store.rows(statement)
    )


def sum_counts(sitemaps: tuple[SitemapDates, ...]) -> DateCounts:
    names = DateCounts.__struct_fields__
    return DateCounts(**{name: sum(getattr(sitemap, name) for sitemap in sitemaps) for name in names})


def crawlers_following(store: Store, run_id: int) -> tuple[CrawlerFollowing, ...]:
    """Return whether crawlers request pages after their lastmod; nothing without access logs."""
    # A store from an older urlset lacks the table.
    if not store.has_table(CRAWLS.name):
        return ()
    statement = _FOLLOWED.format(
        pages=_pages(store), run=f"{RUN_ID} = {run_id:d}", logs=CRAWLS.name, days=DAYS_TO_FOLLOW
    )
    return tuple(CrawlerFollowing(*row) for row in store.rows(statement))


def _pages(store: Store) -> str:
    """Return SQL for the table of pages, with null for columns that an older store lacks."""
    return f"SELECT {RUN_ID}, {store.selection(PAGES)} FROM {PAGES.name}"
