"""Result of `coverage`: what search engines report about URLs, and how many listed URLs get how far to their index."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from urlset.errors import ExitCode
from urlset.model.result import with_short_repr

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime
    from pathlib import Path

    from urlset.errors import Unreadable
    from urlset.model.audit import Share
    from urlset.model.report import Report
    from urlset.options.coverage import By

GOOGLE = "google"
BING = "bing"


class IndexState(StrEnum):
    """Whether a URL is in the index of a search engine."""

    INDEXED = "indexed"
    NOT_INDEXED = "not-indexed"


class IndexReason(StrEnum):
    """Why a URL is in an index, or not.

    The names follow Search Console: https://support.google.com/webmasters/answer/7440203
    """

    SUBMITTED_AND_INDEXED = "submitted-and-indexed"
    INDEXED_NOT_SUBMITTED = "indexed-not-submitted"
    INDEXED_THOUGH_BLOCKED = "indexed-though-blocked"
    """robots.txt blocks it, but it is indexed."""
    INDEXED_WITHOUT_CONTENT = "indexed-without-content"
    CRAWLED_NOT_INDEXED = "crawled-not-indexed"
    DISCOVERED_NOT_INDEXED = "discovered-not-indexed"
    """It was never crawled."""
    UNKNOWN_TO_ENGINE = "unknown-to-engine"
    """The search engine has never seen the URL."""
    ALTERNATE_CANONICAL = "alternate-canonical"
    """The page declares another canonical, which the search engine accepted."""
    DUPLICATE_WITHOUT_CANONICAL = "duplicate-without-canonical"
    DUPLICATE_OTHER_CANONICAL = "duplicate-other-canonical"
    """The search engine chose another canonical than the page declares."""
    NOINDEX = "noindex"
    BLOCKED_BY_ROBOTS = "blocked-by-robots"
    REDIRECT = "redirect"
    REDIRECT_ERROR = "redirect-error"
    NOT_FOUND = "not-found"
    SOFT_404 = "soft-404"
    UNAUTHORIZED = "unauthorized"
    FORBIDDEN = "forbidden"
    OTHER_4XX = "other-4xx"
    SERVER_ERROR = "server-error"
    REMOVED = "removed"
    """It was removed at the request of the owner of the site."""

    @property
    def state(self) -> IndexState:
        """The state that it is a reason for."""
        return IndexState.INDEXED if self in _INDEXED else IndexState.NOT_INDEXED


_INDEXED = frozenset(
    {
        IndexReason.SUBMITTED_AND_INDEXED,
        IndexReason.INDEXED_NOT_SUBMITTED,
        IndexReason.INDEXED_THOUGH_BLOCKED,
        IndexReason.INDEXED_WITHOUT_CONTENT,
    }
)


class ExportKind(StrEnum):
    """What an imported file is; the value is the column `source` of `index_states`."""

    SEARCH_CONSOLE = "search-console"
    """The URLs of one reason, or the indexed ones, from Search Console."""
    BING = "bing"
    """The URLs of Site Explorer, from Bing Webmaster Tools."""
    CSV = "csv"
    """Any other CSV file, with `--fields`."""


INSPECTION = "url-inspection"
"""The column `source` of `index_states` for the URL Inspection API."""


@dataclass(frozen=True, slots=True)
class ImportedFile:
    """A file that was imported.

    Attributes:
        path: The file.
        kind: What it is.
        engine: The search engine.
        urls: Number of URLs in it.
        states: Number of URLs by state; those without a state count for none.
        reason: The reason that applies to all of its URLs, as written; None without one.
        unknown_reasons: Reasons that urlset does not know, with the number of their URLs.
        skipped: Number of rows without an absolute http(s) URL, which were not imported.
        unread_dates: Number of dates that could not be read; these URLs have no date.
        at: The date of the report, UTC.
        is_dated: Whether the file has this date; otherwise it is the time of the import.
        is_cut: Whether it has as many URLs as an export can have, so that more may exist.
    """

    path: str
    kind: ExportKind
    engine: str
    urls: int
    states: Mapping[IndexState, int]
    reason: str | None
    unknown_reasons: Mapping[str, int]
    skipped: int
    unread_dates: int
    at: datetime
    is_dated: bool
    is_cut: bool


@with_short_repr
@dataclass(frozen=True, slots=True)
class ImportResult:
    """Result of `coverage import`.

    Attributes:
        store: The store.
        files: The files, in the given order.
        urls: Number of different URLs with a report of these search engines in the store.
        left_out: Exports of other reports, which say nothing about indexing.
    """

    store: Path
    files: tuple[ImportedFile, ...]
    urls: int
    left_out: tuple[Unreadable, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """What is known about one step of the funnel.

    Attributes:
        yes: Number of listed URLs that got there.
        no: Number of listed URLs that did not.
        unknown: Number of listed URLs for which this is not known.
    """

    yes: int
    no: int
    unknown: int

    @property
    def known(self) -> int:
        """Number of listed URLs for which this is known."""
        return self.yes + self.no


@dataclass(frozen=True, slots=True)
class FunnelRow:
    """How far the listed URLs of a sitemap, of a section, or of all get.

    Attributes:
        name: The sitemap or the section; empty for all.
        listed: Number of different listed URLs.
        fetched: Those that crawlers of the search engine fetched.
        indexable: Those whose pages are indexable at the listed URL, according to the run.
        indexed: Those that the search engine reports as indexed.
    """

    name: str
    listed: int
    fetched: Step
    indexable: Step
    indexed: Step


@dataclass(frozen=True, slots=True)
class ReasonCount:
    """A reason with the number of its URLs.

    Attributes:
        reason: The reason, or the state without one; None if neither is known.
        urls: Number of URLs.
    """

    reason: str | None
    urls: int


@dataclass(frozen=True, slots=True)
class Funnel:
    """How far listed URLs get: listed, fetched by crawlers, indexable, indexed.

    Attributes:
        engine: The search engine; None if the store has no report of any.
        engines: All search engines with reports in the store.
        crawlers: The crawlers whose requests count as fetched.
        total: All listed URLs, each counted once.
        by: What the rows are.
        rows: The sitemaps or sections, those with most listed URLs first.
        more_rows: Number of rows that are left out.
        reasons: Number of listed URLs by reason, most frequent first.
        oldest: The date of the oldest report that counts, UTC; None without reports.
        newest: The date of the newest report that counts, UTC; None without reports.
        logs: The period of the access logs that were read, UTC; None without logs.
        logged_hosts: Hosts of listed URLs with requests of crawlers in the access logs.
        requested: Number of listed URLs with a request in the access logs that counts as fetched.
        verified: Number of these URLs with a request whose address belongs to the crawler.
        unlisted: Number of URLs that are indexed and not listed; None if the run may not have all sitemaps.
        elsewhere: Number of reported URLs on hosts without a listed URL, which are left out.
    """

    engine: str | None
    engines: tuple[str, ...]
    crawlers: tuple[str, ...]
    total: FunnelRow
    by: By
    rows: tuple[FunnelRow, ...]
    more_rows: int
    reasons: tuple[ReasonCount, ...]
    oldest: datetime | None
    newest: datetime | None
    logs: tuple[datetime, datetime] | None
    logged_hosts: int
    requested: int
    verified: int
    unlisted: int | None
    elsewhere: int


@with_short_repr
@dataclass(frozen=True, slots=True)
class CoverageResult:
    """Result of `coverage`.

    Attributes:
        store: The store.
        run_id: The run whose sitemaps and pages count.
        made_at: When that run ended, UTC.
        funnel: How far the listed URLs get.
        report: The findings of the rules on coverage.
    """

    store: Path
    run_id: int
    made_at: datetime
    funnel: Funnel
    report: Report


class InspectOutcome(StrEnum):
    """How an inspection ended."""

    COMPLETE = "complete"
    """Every URL of the sample was inspected, or failed for itself."""
    QUOTA = "quota"
    """The quota of the day is used up, by urlset's own count or according to Google."""
    STOPPED = "stopped"
    """The API could not be reached, or failed repeatedly."""


