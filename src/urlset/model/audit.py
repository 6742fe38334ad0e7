"""Results of an audit besides findings: the listed pages in numbers, and crawler access. Plain values."""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003 - stored numbers are read by these types
from dataclasses import dataclass, field
from math import sqrt
from typing import TYPE_CHECKING, Literal, TypeAlias

from urlset.model.result import with_short_repr
from urlset.web.indexability import PageReason

if TYPE_CHECKING:
    from pathlib import Path

    from urlset.model.check import CheckResult
    from urlset.model.client_check import ClientCheck
    from urlset.model.page_list import NotIndexable
    from urlset.model.report import Report
    from urlset.web.agents import KnownAgent

MAX_CLICKS = 20
"""Clicks from a home page that are distinguished; deeper pages count as this deep."""

NORMAL_95 = 1.959964
"""Number of standard deviations that contain 95% of a normal distribution."""

CrawlLimit: TypeAlias = Literal["nofollow", "globs", "long", "segments", "parameters", "limit"]
"""Why a crawl does not request a page."""

Basis: TypeAlias = Literal["listed", "crawl", "directory"]
"""The pages whose links were read."""

FetchLimit: TypeAlias = Literal["bytes", "time"]
"""What can stop the fetching of listed files early."""


@dataclass(frozen=True, slots=True)
class Share:
    """Share of the fetched pages, with an estimate for all pages.

    Attributes:
        part: Number of pages.
        whole: Number of fetched pages.
        low: Lower bound of the share of all pages, with 95% confidence (Wilson score interval), if the others are like
            the fetched ones, as in a sample.
        high: Upper bound.
    """

    part: int
    whole: int
    low: float
    high: float

    @classmethod
    def of(cls, part: int, whole: int, total: int) -> Share:
        """Return the share with its interval, which is exact if all of `total` were fetched.

        https://www.itl.nist.gov/div898/handbook/prc/section2/prc241.htm

        Example:
            >>> share = Share.of(90, 100, 10_000)
            >>> round(share.low, 3), round(share.high, 3)
            (0.826, 0.945)
        """
        if whole == 0:
            return cls(part, whole, 0.0, 1.0)
        share = part / whole
        if whole >= total:
            return cls(part, whole, share, share)
        square = NORMAL_95**2
        middle = share + square / (2 * whole)
        spread = NORMAL_95 * sqrt(share * (1 - share) / whole + square / (4 * whole**2))
        divisor = 1 + square / whole
        return cls(part, whole, max(0.0, (middle - spread) / divisor), min(1.0, (middle + spread) / divisor))


@dataclass(frozen=True, slots=True)
class PageCounts:
    """The listed pages in numbers.

    Attributes:
        listed: Number of distinct listed pages that match the filters.
        selected: Number of pages selected for fetching.
        fetched: Number of pages fetched.
        blocked: Number of pages not fetched because robots.txt blocks urlset.
        stopped_by: The limit that stopped fetching early: bytes or time; None if all pages were fetched.
        statuses: Number of pages by status code, such as 200 or 404, or `no response`; the most frequent first.
        good: Page health: the share of listed pages that are indexable at their listed URL, among those of which it is
            known (see `urlset.web.indexability`) and those that are not below the base URL of an audited directory.
        private: Number of pages not fetched because they are on private addresses.
        robots_unreachable: Number of pages not fetched because the robots.txt of their host is unreachable; included
            in `blocked`.
        partial: Number of pages read only in part because of a size limit.
        reasons: Number of pages that are not indexable, or of which that is unknown, by reason (a `PageReason`), for
            reasons of at least 1 page.
    """

    listed: int
    selected: int
    fetched: int
    blocked: int
    stopped_by: FetchLimit | None
    statuses: Mapping[str, int]
    good: Share
    private: int = 0
    robots_unreachable: int = 0
    partial: int = 0
    reasons: Mapping[str, int] = field(default_factory=dict)

    @property
    def not_indexable(self) -> int:
        """Number of pages that are known not to be indexable at their listed URL."""
        return self.good.whole - self.good.part - self.outside

    @property
    def checked(self) -> int:
        """Number of pages that were requested, or skipped for a reason."""
        return self.good.part + sum(self.reasons.values())

    @property
    def unknown(self) -> int:
        """Number of pages that were selected and checked, but of which it is not known whether they are indexable."""
        return sum(self.reasons.values()) - self.not_indexable

    @property
    def outside(self) -> int:
        """Number of pages that are not below the base URL of the audited directory."""
        return self.reasons.get(PageReason.OUTSIDE, 0)

    @property
    def undecided(self) -> int:
        """Number of pages of the audited directory whose response a rule decides that was not applied."""
        return self.reasons.get(PageReason.UNDECIDED, 0)


