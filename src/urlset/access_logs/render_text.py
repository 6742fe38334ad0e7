"""Text report of `logs`: what was read, the crawlers, their requests for sitemaps, and what to know about both."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from urlset.model.access_log import NOTABLE_SHARE, STATUS_CLASSES, Verdict
from urlset.model.query import QueryResult
from urlset.report.command_tables import Table
from urlset.report.paint import Role
from urlset.report.rows import table
from urlset.report.style import Style
from urlset.report.text import render as report_lines
from urlset.text.safe import safe
from urlset.text.sizes import enumeration, inflect, quantity

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from urlset.model.access_log import CrawlerHits, LogRead, LogsResult
    from urlset.model.crawl_report import CrawlerCoverage, CrawlReport, SectionWaste
    from urlset.model.page_explanation import CrawlsOfPage

STALE = timedelta(days=30)
"""Age of a list of addresses from which it is reported: operators change them, some of them daily."""

MAX_LOGS = 20
"""Number of logs to show without --verbose."""

COLUMNS = (
    "crawler", "verdict", "requests", "URLs", "sitemaps", *(f"{digit}xx" for digit in STATUS_CLASSES), "last (UTC)",
)  # fmt: skip
COVERAGE_COLUMNS = ("crawler", "listed", "fetched", "fresh", "requests", "wasted", "delay after a change")
SITEMAP_COLUMNS = ("document", "crawler", "verdict", "requests", "last (UTC)", "last status")


def render(result: LogsResult, style: Style = Style()) -> Iterator[str]:
    first_logs = result.logs[:MAX_LOGS]
    for log in first_logs:
        yield from _log(log, style)
    if rest := result.logs[MAX_LOGS:]:
        lines, hits = sum(log.lines for log in rest), sum(log.hits for log in rest)
        yield (
            f"{quantity(len(rest), 'more log')}: {quantity(lines, 'line')} read, "
            f"{quantity(hits, 'request')} of crawlers"
        )
    for name in result.skipped:
        yield style.paint(f"{safe(name)}: skipped; it is not an access log in a known format", Role.FAINT)
    if result.logs or result.skipped:
        yield ""
    if not result.crawlers:
        yield "No requests of known crawlers."
    else:
        yield from _crawlers(result, style)
    for note in _notes(result):
        yield style.paint(note, Role.FAINT)
    yield ""
    if result.crawl is not None:
        yield from _comparison_lines(result.crawl, style)
    elif result.uncompared is not None:
        yield style.paint(f"Not compared with a run: {result.uncompared}.", Role.FAINT)
    if result.store is not None:
        yield style.paint(f"Store: {safe(str(result.store))}", Role.FAINT)


def _log(log: LogRead, style: Style) -> Iterator[str]:
    name = style.paint(safe(log.name), Role.PLACE)
    if log.format is None:
        yield f"{name}: no lines"
    elif log.start and not log.lines:
        yield f"{name}: nothing new since it was read before"
    else:
        packed = "" if log.compression == "none" else f", {log.compression}"
        what = "new line" if log.start else "line"
        yield (
            f"{name}: {log.format}{packed}, {quantity(log.lines, what)}, "
            f"{quantity(log.hits, 'request')} of crawlers, {log.people:,} of others"
        )
    yield from (f"  {style.paint('warning:', Role.WARNING)} {text}" for text in _warnings(log))


def _warnings(log: LogRead) -> Iterator[str]:
    if log.unreadable_share > NOTABLE_SHARE:
        share = f"{log.unreadable_share:.0%}" if log.unreadable_share >= 0.1 else f"{log.unreadable_share:.1%}"
        yield f"{quantity(log.unreadable, 'line')} ({share}) cannot be read as {log.format}"
    elif log.unreadable:
        yield f"{quantity(log.unreadable, 'line')} cannot be read as {log.format}"
    if log.cut:
        yield f"{quantity(log.cut, 'line')} longer than 64 KiB {inflect(log.cut, 'was', 'were')} cut"
    if log.damage is not None:
        yield f"{safe(log.damage)}; everything before that was read"
    if log.torn_bytes:
        yield f"the last {quantity(log.torn_bytes, 'byte')} have no line break yet and are left for the next time"
    if log.unnamed and log.unnamed == log.lines - log.unreadable:
        yield "no line has a user agent, so crawlers are missing; log the header, or name its field"
    if log.statusless and log.statusless == log.hits:
        yield "no request of a crawler has a readable status code; errors and redirects are unknown"
    elif log.statusless:
        yield f"{quantity(log.statusless, 'request')} of crawlers without a readable status code"
    for count, what in (
        (log.agentless, "without a user agent skipped, so crawlers among them are missing"),
        (log.future, "dated in the future skipped; check the clock of the server"),
        (log.early, "before --since skipped; later runs do not read them again"),
        (log.elsewhere, "of crawlers for other sites skipped"),
        (log.hostless, "of crawlers without a valid host skipped"),
        (log.pathless, "of crawlers without a path skipped"),
    ):
        if count:
            yield f"{quantity(count, 'request')} {what}"
    if log.schemeless:
        yield (
            f"{quantity(log.schemeless, 'request')} of crawlers without a scheme counted as https; "
            "--site http://… changes that"
        )
    for count, why in (
        (log.clientless, "the log does not say who the client is"),
        (log.addressless, "the client is not an IP address but a host name, `unknown`, or another text"),
        (log.private, "the client has an address of a private network, that of a proxy"),
    ):
        if count:
            yield f"{quantity(count, 'request')} of crawlers cannot be verified: {why}"
    if log.forwarded:
        yield (
            f"{quantity(log.forwarded, 'request')} of crawlers with several addresses: the first public one counts as "
            "the client; a client can forge it unless your proxy replaces X-Forwarded-For"
        )


def _crawlers(result: LogsResult, style: Style) -> Iterator[str]:
    if result.first_at is not None and result.last_at is not None:
        yield style.paint(
            f"Crawlers from {result.first_at:%Y-%m-%d} to {result.last_at:%Y-%m-%d}, all logs in the store:",
            Role.HEADING,
        )
    yield from table(COLUMNS, [_row(crawler) for crawler in result.crawlers], style)
    if result.sitemaps:
        yield ""
        first, total = len(result.sitemaps), result.sitemaps_total
        more = f", first {first} of {total:,}" if total > first else ""
        yield style.paint(f"Sitemaps and robots.txt{more}:", Role.HEADING)
        rows = [
            (
                sitemap.document,
                sitemap.agent,
                sitemap.verdict.value,
                sitemap.hits,
                _minute(sitemap.last_at),
                sitemap.last_status,
            )
            for sitemap in result.sitemaps
        ]
        yield from table(SITEMAP_COLUMNS, rows, style)
    yield ""


def _comparison_lines(crawl: CrawlReport, style: Style) -> Iterator[str]:
    """Yield what each crawler requested of the listed URLs, and the findings."""
    overview = crawl.overview
    yield style.paint(f"Compared with run {overview.run_id}:", Role.HEADING)
    rows = [
        (
            crawler.agent,
            crawler.listed,
            crawler.fetched,
            f"{crawler.fresh:,} of {crawler.dated:,}",
            crawler.hits,
            wasted_share(crawler),
            delay(crawler),
        )
        for crawler in overview.crawlers
        if crawler.hits
    ]
    yield from table(COVERAGE_COLUMNS, rows, style)
    if overview.more_crawlers:
        yield style.paint(f"{quantity(overview.more_crawlers, 'more crawler')} in the table log_crawlers", Role.FAINT)
    yield ""
    yield from report_lines(crawl.report, style)


def wasted_share(part: CrawlerCoverage | SectionWaste) -> str:
    """Return the share of requests for URLs that are not listed, or that got a redirect; `–` without requests."""
    return f"{part.wasted_hits / part.page_hits:.0%}" if part.page_hits else "–"


def delay(crawler: CrawlerCoverage) -> str:
    """Return the median time from a changed lastmod to the next request, in words; `–` if it is unknown."""
    if crawler.delay_days is None:
        return "–"
    about = "about " if crawler.delay_is_estimate else ""
    return f"{about}{crawler.delay_days:.1f} days ({quantity(crawler.delay_urls, 'URL')})"


def stored_requests(crawls: Sequence[CrawlsOfPage]) -> Iterator[str]:
    """Yield a line on the requests of each crawler for one page."""
    for crawl in crawls:
        statuses = ", ".join(f"{status} ({count:,})" for status, count in crawl.statuses.items())
        yield (
            f"{safe(crawl.agent)} ({safe(crawl.verdict)}): {quantity(crawl.hits, 'request')}, the last on "
            f"{crawl.last_at:%Y-%m-%d}: {statuses or 'no status'}"
        )
    if not crawls:
        yield "no crawler requested it, according to the access logs"


def _row(crawler: CrawlerHits) -> tuple[object, ...]:
    head = (crawler.agent.name, crawler.verdict.value, crawler.hits, crawler.urls, crawler.sitemap_hits)
    return (*head, *crawler.by_class, _minute(crawler.last_at))


def _minute(at: datetime) -> str:
    return at.replace(tzinfo=None).isoformat(sep=" ", timespec="minutes")


def _notes(result: LogsResult) -> Iterator[str]:
    """Yield what was assumed, and what to know about the verdicts."""
    if result.assumed_site is not None:
        yield (
            f"Logs without host names are of {safe(result.assumed_site)}, the site of the runs in the store; name "
            "another with --site."
        )
    unknown = sorted({crawler.agent.name for crawler in result.crawlers if crawler.verdict is Verdict.UNVERIFIED})
    if unknown and not result.is_checked:
        yield (
            "Unverified crawlers can be any client that sends their user agents. Verify their addresses with --ranges "
            "DIR or --dns."
        )
    elif unknown:
        yield (
            f"Unverified requests of {enumeration(unknown)}: no list or lookup covers the crawler, or the log does "
            "not have the address of the client."
        )
    if result.is_checked and any(log.start for log in result.logs):
        yield "Requests that were read before keep their verdicts; to verify them, read the logs into another store."
    if result.unasked:
        yield f"{quantity(result.unasked, 'address', 'addresses')} not looked up in DNS, because there were too many."
    now = datetime.now(UTC)
    for entry in result.lists:
        if not entry.is_used:
            yield f"{safe(entry.name)}: not used; no known crawler has a list with this name."
        elif entry.made_at is None:
            yield f"{safe(entry.name)}: has no creation date, so it may be out of date."
        elif now - entry.made_at > STALE:
            yield (
                f"{safe(entry.name)}: {quantity((now - entry.made_at).days, 'day')} old; crawlers with newer addresses "
                "count as impostors. Download it again."
            )


def _crawler_rows(result: LogsResult) -> QueryResult:
    """Return a row per crawler and verdict."""
    columns = (
        "agent", "operator", "purpose", "verdict", "urls", "hits", "sitemap_hits",
        *(f"status_{digit}xx" for digit in STATUS_CLASSES), "first_at", "last_at",
    )  # fmt: skip
    cells = (
        (
            crawler.agent.name, crawler.agent.operator, crawler.agent.purpose.value, crawler.verdict.value,
            crawler.urls, crawler.hits, crawler.sitemap_hits, *crawler.by_class, crawler.first_at, crawler.last_at,
        )
        for crawler in result.crawlers
    )  # fmt: skip
    return QueryResult(columns, (), cells)


CRAWLERS = Table(of=_crawler_rows)