@with_short_repr
@dataclass(frozen=True, slots=True)
class InspectResult:
    """Result of `coverage inspect`.

    Attributes:
        store: The store.
        site: The property of Search Console.
        outcome: How it ended.
        reason: Why it stopped, as a message; None if it is complete.
        next_at: When it can go on, UTC; None if it is complete, or unknown.
        listed: Number of different listed URLs of the property.
        outside: Number of listed URLs that do not belong to the property.
        sample: Number of URLs in the sample.
        inspected: Number of URLs of the sample that are inspected, in this call and before.
        failed: Number of URLs that the API refused or could not inspect, with the reason.
        asked: Number of requests in this call.
        used: Number of requests for the property in the last 24 hours, including this call.
        per_day: Maximum number of requests in 24 hours.
        indexed: The share of indexed URLs, with its 95% confidence interval for all listed URLs of the property; None
            if nothing is inspected yet.
        reasons: Number of inspected URLs by reason, most frequent first.
        notes: What was not done as the options say.
    """

    store: Path
    site: str
    outcome: InspectOutcome
    reason: str | None
    next_at: datetime | None
    listed: int
    outside: int
    sample: int
    inspected: int
    failed: Mapping[str, int]
    asked: int
    used: int
    per_day: int
    indexed: Share | None
    reasons: tuple[ReasonCount, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def exit_code(self) -> ExitCode:
        return ExitCode.UNREADABLE if self.outcome is InspectOutcome.STOPPED else ExitCode.CLEAN
