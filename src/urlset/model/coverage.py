"""Result of `coverage`: what search engines report about URLs, and how many listed URLs get how far to their index."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated

from msgspec import Struct, field

from urlset.errors import ExitCode, Unreadable
from urlset.model.audit import Share
from urlset.model.fields import NOT_IN_JSON, Flat, NonNegativeInt, PositiveInt, about, computed
from urlset.model.ranking import RankedFinding
from urlset.model.report import FindingCounts, Report
from urlset.model.result import with_short_repr
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


class ImportedFile(Struct, frozen=True):
    """A file that was imported."""

    path: Annotated[str, about("The file.")] = field(name="file")
    kind: Annotated[ExportKind, about("What it is.")]
    engine: Annotated[str, about("The search engine.")]
    urls: Annotated[NonNegativeInt, about("Number of URLs in it.")]
    states: Annotated[
        Mapping[IndexState, NonNegativeInt], about("Number of URLs by state; those without a state count for none.")
    ]
    reason: Annotated[str | None, about("The reason that applies to all of its URLs, as written; None without one.")]
    unknown_reasons: Annotated[
        Mapping[str, NonNegativeInt], about("Reasons that urlset does not know, with the number of their URLs.")
    ]
    skipped: Annotated[
        NonNegativeInt, about("Number of rows without an absolute http(s) URL, which were not imported.")
    ]
    unread_dates: Annotated[
        NonNegativeInt, about("Number of dates that could not be read, or are in the future; these URLs have no date.")
    ]
    at: Annotated[datetime, about("The date of the report, UTC.")]
    is_dated: Annotated[bool, about("Whether the file has this date; otherwise it is the time of the import.")]
    is_cut: Annotated[bool, about("Whether it has as many URLs as an export can have, so that more may exist.")]
    elsewhere: Annotated[
        NonNegativeInt, about("Number of its URLs on hosts that no run in the store lists; 0 without runs.")
    ] = 0


@with_short_repr
class ImportResult(Struct, frozen=True, kw_only=True):
    """Result of `coverage import`."""

    store: Annotated[Path, about("The store.")]
    urls: Annotated[
        NonNegativeInt, about("Number of different URLs with a report of these search engines in the store.")
    ] = field(name="reported_urls")
    files: Annotated[tuple[ImportedFile, ...], about("The files, in the given order.")]
    left_out: Annotated[
        tuple[Unreadable, ...], about("Exports of other reports, which say nothing about indexing.")
    ] = ()


class Step(Struct, frozen=True):
    """What is known about one step of the funnel."""

    yes: Annotated[NonNegativeInt, about("Number of listed URLs that got there.")]
    no: Annotated[NonNegativeInt, about("Number of listed URLs that did not.")]
    unknown: Annotated[NonNegativeInt, about("Number of listed URLs for which this is not known.")]

    @property
    def known(self) -> int:
        """Number of listed URLs for which this is known."""
        return self.yes + self.no


class FunnelRow(Struct, frozen=True):
    """How far the listed URLs of a sitemap, of a section, or of all get."""

    name: Annotated[str, about("The sitemap or the section; empty for all.")]
    listed: Annotated[NonNegativeInt, about("Number of different listed URLs.")]
    fetched: Annotated[Step, about("Those that crawlers of the search engine fetched.")]
    indexable: Annotated[Step, about("Those whose pages are indexable at the listed URL, according to the run.")]
    indexed: Annotated[Step, about("Those that the search engine reports as indexed.")]


class AllListed(Struct, frozen=True):
    """All listed URLs, each counted once."""

    row: Annotated[FunnelRow, Flat("listed", "fetched", "indexable", "indexed"), about("The row of all listed URLs.")]


class ReasonCount(Struct, frozen=True):
    """A reason with the number of its URLs."""

    reason: Annotated[str | None, about("The reason, or the state without one; None if neither is known.")]
    urls: Annotated[NonNegativeInt, about("Number of URLs.")]


class Funnel(Struct, frozen=True, kw_only=True):
    """How far listed URLs get: listed, fetched by crawlers, indexable, indexed."""

    engine: Annotated[str | None, about("The search engine; None if the store has no report of any.")]
    engines: Annotated[tuple[str, ...], about("All search engines with reports in the store.")]
    crawlers: Annotated[tuple[str, ...], about("The crawlers whose requests count as fetched.")]
    oldest: Annotated[
        datetime | None, about("The date of the oldest report that counts, UTC; None without reports.")
    ] = field(name="reported_from")
    newest: Annotated[
        datetime | None, about("The date of the newest report that counts, UTC; None without reports.")
    ] = field(name="reported_to")
    total: Annotated[FunnelRow, about("All listed URLs, each counted once.")]
    by: Annotated[By, about("What the rows are.")]
    rows: Annotated[tuple[FunnelRow, ...], about("The sitemaps or sections, those with most listed URLs first.")]
    more_rows: Annotated[NonNegativeInt, about("Number of rows that are left out.")]
    reasons: Annotated[tuple[ReasonCount, ...], about("Number of listed URLs by reason, most frequent first.")]
    logs: Annotated[
        tuple[datetime, datetime] | None,
        NOT_IN_JSON,
        about("The period of the access logs that were read, UTC; None without logs."),
    ]
    logged_hosts: Annotated[
        int, NOT_IN_JSON, about("Hosts of listed URLs with requests of crawlers in the access logs.")
    ]
    requested: Annotated[
        NonNegativeInt,
        NOT_IN_JSON,
        about("Number of listed URLs with a request in the access logs that counts as fetched."),
    ]
    verified: Annotated[
        NonNegativeInt,
        NOT_IN_JSON,
        about("Number of these URLs with a request whose address belongs to the crawler."),
    ]
    unlisted: Annotated[
        NonNegativeInt | None,
        about("Number of URLs that are indexed and not listed; None if the run may not have all sitemaps."),
    ] = field(name="indexed_not_listed")
    elsewhere: Annotated[
        NonNegativeInt, about("Number of reported URLs on hosts without a listed URL, which are left out.")
    ] = field(name="left_out")
    future: Annotated[
        NonNegativeInt, about("Number of reports that are left out because they are dated in the future.")
    ] = field(default=0, name="future_reports")

    @property
    @computed(before="total")
    def logs_from(self) -> datetime | None:
        """Earliest time in the access logs, UTC; None without logs."""
        return None if self.logs is None else self.logs[0]

    @property
    @computed(before="total")
    def logs_to(self) -> datetime | None:
        """Latest time in the access logs, UTC; None without logs."""
        return None if self.logs is None else self.logs[1]

    @property
    @computed("total")
    def all_listed(self) -> AllListed:
        """All listed URLs, each counted once."""
        return AllListed(self.total)


@with_short_repr
class CoverageResult(Struct, frozen=True):
    """Result of `coverage`."""

    store: Annotated[Path, about("The store.")]
    run_id: Annotated[PositiveInt, about("The run whose sitemaps and pages count.")] = field(name="run")
    made_at: Annotated[datetime, about("When that run ended, UTC.")]
    funnel: Annotated[Funnel, about("How far the listed URLs get.")]
    report: Annotated[Report, NOT_IN_JSON, about("The findings of the rules on coverage.")]

    @property
    @computed()
    def summary(self) -> FindingCounts:
        """The findings in numbers, as in the report of `urlset validate`."""
        return self.report.finding_counts

    @property
    @computed()
    def findings(self) -> Iterator[RankedFinding]:
        """The findings, as in the report of `urlset validate`."""
        return self.report.ranked_findings


class InspectOutcome(StrEnum):
    """How an inspection ended."""

    COMPLETE = "complete"
    """Every URL of the sample was inspected, or failed for itself."""
    QUOTA = "quota"
    """The quota of the day is used up, by urlset's own count or according to Google."""
    STOPPED = "stopped"
    """The API could not be reached, or failed repeatedly."""