@dataclass(frozen=True, slots=True)
class MediaCounts:
    """The listed images, thumbnails, and videos in numbers.

    Attributes:
        selected: Number of distinct files in the entries of the selected pages.
        fetched: Number of files fetched; videos are not fetched.
        videos: Number of videos, which are only checked against robots.txt.
        blocked: Number of files not fetched because robots.txt blocks urlset, or they are on private addresses.
        stopped_by: The limit that stopped fetching early: bytes or time; None if all files were fetched.
        statuses: Number of files by status code, as for pages.
    """

    selected: int
    fetched: int
    videos: int
    blocked: int
    stopped_by: FetchLimit | None
    statuses: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class LinkCounts:
    """The links between the pages of a site in numbers.

    Attributes:
        pages: Number of pages whose links were read.
        links: Number of links; several links of a page to one URL count once.
        skipped: Number of links beyond the limit of 10,000 per page, which were not read.
        needs_script: Number of pages that have no text unless their scripts run: their links are unknown.
        basis: The pages that were read: listed (all listed ones), crawl (all linked ones, too), or directory (all pages
            of an audited directory); None if too few to tell which pages no page links to.
        unlinked: Number of listed pages that cannot be reached by links.
        unlisted: Number of linked URLs of the site that no sitemap lists, other than those that cannot be reached.
        crawled: Number of pages requested although no sitemap lists them.
        depths: Number of pages by clicks from the home page; the last number, 20, includes deeper pages.
        uncrawled: Why linked pages of the site were not requested by a crawl, each with the number of URLs and an
            example.
        unlinked_sections: The first folders with most unlinked pages, each with their number.
        most_linked: The unlisted URLs that most pages link to, each with the number of these pages.
        stopped_by: The budget that ended the crawl early: pages, bytes, or time; None if none did.
    """

    pages: int
    links: int
    skipped: int
    needs_script: int
    basis: Basis | None
    unlinked: int
    unlisted: int
    crawled: int
    depths: tuple[tuple[int, int], ...] = ()
    uncrawled: tuple[tuple[CrawlLimit, int, str], ...] = ()
    unlinked_sections: tuple[tuple[str, int], ...] = ()
    most_linked: tuple[tuple[str, int], ...] = ()
    stopped_by: Literal["pages", "bytes", "time"] | None = None


@dataclass(frozen=True, slots=True)
class AgentAccess:
    """Access of one crawler to the listed URLs.

    Attributes:
        agent: The crawler.
        urls: Number of listed URLs on hosts whose robots.txt is known.
        blocked: Number of those that are blocked for the crawler.
        sections: Sections with blocked URLs, each with its number of listed and of blocked URLs, largest first.
    """

    agent: KnownAgent
    urls: int
    blocked: int
    sections: tuple[tuple[str, int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Inventory:
    """Comparison of the listed URLs with an inventory.

    Attributes:
        known: Number of distinct URLs in the inventory.
        unlisted: Number of those that no sitemap lists.
        unlisted_examples: The first of them.
        unknown: Number of listed URLs that are not in the inventory.
        unknown_examples: The first of them.
        column: The column of the inventory with the URLs; None for a text file.
        skipped: Number of rows or lines of the inventory without an http(s) URL.
    """

    known: int
    unlisted: int
    unlisted_examples: tuple[str, ...]
    unknown: int
    unknown_examples: tuple[str, ...]
    column: str | None = None
    skipped: int = 0


@with_short_repr
@dataclass(frozen=True, slots=True)
class AuditResult:
    """Result of an audit.

    Attributes:
        report: Documents and findings in the form of `urlset validate`, including findings on pages.
        pages: The listed pages in numbers; None if they were not fetched.
        agents: Access of each crawler to the listed URLs; empty if no robots.txt is known.
        inventory: Comparison of the listed URLs with the inventory; None without an inventory.
        store: Path of the store; None if nothing was stored.
        run_id: Number of the run in the store, from 1; None if nothing was stored.
        earlier_run: The run (from 1) that dates and content were compared with; None for the first run.
        checks: The scored checks of the sites, as by `urlset check`.
        media: The listed images, thumbnails, and videos in numbers; None if they were not fetched.
        links: The links between pages in numbers; None if they were not read.
        not_indexable: The pages that are not indexable, each with the reason; None if they were not fetched.
        clients: What some pages answer to crawlers; empty unless requested.
    """

    report: Report
    pages: PageCounts | None
    agents: tuple[AgentAccess, ...]
    inventory: Inventory | None
    store: Path | None
    run_id: int | None
    earlier_run: int | None
    checks: tuple[CheckResult, ...] = ()
    media: MediaCounts | None = None
    links: LinkCounts | None = None
    not_indexable: NotIndexable | None = None
    clients: tuple[ClientCheck, ...] = ()
