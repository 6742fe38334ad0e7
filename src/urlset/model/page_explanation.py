"""What is known about one page: where it is listed, who may fetch it, what it returns, and who links to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, TypeAlias

from msgspec import Struct

from urlset.errors import Unreadable
from urlset.model.fields import NOT_IN_JSON, Columns, NonNegativeInt, OneOf, PositiveInt, about, computed
from urlset.model.page_timeline import PageTimeline
from urlset.model.robots import AgentVerdict
from urlset.text.sizes import enumeration
from urlset.web.indexability import PageReason
from urlset.web.robots_txt import Availability, Robots, Verdict
from urlset.web.systems import KINDS_OF_REASON, SettingKind, settings_for

PageReasonName: TypeAlias = Annotated[str, OneOf(lambda: PageReason)]
"""Why a page is not indexable at its listed URL, or why that is unknown."""

OF_PAGE = (
    "status", "final_url", "hops", "hop_statuses", "error_kind", "error", "skipped", "blocked_by", "content_type",
    "noindex", "noindex_agents", "meta_robots", "x_robots", "unavailable_after_at", "canonical", "canonical_is_self",
    "refresh_seconds", "refresh_url", "html_lang", "title", "words", "complete", "fetched_at", "made_with",
    "in_body", "body_noindex",
)  # fmt: skip
"""The columns of `pages` in the report on a page."""

PageColumns: TypeAlias = Annotated[dict[str, object], Columns("pages", OF_PAGE)]


class Listing(Struct, frozen=True):
    """An entry of a sitemap."""

    url: Annotated[str, about("Its URL as written.")]
    document: Annotated[str, about("URL of the sitemap.")]
    line: Annotated[PositiveInt | None, about("Line of the entry, from 1; None if unknown.")]
    col: Annotated[PositiveInt | None, about("Column of the entry, from 1; None if unknown.")]
    lastmod: Annotated[str | None, about("Its lastmod as written; None without one.")]


class OtherPage(Struct, frozen=True):
    """Another page that the page refers to, which was requested as well."""

    url: Annotated[str, about("Its URL.")]
    codes: Annotated[
        tuple[str, ...], about("The hreflang codes under which the page refers to it; empty for a canonical.")
    ]
    declared_by: Annotated[tuple[str, ...], about("Where the references are: `page`, `sitemap`, or both.")]
    links_back: Annotated[
        bool | None, about("Whether it refers to the page with hreflang as well; None if unknown, or for a canonical.")
    ]
    is_indexable: Annotated[bool | None, about("Whether it is indexable; None if unknown.")]
    reason: Annotated[
        PageReasonName | None,
        about("Why it is not, or why that is unknown (a `PageReason`); None if it is indexable or was not requested."),
    ]
    value: Annotated[str | None, about("What it has for that reason; None if it has nothing.")]


class LinksToPage(Struct, frozen=True):
    """The links to the page in a run of a store."""

    pages: Annotated[NonNegativeInt, about("Number of other pages that link to it.")]
    followed: Annotated[NonNegativeInt, about("Number of these pages that link to it without nofollow.")]
    first: Annotated[tuple[str, ...], about("The URLs of the first of these pages.")]
    clicks: Annotated[
        int | None, about("Fewest links from a home page to it; None if there is no such path, or if it is unknown.")
    ]


class StatusHits(Struct, frozen=True):
    """The requests with a status code."""

    status: Annotated[NonNegativeInt, about("The status code.")]
    hits: Annotated[NonNegativeInt, about("Number of requests.")]


class CrawlsOfPage(Struct, frozen=True):
    """The requests of a crawler for the page, in access logs."""

    agent: Annotated[str, about("The crawler.")]
    verdict: Annotated[str, about("verified, impostor, or unverified.")]
    hits: Annotated[NonNegativeInt, about("Number of requests.")]
    first_at: Annotated[datetime, about("Time of the first request, UTC.")]
    last_at: Annotated[datetime, about("Time of the last request, UTC.")]
    statuses: Annotated[Mapping[int, NonNegativeInt], about("Number of requests by status code.")]

    @property
    @computed("statuses")
    def by_status(self) -> list[StatusHits]:
        """Number of requests by status code."""
        return [StatusHits(status, hits) for status, hits in self.statuses.items()]


class IndexReport(Struct, frozen=True):
    """What a search engine reported about the page."""

    engine: Annotated[str, about("The search engine.")]
    source: Annotated[str, about("The kind of report.")]
    state: Annotated[str | None, about("indexed or not-indexed; None if it does not say.")]
    reason: Annotated[str | None, about("Why (an `IndexReason`); None for any other reason.")]
    reason_text: Annotated[str | None, about("The reason as reported; None if absent.")]
    last_crawled: Annotated[
        datetime | None, about("When the search engine last crawled the page, UTC; None if never or unknown.")
    ]
    canonical: Annotated[str | None, about("The canonical that it chose; None if not reported.")]
    at: Annotated[datetime, about("Date of the report, UTC.")]


class StoredPage(Struct, frozen=True):
    """What a store knows about the page."""

    store: Annotated[str, about("Path of the store.")]
    run_id: Annotated[int | None, about("The newest complete run on the site; None without one.")] = None
    finished_at: Annotated[datetime | None, about("When it finished, UTC.")] = None
    was_checked: Annotated[bool, about("Whether that run checked the page.")] = False
    is_indexable: Annotated[bool | None, about("Whether the page was indexable in that run; None if unknown.")] = None
    reason: Annotated[
        PageReasonName | None, about("Why it was not, or why that is unknown (a `PageReason`); None if it was.")
    ] = None
    value: Annotated[str | None, about("What it had for that reason; None if it had nothing.")] = None
    content_hash: Annotated[
        int | None, NOT_IN_JSON, about("Hash of its main text in that run; None if it was not read.")
    ] = None
    links: Annotated[LinksToPage | None, about("The links to it in that run; None if the run read no links.")] = None
    crawls: Annotated[
        tuple[CrawlsOfPage, ...] | None,
        about("The requests of crawlers; None if the store has no access logs of the site."),
    ] = None
    reports: Annotated[
        tuple[IndexReport, ...] | None, about("What search engines reported; None if the store has no reports.")
    ] = None
    timeline: Annotated[
        PageTimeline | None, about("What happened to the page; None if the store has no run of its site.")
    ] = None


class RobotsOfPage(Struct, frozen=True):
    """The robots.txt of the host of a page."""

    url: Annotated[str | None, about("Its URL.")]
    availability: Annotated[
        Availability,
        about("read; unavailable (no robots.txt: everything is allowed); unreachable (nothing is allowed)."),
    ]
    closed_to: Annotated[Sequence[str], about("The crawlers of search engines that it blocks from the page.")]
    verdicts: Annotated[
        Sequence[AgentVerdict], about("For each crawler whether it may fetch the page, and the line that decides.")
    ]


class PageSetting(Struct, frozen=True):
    """Where the owner of the page changes what keeps it from being indexed."""

    kind: Annotated[SettingKind, about("What the setting decides.")]
    system: Annotated[str, about("The detected system that made the page.")]
    where: Annotated[str, about("What to open or edit in it.")]
    source: Annotated[str, about("Where its vendor says so.")]
    date: Annotated[str, about("The day on which the source was read, as YYYY-MM-DD.")]


class PageExplanation(Struct, frozen=True):
    """What is known about one page."""

    url: Annotated[str, about("Its URL.")]
    is_indexable: Annotated[bool | None, about("Whether search engines can index it at this URL; None if unknown.")]
    reason: Annotated[
        PageReasonName | None, about("Why they cannot, or why that is unknown (a `PageReason`); None if they can.")
    ]
    value: Annotated[
        str | None,
        about("What the page has for that reason, such as the URL that it redirects to; None if it has nothing."),
    ]
    is_listed: Annotated[bool | None, about("Whether a sitemap lists it; None if some sitemaps could not be read.")]
    listings: Annotated[tuple[Listing, ...], about("The first of its entries.")]
    entries: Annotated[NonNegativeInt, about("Number of its entries.")]
    similar: Annotated[
        tuple[Listing, ...],
        about(
            "Entries with almost the same URL, such as with a slash at the end, if no sitemap lists the page itself."
        ),
    ]
    sitemaps: Annotated[NonNegativeInt, about("Number of sitemaps that were read.")]
    unread: Annotated[tuple[Unreadable, ...], about("What could not be read of the sitemaps.")]
    robots: Annotated[Robots, about("The robots.txt of its host.")]
    page: Annotated[Mapping[str, Any], about("The result of requesting it, by the columns of the table `pages`.")]
    access: Annotated[
        Mapping[str, Verdict],
        NOT_IN_JSON,
        about("For each crawler whether robots.txt allows the page, and the line that decides."),
    ]
    closed_to: Annotated[
        tuple[str, ...],
        NOT_IN_JSON,
        about("The crawlers of search engines, among those of the options, that robots.txt blocks from the page."),
    ]
    canonical: Annotated[OtherPage | None, about("The canonical of the page if it is another page; None otherwise.")]
    versions: Annotated[tuple[OtherPage, ...], about("The language versions of the page, without itself.")]
    referring: Annotated[
        tuple[str, ...],
        about("Pages that refer to it as a language version in a sitemap, without being one of its versions."),
    ]
    stored: Annotated[StoredPage | None, about("What a store knows; None without a store.")]
    unknown: Annotated[tuple[str, ...], about("What is not known, and how to find out, as sentences.")]
    notes: Annotated[tuple[str, ...], about("Notes on how sitemaps were searched.")]

    @property
    def fails(self) -> bool:
        """Whether search engines, or some of them, cannot index the page."""
        return self.is_indexable is False or bool(self.closed_to)

    @property
    @computed(before="is_indexable")
    def verdict(self) -> str:
        """Whether search engines can index the page, and why not, in a sentence."""
        return f"{self._can_be_indexed()}{self._is_listed()}."

    @property
    @computed(before="is_indexable")
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

    @property
    @computed(before="is_indexable")
    def settings(self) -> list[PageSetting]:
        """Where to change it, in each system that the page shows to be made with."""
        reason = PageReason(self.reason) if self.reason else PageReason.BLOCKED_BY_ROBOTS if self.closed_to else None
        names = [str(seen).partition(": ")[0] for seen in self.page.get("made_with") or ()]
        return [
            PageSetting(kind, name, setting.where, setting.source, setting.date.isoformat())
            for kind in (KINDS_OF_REASON.get(reason, ()) if reason else ())
            for name, setting in settings_for(kind, names)
        ]

    @property
    @computed("robots")
    def robots_of_page(self) -> RobotsOfPage:
        """The robots.txt of its host."""
        verdicts = [AgentVerdict(agent, verdict) for agent, verdict in self.access.items()]
        return RobotsOfPage(self.robots.url, self.robots.availability, self.closed_to, verdicts)

    @property
    @computed("page")
    def response(self) -> PageColumns:
        """The response, by the columns of the table `pages`."""
        return {name: self.page.get(name) for name in OF_PAGE}

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
