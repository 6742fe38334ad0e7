"""What is known about one page: where it is listed, who may fetch it, what it returns, and who links to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from urlset.text.sizes import enumeration
from urlset.web.indexability import PageReason

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from urlset.errors import Unreadable
    from urlset.web.robots_txt import Robots, Verdict


@dataclass(frozen=True, slots=True)
class Listing:
    """An entry of a sitemap.

    Attributes:
        url: Its URL as written.
        document: URL of the sitemap.
        line: Line of the entry, from 1; None if unknown.
        col: Column of the entry, from 1; None if unknown.
        lastmod: Its lastmod as written; None without one.
    """

    url: str
    document: str
    line: int | None
    col: int | None
    lastmod: str | None


@dataclass(frozen=True, slots=True)
class OtherPage:
    """Another page that the page refers to, which was requested as well.

    Attributes:
        url: Its URL.
        codes: The hreflang codes under which the page refers to it; empty for a canonical.
        declared_by: Where the references are: `page`, `sitemap`, or both.
        links_back: Whether it refers to the page with hreflang as well; None if unknown, or for a canonical.
        is_indexable: Whether it is indexable; None if unknown.
        reason: Why it is not, or why that is unknown (a `PageReason`); None if it is indexable or was not requested.
        value: What it has for that reason; None if it has nothing.
    """

    url: str
    codes: tuple[str, ...]
    declared_by: tuple[str, ...]
    links_back: bool | None
    is_indexable: bool | None
    reason: str | None
    value: str | None


@dataclass(frozen=True, slots=True)
class LinksToPage:
    """The links to the page in a run of a store.

    Attributes:
        pages: Number of other pages that link to it.
        followed: Number of these pages that link to it without nofollow.
        first: The URLs of the first of these pages.
        clicks: Fewest links from a home page to it; None if there is no such path, or if it is unknown.
    """

    pages: int
    followed: int
    first: tuple[str, ...]
    clicks: int | None


@dataclass(frozen=True, slots=True)
class CrawlsOfPage:
    """The requests of a crawler for the page, in access logs.

    Attributes:
        agent: The crawler.
        verdict: verified, impostor, or unverified.
        hits: Number of requests.
        first_at: Time of the first request, UTC.
        last_at: Time of the last request, UTC.
        statuses: Number of requests by status code.
    """

    agent: str
    verdict: str
    hits: int
    first_at: datetime
    last_at: datetime
    statuses: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What a search engine reported about the page.

    Attributes:
        engine: The search engine.
        source: The kind of report.
        state: indexed or not-indexed; None if it does not say.
        reason: Why (an `IndexReason`); None for any other reason.
        reason_text: The reason as reported; None if absent.
        last_crawled: When the search engine last crawled the page, UTC; None if never or unknown.
        canonical: The canonical that it chose; None if not reported.
        at: Date of the report, UTC.
    """

    engine: str
    source: str
    state: str | None
    reason: str | None
    reason_text: str | None
    last_crawled: datetime | None
    canonical: str | None
    at: datetime


@dataclass(frozen=True, slots=True)
class StoredPage:
    """What a store knows about the page.

    Attributes:
        store: Path of the store.
        run_id: The newest complete run on the site; None without one.
        finished_at: When it finished, UTC.
        was_checked: Whether that run checked the page.
        is_indexable: Whether the page was indexable in that run; None if unknown.
        reason: Why it was not, or why that is unknown (a `PageReason`); None if it was.
        value: What it had for that reason; None if it had nothing.
        links: The links to it in that run; None if the run read no links.
        crawls: The requests of crawlers; None if the store has no access logs of the site.
        reports: What search engines reported; None if the store has no reports.
    """

    store: str
    run_id: int | None = None
    finished_at: datetime | None = None
    was_checked: bool = False
    is_indexable: bool | None = None
    reason: str | None = None
    value: str | None = None
    links: LinksToPage | None = None
    crawls: tuple[CrawlsOfPage, ...] | None = None
    reports: tuple[IndexReport, ...] | None = None


@dataclass(frozen=True, slots=True)
class PageExplanation:
    """What is known about one page.

    Attributes:
        url: Its URL.
        is_indexable: Whether search engines can index it at this URL; None if unknown.
        reason: Why they cannot, or why that is unknown (a `PageReason`); None if they can.
        value: What the page has for that reason, such as the URL that it redirects to; None if it has nothing.
        page: The result of requesting it, by the columns of the table `pages`.
        robots: The robots.txt of its host.
        access: For each crawler whether robots.txt allows the page, and the line that decides.
        closed_to: The crawlers of search engines, among those of the options, that robots.txt blocks from the page.
        is_listed: Whether a sitemap lists it; None if some sitemaps could not be read.
        listings: The first of its entries.
        entries: Number of its entries.
        similar: Entries with almost the same URL, such as with a slash at the end, if no sitemap lists the page itself.
        sitemaps: Number of sitemaps that were read.
        unread: What could not be read of the sitemaps.
        canonical: The canonical of the page if it is another page; None otherwise.
        versions: The language versions of the page, without itself.
        referring: Pages that refer to it as a language version in a sitemap, without being one of its versions.
        stored: What a store knows; None without a store.
        unknown: What is not known, and how to find out, as sentences.
        notes: Notes on how sitemaps were searched.
    """

    url: str
    is_indexable: bool | None
    reason: str | None
    value: str | None
    page: Mapping[str, Any]
    robots: Robots
    access: Mapping[str, Verdict]
    closed_to: tuple[str, ...]
    is_listed: bool | None
    listings: tuple[Listing, ...]
    entries: int
    similar: tuple[Listing, ...]
    sitemaps: int
    unread: tuple[Unreadable, ...]
    canonical: OtherPage | None
    versions: tuple[OtherPage, ...]
    referring: tuple[str, ...]
    stored: StoredPage | None
    unknown: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def fails(self) -> bool:
        """Whether search engines, or some of them, cannot index the page."""
        return self.is_indexable is False or bool(self.closed_to)

    @property
    def verdict(self) -> str:
        """Whether search engines can index the page, and why not, in a sentence."""
        return f"{self._can_be_indexed()}{self._is_listed()}."

    @property
    def fix(self) -> str | None:
        """What to do about it; None if there is nothing to do."""
        if self.reason is not None:
            reason = PageReason(self.reason)
            return reason.fix if self.is_listed or not reason.is_known else None
        if self.closed_to:
            return PageReason.BLOCKED_BY_ROBOTS.fix if self.is_listed else None
        if self.is_listed is False:
            return "Add the URL to a sitemap, if search engines should index the page."
        return None

    def _can_be_indexed(self) -> str:
        why = "" if self.reason is None else PageReason(self.reason).words
        why += "" if self.value is None else f" ({self.value})"
        if self.is_indexable is False:
            return f"Search engines cannot index this page: {why}"
        if self.is_indexable is None:
            return f"Whether search engines can index this page is unknown: {why}"
        if self.closed_to:
            agents = enumeration(self.closed_to)
            return f"Search engines can index this page, except those that robots.txt blocks: {agents}"
        return "Search engines can index this page"

    def _is_listed(self) -> str:
        if self.is_listed is None:
            return "; whether a sitemap lists it is unknown"
        if self.is_listed:
            return ", although a sitemap lists it" if self.is_indexable is False else ", and a sitemap lists it"
        return ", and no sitemap lists it" if self.is_indexable is False else ", but no sitemap lists it"
