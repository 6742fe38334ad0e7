"""Results of an audit besides findings: the listed pages in numbers, and crawler access. Plain values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from pathlib import Path
from typing import Annotated, ClassVar, Literal, TypeAlias

from msgspec import UNSET, Struct, UnsetType, field

from urlset.model.check import CheckResult
from urlset.model.client_check import ClientCheck
from urlset.model.fields import NOT_IN_JSON, Flat, NonNegativeInt, PositiveInt, Ratio, about, computed
from urlset.model.page_list import NotIndexable, PageVerdict
from urlset.model.report import Report
from urlset.model.result import with_short_repr
from urlset.model.source_mapping import SourceMapping
from urlset.web.agents import KnownAgent
from urlset.web.indexability import PageReason

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


class Share(Struct, frozen=True):
    """Share of the fetched pages, with an estimate for all pages."""

    IN_JSON: ClassVar = ("urls=part", "of=whole", "low", "high")

    part: Annotated[NonNegativeInt, about("Number of pages.")]
    whole: Annotated[NonNegativeInt, about("Number of fetched pages.")]
    low: Annotated[
        float,
        about(
            "Lower bound of the share of all pages, with 95% confidence (Wilson score interval), if the others are "
            "like the fetched ones, as in a sample."
        ),
    ]
    high: Annotated[float, about("Upper bound.")]

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


class PageHealth(Struct, frozen=True):
    """The pages that are indexable at their listed URL, among those for which this is known."""

    indexable: Annotated[NonNegativeInt, about("Number of indexable pages.")]
    pages: Annotated[NonNegativeInt, about("Number of pages that this is a share of.")]
    low: Annotated[Ratio, about("Lower bound of the indexable share of all pages, with 95% confidence.")]
    high: Annotated[Ratio, about("Upper bound.")]


class PageCounts(Struct, frozen=True):
    """The listed pages in numbers."""

    listed: Annotated[NonNegativeInt, about("Number of distinct listed pages that match the filters.")]
    selected: Annotated[NonNegativeInt, about("Number of pages selected for fetching.")]
    fetched: Annotated[NonNegativeInt, about("Number of pages fetched.")]
    blocked: Annotated[NonNegativeInt, about("Number of pages not fetched because robots.txt blocks urlset.")]
    stopped_by: Annotated[
        FetchLimit | None,
        about("The limit that stopped fetching early: bytes or time; None if all pages were fetched."),
    ]
    statuses: Annotated[
        Mapping[str, NonNegativeInt],
        about("Number of pages by status code, such as 200 or 404, or `no response`; the most frequent first."),
    ]
    good: Annotated[
        Share,
        NOT_IN_JSON,
        about(
            "Page health: the share of listed pages that are indexable at their listed URL, among those of which it "
            "is known (`urlset.web.indexability` defines when) and those that are not below the base URL of an audited "
            "directory."
        ),
    ]
    private: Annotated[NonNegativeInt, about("Number of pages not fetched because they are on private addresses.")] = 0
    robots_unreachable: Annotated[
        NonNegativeInt,
        NOT_IN_JSON,
        about(
            "Number of pages not fetched because the robots.txt of their host is unreachable; included in `blocked`."
        ),
    ] = 0
    partial: Annotated[NonNegativeInt, about("Number of pages read only in part because of a size limit.")] = 0
    reasons: Annotated[
        Mapping[str, NonNegativeInt],
        about(
            "Number of pages that are not indexable, or for which this is unknown, by reason (a `PageReason`), for "
            "reasons of at least 1 page."
        ),
    ] = field(default_factory=dict)
    redirected: Annotated[
        NonNegativeInt,
        about("Number of fetched pages whose listed URL redirects; `statuses` has the status at the end."),
    ] = 0
    indexable_redirected: Annotated[
        NonNegativeInt,
        about("Number of these pages that are indexable, because they name the listed URL as their canonical."),
    ] = 0

    @property
    @computed(before="reasons")
    def health(self) -> PageHealth:
        """Page health: the pages that are indexable at their listed URL, among those for which this is known."""
        share = self.good
        return PageHealth(share.part, share.whole, round(share.low, 6), round(share.high, 6))

    @property
    @computed("reasons")
    def by_reason(self) -> Mapping[PageReason, PositiveInt]:
        """Number of pages that are not indexable, or for which this is unknown, by reason; each at least 1."""
        return {PageReason(reason): count for reason, count in self.reasons.items()}

    @property
    @computed(before="reasons")
    def not_indexable(self) -> NonNegativeInt:
        """Number of pages that are known not to be indexable at their listed URL."""
        return self.good.whole - self.good.part - self.outside

    @property
    def checked(self) -> int:
        """Number of pages that were requested, or skipped for a reason."""
        return self.good.part + sum(self.reasons.values())

    @property
    @computed(before="reasons")
    def unknown(self) -> NonNegativeInt:
        """Number of pages that were selected and checked, but of which it is not known whether they are indexable."""
        return sum(self.reasons.values()) - self.not_indexable

    @property
    @computed(before="partial")
    def outside(self) -> NonNegativeInt:
        """Number of pages that are not below the base URL of the audited directory."""
        return self.reasons.get(PageReason.OUTSIDE, 0)

    @property
    @computed(before="partial")
    def undecided(self) -> NonNegativeInt:
        """Number of pages of the audited directory whose response a rule decides that was not applied."""
        return self.reasons.get(PageReason.UNDECIDED, 0)


class MediaCounts(Struct, frozen=True):
    """The listed images, thumbnails, and videos in numbers."""

    selected: Annotated[NonNegativeInt, about("Number of distinct files in the entries of the selected pages.")]
    fetched: Annotated[NonNegativeInt, about("Number of files fetched; videos are not fetched.")]
    videos: Annotated[NonNegativeInt, about("Number of videos, which are only checked against robots.txt.")]
    blocked: Annotated[
        NonNegativeInt,
        about("Number of files not fetched because robots.txt blocks urlset, or they are on private addresses."),
    ]
    stopped_by: Annotated[
        FetchLimit | None,
        about("The limit that stopped fetching early: bytes or time; None if all files were fetched."),
    ]
    statuses: Annotated[Mapping[str, NonNegativeInt], about("Number of files by status code, as for pages.")]


class PagesAtDepth(Struct, frozen=True):
    """The number of pages at a distance from the home page."""

    clicks: Annotated[NonNegativeInt, about("Fewest links from a home page; 20 includes deeper pages.")]
    pages: Annotated[NonNegativeInt, about("Number of pages.")]


class Uncrawled(Struct, frozen=True):
    """Linked pages of the site that a crawl did not request."""

    why: Annotated[CrawlLimit, about("The reason.")]
    count: Annotated[NonNegativeInt, about("Number of URLs.")]
    example: Annotated[str, about("One of the URLs.")]


class LinkCounts(Struct, frozen=True):
    """The links between the pages of a site in numbers."""

    pages: Annotated[NonNegativeInt, about("Number of pages whose links were read.")]
    links: Annotated[NonNegativeInt, about("Number of links; several links of a page to one URL count once.")]
    skipped: Annotated[
        NonNegativeInt, about("Number of links beyond the limit of 10,000 per page, which were not read.")
    ]
    needs_script: Annotated[
        NonNegativeInt,
        about("Number of pages that have no text and no links unless their scripts run: their links are unknown."),
    ]
    basis: Annotated[
        Basis | None,
        about(
            "The pages that were read: listed (all listed ones), crawl (all linked ones, too), or directory (all "
            "pages of an audited directory); None if too few to tell which pages no page links to."
        ),
    ]
    unlinked: Annotated[NonNegativeInt, about("Number of listed pages that cannot be reached by links.")]
    unlisted: Annotated[
        NonNegativeInt | None,
        about(
            "Number of linked URLs of the site that no sitemap lists, other than those that cannot be reached; None "
            "if no sitemap was read."
        ),
    ]
    crawled: Annotated[NonNegativeInt, about("Number of these pages that no sitemap lists; 0 if no sitemap was read.")]
    depths: Annotated[
        tuple[tuple[int, int], ...],
        about("Number of pages by clicks from the home page; the last number, 20, includes deeper pages."),
    ] = ()
    uncrawled: Annotated[
        tuple[tuple[CrawlLimit, int, str], ...],
        about(
            "Why linked pages of the site were not requested by a crawl, each with the number of URLs and an example."
        ),
    ] = ()
    unknown_anchors: Annotated[
        NonNegativeInt,
        about(
            "Number of linked URLs with a fragment whose anchor may exist: the page was not read completely, or "
            "scripts make its content, read the fragment, or may add the anchor."
        ),
    ] = 0
    unlinked_sections: Annotated[
        tuple[tuple[str, int], ...],
        NOT_IN_JSON,
        about("The first folders with most unlinked pages, each with their number."),
    ] = ()
    most_linked: Annotated[
        tuple[tuple[str, int], ...],
        NOT_IN_JSON,
        about("The unlisted URLs that most pages link to, each with the number of these pages."),
    ] = ()
    stopped_by: Annotated[
        Literal["pages", "bytes", "time"] | None,
        about("The budget that ended the crawl early: pages, bytes, or time; None if none did."),
    ] = None

    @property
    @computed("depths")
    def pages_by_depth(self) -> list[PagesAtDepth]:
        """Pages by clicks from the home page; 20 includes deeper pages."""
        return [PagesAtDepth(clicks, pages) for clicks, pages in self.depths]

    @property
    @computed("uncrawled")
    def uncrawled_by_reason(self) -> list[Uncrawled]:
        """Why linked pages of the site were not requested by a crawl."""
        return [Uncrawled(why, count, example) for why, count, example in self.uncrawled]


class TwinCounts(Struct, frozen=True):
    """The Markdown twins of the listed pages in numbers."""

    pages: Annotated[NonNegativeInt, about("Number of indexable pages.")]
    with_twin: Annotated[NonNegativeInt, about("Number of those that have a Markdown twin.")]
    declared: Annotated[NonNegativeInt, about("Number of pages that declare a Markdown twin.")]
    requested: Annotated[NonNegativeInt, about("Number of pages whose twin was requested, or found by its name.")]
    compared: Annotated[NonNegativeInt, about("Number of twins whose text was compared with that of their page.")]
    asked: Annotated[NonNegativeInt, about("Number of pages requested with `Accept: text/markdown`; 0 in a folder.")]
    negotiated: Annotated[NonNegativeInt, about("Number of those that are returned as Markdown.")]

    @property
    def has_any(self) -> bool:
        """Whether the site has Markdown twins, or declares some."""
        return bool(self.with_twin or self.declared or self.negotiated)


class LlmsSection(Struct, frozen=True):
    """The pages of a section, and those that an llms.txt links to."""

    section: Annotated[str, about("The first folder of the paths, such as `/blog/`, or `/` for paths without one.")]
    pages: Annotated[NonNegativeInt, about("Number of indexable pages in it.")]
    linked: Annotated[NonNegativeInt, about("Number of those that an llms.txt links to, or whose twin it links to.")]


class LlmsCounts(Struct, frozen=True):
    """The llms.txt files of the sites in numbers: an llms.txt is an overview and need not have all pages."""

    files: Annotated[NonNegativeInt, about("Number of llms.txt files.")]
    links: Annotated[NonNegativeInt, about("Number of links in them that were read.")]
    sections: Annotated[
        tuple[LlmsSection, ...] | None,
        about("The indexable pages by section, largest first; None if a file was cut at a limit: then it is unknown."),
    ]


class Section(Struct, frozen=True):
    """The listed URLs of a section, a host and first folder."""

    section: Annotated[str, about("The section.")]
    urls: Annotated[NonNegativeInt, about("Number of listed URLs in it.")]
    blocked: Annotated[NonNegativeInt, about("Number of those that are blocked.")]


class AgentAccess(Struct, frozen=True):
    """Access of one crawler to the listed URLs."""

    agent: Annotated[KnownAgent, Flat("agent=name", "operator", "purpose"), about("The crawler.")]
    urls: Annotated[NonNegativeInt, about("Number of listed URLs on hosts whose robots.txt is known.")]
    blocked: Annotated[NonNegativeInt, about("Number of those that are blocked for the crawler.")]
    sections: Annotated[
        tuple[tuple[str, int, int], ...],
        about("Sections with blocked URLs, each with its number of listed and of blocked URLs, largest first."),
    ] = ()

    @property
    @computed("sections")
    def blocked_sections(self) -> list[Section]:
        """Sections (host and first folder) with blocked URLs, largest first."""
        return [Section(*section) for section in self.sections]


class UrlSample(Struct, frozen=True):
    """Some URLs."""

    count: Annotated[NonNegativeInt, about("Number of URLs.")]
    examples: Annotated[Sequence[str], about("The first of them.")]


class Inventory(Struct, frozen=True):
    """Comparison of the listed URLs with an inventory."""

    IN_JSON: ClassVar = ("known", "column", "skipped", "unlisted=unlisted_sample", "unknown=unknown_sample")

    known: Annotated[NonNegativeInt, about("Number of distinct URLs in the inventory.")]
    unlisted: Annotated[NonNegativeInt, about("Number of those that no sitemap lists.")]
    unlisted_examples: Annotated[tuple[str, ...], about("The first of them.")]
    unknown: Annotated[NonNegativeInt, about("Number of listed URLs that are not in the inventory.")]
    unknown_examples: Annotated[tuple[str, ...], about("The first of them.")]
    column: Annotated[str | None, about("The column of the inventory with the URLs; None for a text file.")] = None
    skipped: Annotated[NonNegativeInt, about("Number of rows or lines of the inventory without an http(s) URL.")] = 0

    @property
    def unlisted_sample(self) -> UrlSample:
        """URLs of the inventory that no sitemap lists."""
        return UrlSample(self.unlisted, self.unlisted_examples)

    @property
    def unknown_sample(self) -> UrlSample:
        """Listed URLs that are not in the inventory."""
        return UrlSample(self.unknown, self.unknown_examples)


@with_short_repr
class AuditResult(Struct, frozen=True, kw_only=True):
    """Result of an audit."""

    store: Annotated[Path | None, about("Path of the store; None if nothing was stored.")]
    run_id: Annotated[
        PositiveInt | None, about("Number of the run in the store, from 1; None if nothing was stored.")
    ] = field(name="run")
    earlier_run: Annotated[
        PositiveInt | None, about("The run (from 1) that dates and content were compared with; None for the first run.")
    ]
    report: Annotated[
        Report, about("Documents and findings in the form of `urlset validate`, including findings on pages.")
    ]
    checks: Annotated[tuple[CheckResult, ...], about("The scored checks of the sites, as by `urlset check`.")] = ()
    pages: Annotated[PageCounts | None, about("The listed pages in numbers; None if they were not fetched.")]
    not_indexable: Annotated[
        NotIndexable | None,
        about("The pages that are not indexable, each with the reason; None if they were not fetched."),
    ] = None
    media: Annotated[
        MediaCounts | None,
        about("The listed images, thumbnails, and videos in numbers; None if they were not fetched."),
    ] = field(default=None, name="images")
    links: Annotated[LinkCounts | None, about("The links between pages in numbers; None if they were not read.")] = None
    llms: Annotated[LlmsCounts | None, about("The llms.txt files in numbers; None if none was found.")] = None
    twins: Annotated[
        TwinCounts | None, about("The Markdown twins of the pages in numbers; None if no page was fetched.")
    ] = None
    agents: Annotated[
        tuple[AgentAccess, ...], about("Access of each crawler to the listed URLs; empty if no robots.txt is known.")
    ]
    inventory: Annotated[
        Inventory | None, about("Comparison of the listed URLs with the inventory; None without an inventory.")
    ]
    clients: Annotated[
        tuple[ClientCheck, ...], about("What some pages answer to crawlers; empty unless requested.")
    ] = ()
    mapping: Annotated[
        SourceMapping | None, about("With `--against`: which pages have known source files; None without it.")
    ] = None
    notes_on_dates: Annotated[
        tuple[str, ...],
        NOT_IN_JSON,
        about("With `--against`: notes on an incomplete history, or on the proofs of a state file."),
    ] = ()

    @property
    @computed("not_indexable")
    def not_indexable_pages(self) -> Sequence[PageVerdict] | None:
        """The first 20,000 pages not known to be indexable (`urlset pages` lists all); None if they were not fetched."""  # noqa: E501
        return None if self.not_indexable is None else self.not_indexable.pages

    @property
    @computed("clients")
    def client_checks(self) -> Sequence[ClientCheck] | UnsetType:
        """What some pages answer to crawlers, as by `urlset check --clients`; absent unless requested."""
        return self.clients or UNSET