@with_short_repr
class InspectResult(Struct, frozen=True):
    """Result of `coverage inspect`."""

    store: Annotated[Path, about("The store.")]
    site: Annotated[str, about("The property of Search Console.")] = field(name="property")
    outcome: Annotated[InspectOutcome, about("How it ended.")]
    reason: Annotated[str | None, about("Why it stopped, as a message; None if it is complete.")]
    next_at: Annotated[datetime | None, about("When it can go on, UTC; None if it is complete, or unknown.")]
    listed: Annotated[NonNegativeInt, about("Number of different listed URLs of the property.")]
    outside: Annotated[NonNegativeInt, about("Number of listed URLs that do not belong to the property.")]
    sample: Annotated[NonNegativeInt, about("Number of URLs in the sample.")]
    inspected: Annotated[
        NonNegativeInt, about("Number of URLs of the sample that are inspected, in this call and before.")
    ]
    failed: Annotated[
        Mapping[str, NonNegativeInt],
        about("Number of URLs that the API refused or could not inspect, with the reason."),
    ]
    asked: Annotated[NonNegativeInt, about("Number of requests in this call.")]
    used: Annotated[
        NonNegativeInt, about("Number of requests for the property in the last 24 hours, including this call.")
    ]
    per_day: Annotated[NonNegativeInt, about("Maximum number of requests in 24 hours.")]
    indexed: Annotated[
        Share | None,
        about(
            "The share of indexed URLs, with its 95% confidence interval for all listed URLs of the property; None "
            "if nothing is inspected yet, or if not all URLs of the property are, of which the least known come first."
        ),
    ]
    reasons: Annotated[tuple[ReasonCount, ...], about("Number of inspected URLs by reason, most frequent first.")] = ()
    notes: Annotated[tuple[str, ...], about("What was not done as the options say.")] = ()

    @property
    def exit_code(self) -> ExitCode:
        return ExitCode.UNREADABLE if self.outcome is InspectOutcome.STOPPED else ExitCode.CLEAN
