"""Finds when a page was listed and changed, and when search engines read its sitemap, crawled, and reported it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from urlset.model.page_timeline import EventKind, PageEvent, PageTimeline
from urlset.model.reported import NAMES
from urlset.net.origin import origin_url
from urlset.store.file import RUN_ID, utc
from urlset.store.page_states import states_of_page
from urlset.store.possible import POSSIBLE_REPORT
from urlset.store.stored_values import stored_values
from urlset.store.url_hashes import same_url
from urlset.tables import (
    CRAWL_DAYS,
    CUTS,
    DOCUMENTS,
    INDEX_STATES,
    LIMITS_REACHED,
    LOG_FILES,
    PAGE_CRAWLS,
    SEARCH_ANALYTICS,
    SEARCH_ANALYTICS_DAYS,
    SITEMAP_FETCHES,
    SITEMAP_READINGS,
    URLS,
)
from urlset.text.sizes import quantity
from urlset.web.agents import Purpose, names_for
from urlset.web.indexability import phrase

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from urlset.model.run import RunRow
    from urlset.store.file import Store
    from urlset.store.page_states import PageState

ENGINES = {"Googlebot": "google", "Bingbot": "bing"}
"""The search engine, as in reports, whose crawler requests pages under a product token."""

MAX_REPORTS = 200
"""Maximum reports of a page to read; the newest ones."""

MAX_DAYS = 2_000
"""Maximum days with requests of a page to read; the newest ones."""

_DAY = timedelta(days=1)
_LIMITS = ", ".join(f"'{kind}'" for kind in LIMITS_REACHED)
_READ = "status BETWEEN 200 AND 299 OR status = 304"


class _Reports(NamedTuple):
    """A report of a search engine on the page."""

    engine: str
    at: datetime
    state: str | None
    reason: str | None
    last_crawled: datetime | None


class _Logs(NamedTuple):
    """The access logs of a site.

    Attributes:
        last_at: Their end.
        days: The days on which they have a request of any crawler.
        verified: The crawlers that they have verified requests of.
    """

    last_at: datetime
    days: frozenset[datetime]
    verified: frozenset[str]


def timeline_of_page(store: Store, url: str, page_hash: int, runs: Sequence[RunRow]) -> PageTimeline:
    """Return what happened to a page.

    Args:
        runs: The finished runs of its site, oldest first.

    Raises:
        InputError: The store is damaged.
    """
    events = [*_of_runs(store, url, page_hash, runs)]
    change = max((event for event in events if event.kind in _NEW_CONTENT), key=lambda event: event.at, default=None)
    reports = _reports(store, page_hash)
    events += _of_reports(reports)
    events += _of_impressions(store, page_hash)
    logs = _logs(store, url)
    days, failed = _crawl_days(store, page_hash, good=True), _crawl_days(store, page_hash, good=False)
    reads = _sitemap_reads(store, url)
    waiting = []
    agents = [*ENGINES, *(name for name in names_for(Purpose.SEARCH) if name not in ENGINES)]
    for agent in agents:
        engine = ENGINES.get(agent)
        of_agent = days.get(agent, [])
        of_engine = [report for report in reports if report.engine == engine]
        read = sorted({*reads.get(agent, []), *reads.get(engine or "", [])})
        events += _of_crawler(agent, of_agent, read, change)
        evidence = _Evidence(agent, engine, of_agent, failed.get(agent, []), read, of_engine, logs)
        if change is not None and (of_agent or evidence.failed or of_engine or read):
            waiting.append(_since(change, evidence))
    return PageTimeline(tuple(sorted(events, key=lambda event: (event.at, event.kind))), tuple(waiting))


_NEW_CONTENT = (EventKind.LISTED, EventKind.TEXT_CHANGED)


def _of_runs(store: Store, url: str, page_hash: int, runs: Sequence[RunRow]) -> Iterator[PageEvent]:
    """Yield the first listing, and the last change of each kind between two audits."""
    states = states_of_page(store, page_hash, runs)
    if (listed := _first_listing(store, url, runs, states)) is not None:
        yield listed
    last: dict[EventKind, PageEvent] = {}
    for earlier, later in pairwise(states):
        for kind, what in _changes(earlier, later):
            last[kind] = PageEvent(
                kind=kind, after=earlier.last_at, at=later.first_at, what=what, evidence="two audits"
            )
    yield from last.values()
    never = next((state for state in states if state.is_indexable is False and state.reason is not None), None)
    if never is not None and EventKind.VERDICT_CHANGED not in last:
        what = f"not indexable: {phrase(never.reason, None)}"
        yield PageEvent(
            kind=EventKind.VERDICT_CHANGED, after=None, at=never.first_at, what=what, evidence="the first audit of it"
        )


def _changes(earlier: PageState, later: PageState) -> Iterator[tuple[EventKind, str]]:
    is_text_known = None not in (earlier.content_hash, later.content_hash)
    if is_text_known and earlier.text_version == later.text_version and earlier.content_hash != later.content_hash:
        yield EventKind.TEXT_CHANGED, "main text changed"
    if earlier.lastmod_at != later.lastmod_at:
        is_gone = later.lastmod_at is None
        yield (
            EventKind.LASTMOD_CHANGED,
            f"lastmod {'removed' if is_gone else f'changed to {later.lastmod_at:%Y-%m-%d}'}",
        )
    if later.is_indexable is not None and earlier.is_indexable not in (None, later.is_indexable):
        verdict = "became indexable" if later.is_indexable else f"no longer indexable: {phrase(later.reason, None)}"
        yield EventKind.VERDICT_CHANGED, verdict


def _first_listing(store: Store, url: str, runs: Sequence[RunRow], states: Sequence[PageState]) -> PageEvent | None:
    """Return when the page was first listed; None if no run lists it."""
    rows = store.rows(f"SELECT DISTINCT {RUN_ID} FROM {URLS.name} WHERE {same_url(url)}")
    listing = {run_id for (run_id,) in rows}
    place = next((place for place, run in enumerate(runs) if run.run_id in listing), None)
    after, at, evidence = None, None, "the oldest audit in the store"
    if place is not None:
        run = runs[place]
        at = run.finished_at or run.started_at
        if place and not (states and states[0].first_at < run.started_at):
            # Another run may have read other sitemaps.
            before = next((each for each in reversed(runs[:place]) if each.targets == run.targets), None)
            if before is not None:
                evidence = f"run {run.run_id} lists it; run {before.run_id} did not"
                if is_whole(store, before.run_id):
                    after = before.started_at
                else:
                    evidence += ", but could not read all sitemaps"
    if states and after is None:
        at = min(filter(None, (at, states[0].first_at)))
    return (
        None
        if at is None
        else PageEvent(kind=EventKind.LISTED, after=after, at=at, what="first listed", evidence=evidence)
    )


def is_whole(store: Store, run_id: int) -> bool:
    """Return whether a run read all sitemaps that it found to their end, and reached no limit."""
    of_run = f"{RUN_ID} = {run_id:d}"
    parts = [f"SELECT 1 FROM {DOCUMENTS.name} WHERE {of_run} AND (error_kind IS NOT NULL OR complete = false)"]
    if store.has_table(CUTS.name):
        parts.append(f"SELECT 1 FROM {CUTS.name} WHERE {of_run} AND kind IN ({_LIMITS})")
    return not store.rows(f"{' UNION ALL '.join(parts)} LIMIT 1")


def _reports(store: Store, page_hash: int) -> list[_Reports]:
    """Return the reports on the page, oldest first."""
    if not store.has_table(INDEX_STATES.name):
        return []
    rows = store.rows(
        f'SELECT engine, "at", state, coalesce(reason_text, reason), last_crawled FROM {INDEX_STATES.name} '
        f'WHERE page_hash = {page_hash:d} AND {POSSIBLE_REPORT} ORDER BY "at" DESC, engine, source LIMIT {MAX_REPORTS}'
    )
    with stored_values(store.path, "the reports on a page"):
        return [
            _Reports(engine, utc(at), state, reason, None if crawled is None else utc(crawled))
            for engine, at, state, reason, crawled in reversed(rows)
        ]


def _of_reports(reports: Sequence[_Reports]) -> Iterator[PageEvent]:
    """Yield for each search engine when it first reported the last state."""
    for engine in dict.fromkeys(report.engine for report in reports):
        own = [report for report in reports if report.engine == engine and report.state is not None]
        for place in range(len(own) - 1, -1, -1):
            report, before = own[place], own[place - 1] if place else None
            if before is not None and before.state == report.state and before.reason == report.reason:
                continue
            state = "indexed" if report.state == "indexed" else f"not indexed{_why(report)}"
            yield PageEvent(
                kind=EventKind.REPORTED,
                after=None if before is None else before.at,
                at=report.at,
                what=f"{NAMES.get(engine, engine)} reports it as {state}",
                evidence="reports of the search engine",
            )
            break


_IMPRESSIONS = f"""
WITH of_page AS (
    SELECT property, search_type, min(day) AS first, max(day) AS last FROM {SEARCH_ANALYTICS.name}
    WHERE page_hash = $1 AND impressions > 0 GROUP BY ALL
)
SELECT (SELECT min(first) FROM of_page), (SELECT max(last) FROM of_page), (
    SELECT max(d.day) FROM {SEARCH_ANALYTICS_DAYS.name} AS d JOIN of_page AS p USING (property, search_type)
    WHERE d.day < (SELECT min(first) FROM of_page) AND NOT d.is_cut AND NOT d.is_provisional
)
"""


def _of_impressions(store: Store, page_hash: int) -> Iterator[PageEvent]:
    """Yield the first and the last impression, of the page itself or else of the canonical that Google reports."""
    if not store.has_table(SEARCH_ANALYTICS.name):
        return
    where = ""
    [(first, last, before)] = store.rows(_IMPRESSIONS, [page_hash])
    if first is None and (canonical := _canonical(store, page_hash)) is not None:
        where = ", at the canonical that Google reports"
        [(first, last, before)] = store.rows(_IMPRESSIONS, [canonical])
    if first is None:
        return
    with stored_values(store.path, "the impressions of a page"):
        first, last, before = utc(first), utc(last), None if before is None else utc(before)
    evidence = "Search Analytics of Google; days are in Pacific time"
    # The days before may never have been requested.
    after = first if before == first - _DAY else before
    yield PageEvent(
        kind=EventKind.IMPRESSION, after=after, at=first, what=f"first impression in Google{where}", evidence=evidence
    )
    if last > first:
        yield _event(EventKind.IMPRESSION, last, f"last impression in Google{where}", evidence)


def _canonical(store: Store, page_hash: int) -> int | None:
    """Return the page_hash of the canonical that Google reported last, if it is another page."""
    if not store.has_table(INDEX_STATES.name):
        return None
    rows = store.rows(
        f"SELECT canonical_hash FROM {INDEX_STATES.name} WHERE page_hash = $1 AND engine = 'google' "
        f'AND canonical_hash <> $1 AND {POSSIBLE_REPORT} ORDER BY "at" DESC LIMIT 1',
        [page_hash],
    )
    return rows[0][0] if rows else None


def _why(report: _Reports) -> str:
    return "" if report.reason is None else f" ({report.reason})"


def _logs(store: Store, url: str) -> _Logs | None:
    if not store.has_table(LOG_FILES.name):
        return None
    site = origin_url(url)
    [(last,)] = store.rows(f"SELECT max(last_at) FROM {LOG_FILES.name} WHERE site IS NULL OR site = $1", [site])
    if last is None:
        return None
    rows = store.rows(f"SELECT DISTINCT day, agent, verdict FROM {CRAWL_DAYS.name} WHERE site = $1", [site])
    days = frozenset(utc(day) for day, _, _ in rows)
    return _Logs(utc(last), days, frozenset(agent for _, agent, verdict in rows if verdict == "verified"))


def _crawl_days(store: Store, page_hash: int, *, good: bool) -> dict[str, list[datetime]]:
    """Return the days on which each verified crawler got the page, or only errors and redirects, in ascending order."""
    if not store.has_table(PAGE_CRAWLS.name):
        return {}
    rows = store.rows(
        f"SELECT agent, day FROM {PAGE_CRAWLS.name} WHERE page_hash = {page_hash:d} "
        f"GROUP BY ALL HAVING (sum(good_hits) > 0) = {good} ORDER BY day DESC LIMIT {MAX_DAYS}"
    )
    days: dict[str, list[datetime]] = {}
    for agent, day in reversed(rows):
        days.setdefault(agent, []).append(utc(day))
    return days


def _sitemap_reads(store: Store, url: str) -> dict[str, list[datetime]]:
    """Return when the sitemaps that list the page were read: by verified crawler, and by engine as it reports."""
    lists = (
        f"SELECT DISTINCT unnest([d.url, d.final_url]) FROM {URLS.name} AS u JOIN {DOCUMENTS.name} AS d "
        f"ON d.{RUN_ID} = u.{RUN_ID} AND d.document_id = u.document_id WHERE {same_url(url, 'u.loc', 'u.loc_hash')}"
    )
    parts = []
    if store.has_table(SITEMAP_FETCHES.name):
        parts.append(
            f'SELECT agent AS reader, "at" FROM {SITEMAP_FETCHES.name} '
            f"WHERE verdict = 'verified' AND ({_READ}) AND document IN ({lists})"
        )
    if store.has_table(SITEMAP_READINGS.name):
        parts.append(f"SELECT engine, read_at FROM {SITEMAP_READINGS.name} WHERE url IN ({lists})")
    reads: dict[str, list[datetime]] = {}
    if parts:
        for reader, at in store.rows(f'SELECT DISTINCT reader, "at" FROM ({" UNION ALL ".join(parts)}) ORDER BY "at"'):
            reads.setdefault(reader, []).append(utc(at))
    return reads


def _of_crawler(
    agent: str, days: Sequence[datetime], reads: Sequence[datetime], change: PageEvent | None
) -> Iterator[PageEvent]:
    """Yield when a crawler last read the sitemap, first got the page after the last change, and last got it."""
    if reads:
        yield _event(EventKind.SITEMAP_READ, reads[-1], f"{agent} read its sitemap", "access logs, Sitemaps API")
    after = [day for day in days if change is not None and day > change.at]
    for day in dict.fromkeys((*after[:1], *days[-1:])):
        yield _event(EventKind.CRAWLED, day, f"{agent} requested the page", "access logs, verified by address")


def _event(kind: EventKind, at: datetime, what: str, evidence: str) -> PageEvent:
    return PageEvent(kind=kind, after=at, at=at, what=what, evidence=evidence)


class _Evidence(NamedTuple):
    """The evidence about a search engine.

    Attributes:
        days: The days on which its crawler got the page.
        failed: The days on which it only got errors and redirects.
    """

    agent: str
    engine: str | None
    days: Sequence[datetime]
    failed: Sequence[datetime]
    reads: Sequence[datetime]
    reports: Sequence[_Reports]
    logs: _Logs | None


def _since(change: PageEvent, of: _Evidence) -> str:
    """Return what a search engine has done since a change, in a sentence that says only what is known."""
    what = "it was first listed" if change.kind is EventKind.LISTED else "its text changed"
    crawled = next((day for day in of.days if day > change.at), None)
    reported = [report.last_crawled for report in of.reports if report.last_crawled is not None]
    reported_crawl = next((at for at in reported if at > change.at), None)
    if (got := min(filter(None, (crawled, reported_crawl)), default=None)) is not None:
        return f"{of.agent} requested the page on {got:%Y-%m-%d}, after {what}; {_reported_since(got, of)}"
    # Of the day of the change itself, or of the days between two audits, the order is unknown.
    begin = _day(change.after or change.at)
    if possible := [at for at in (*of.days, *reported) if begin <= at <= change.at]:
        return (
            f"{of.agent} requested the page on {max(possible):%Y-%m-%d}; it is unknown whether this was before "
            f"or after {what}"
        )
    if (failed := next((day for day in of.failed if day > change.at), None)) is not None:
        return f"{of.agent} requested the page on {failed:%Y-%m-%d}, after {what}, but got an error or a redirect"
    read = next((at for at in of.reads if at > change.at), None)
    if of.logs is None or of.logs.last_at <= change.at or of.agent not in of.logs.verified:
        end = _unknown(change, of)
        begun = "" if read is None else f"{of.agent} read the sitemap on {read:%Y-%m-%d}, after {what}; "
        return f"{begun}it is unknown whether {of.agent} has requested the page since: {end}"
    until = f"according to the access logs until {of.logs.last_at:%Y-%m-%d}{_gaps(change.at, of.logs)}"
    if read is not None:
        begun = f"{of.agent} read the sitemap on {read:%Y-%m-%d}, after {what}"
        return f"{begun}, and has not requested the page since, {until}"
    if unordered := [at for at in of.reads if begin <= at <= change.at]:
        return (
            f"{of.agent} has not requested the page since {what}, {until}; it read the sitemap on "
            f"{unordered[-1]:%Y-%m-%d}, which may have been before or after"
        )
    return f"{of.agent} has read neither the sitemap nor the page since {what}, {until}"


def _unknown(change: PageEvent, of: _Evidence) -> str:
    """Return why access logs do not say whether a crawler requested the page since a change."""
    if of.logs is None:
        return "there are no access logs"
    if of.logs.last_at <= change.at:
        return f"the access logs end on {of.logs.last_at:%Y-%m-%d}"
    return "the access logs have no verified request from it; read them again with --ranges or --dns"


def _reported_since(got: datetime, of: _Evidence) -> str:
    name = NAMES.get(of.engine or "", of.agent)
    later = [report for report in of.reports if report.at > got and report.state is not None]
    if not later:
        return f"there is no newer report from {name}" if of.engine is not None else "there are no reports from it"
    report = later[-1]
    state = "indexed" if report.state == "indexed" else f"not indexed{_why(report)}"
    return f"{name} reported it as {state} on {report.at:%Y-%m-%d}"


def _gaps(start: datetime, logs: _Logs) -> str:
    """Return how many of the days of the logs have no request of any crawler: they may be missing."""
    first, count = _day(start) + _DAY, (_day(logs.last_at) - _day(start)).days
    missing = count - sum(1 for number in range(count) if first + number * _DAY in logs.days)
    return f", which have no crawler requests on {quantity(missing, 'day')} since then" if missing else ""


def _day(at: datetime) -> datetime:
    return at.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
