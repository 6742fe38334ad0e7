"""The JSON of `audit`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from urlset.model.audit import AgentAccess, AuditResult, CrawlLimit, Inventory, LinkCounts, PageCounts
from urlset.model.client_check import ClientCheck
from urlset.model.fields import NonNegativeInt, PositiveInt, about
from urlset.model.page_list import PageVerdict
from urlset.report.json_objects import Members, Output
from urlset.web.indexability import PageReason


class PagesAtDepth(Struct, frozen=True):
    """The pages that are as many clicks from the home page."""

    clicks: Annotated[int, Meta(ge=0), about("Fewest links from a home page; 20 includes deeper pages.")]
    pages: Annotated[NonNegativeInt, about("Number of pages.")]


class Uncrawled(Struct, frozen=True):
    """Linked pages of the site that a crawl did not request."""

    why: Annotated[CrawlLimit, about("The reason.")]
    count: Annotated[NonNegativeInt, about("Number of URLs.")]
    example: Annotated[str, about("One of the URLs.")]


class PageHealth(Struct, frozen=True):
    """The pages that are indexable at their listed URL, among those of which that is known."""

    indexable: Annotated[NonNegativeInt, about("Number of indexable pages.")]
    pages: Annotated[NonNegativeInt, about("Number of pages that this is a share of.")]
    low: Annotated[
        float, Meta(ge=0, le=1), about("Lower bound of the indexable share of all pages, with 95% confidence.")
    ]
    high: Annotated[float, Meta(ge=0, le=1), about("Upper bound.")]


class Section(Struct, frozen=True):
    """The listed URLs of a section, a host and first folder."""

    section: Annotated[str, about("The section.")]
    urls: Annotated[NonNegativeInt, about("Number of listed URLs in it.")]
    blocked: Annotated[NonNegativeInt, about("Number of those that are blocked.")]


class UrlSample(Struct, frozen=True):
    """Some URLs."""

    count: Annotated[NonNegativeInt, about("Number of URLs.")]
    examples: Annotated[Sequence[str], about("The first of them.")]


def _not_indexable(audited: AuditResult) -> Sequence[PageVerdict] | None:
    """The first 20,000 pages not known to be indexable (`urlset pages` lists all); null if they were not fetched."""
    return None if audited.not_indexable is None else audited.not_indexable.pages


def _clients(audited: AuditResult) -> Sequence[ClientCheck] | UnsetType:
    """What some pages answer to crawlers, as by `urlset check --clients`; absent unless requested."""
    return audited.clients or UNSET


def _health(pages: PageCounts) -> PageHealth:
    """Page health: the pages that are indexable at their listed URL, among those of which that is known."""
    share = pages.good
    return PageHealth(share.part, share.whole, round(share.low, 6), round(share.high, 6))


def _reasons(pages: PageCounts) -> Mapping[PageReason, PositiveInt]:
    """Number of pages that are not indexable, or of which that is unknown, by reason, each at least 1."""
    return {PageReason(reason): count for reason, count in pages.reasons.items()}


def _is_indexable(page: PageVerdict) -> Annotated[bool | None, Meta(extra_json_schema={"enum": [False, None]})]:
    """False; null if it is unknown."""
    return page.is_indexable


def _reason(page: PageVerdict) -> PageReason:
    """Why it is not indexable, or why that is unknown."""
    assert page.reason is not None
    return PageReason(page.reason)


def _sections(access: AgentAccess) -> list[Section]:
    """Sections (host and first folder) with blocked URLs, largest first."""
    return [Section(*section) for section in access.sections]


def _unlisted(inventory: Inventory) -> UrlSample:
    """URLs of the inventory that no sitemap lists."""
    return UrlSample(inventory.unlisted, inventory.unlisted_examples)


def _unknown(inventory: Inventory) -> UrlSample:
    """Listed URLs that are not in the inventory."""
    return UrlSample(inventory.unknown, inventory.unknown_examples)


def _depths(links: LinkCounts) -> list[PagesAtDepth]:
    """Pages by clicks from the home page; 20 includes deeper pages."""
    return [PagesAtDepth(clicks, pages) for clicks, pages in links.depths]


def _uncrawled(links: LinkCounts) -> list[Uncrawled]:
    """Why linked pages of the site were not requested by a crawl."""
    return [Uncrawled(why, count, example) for why, count, example in links.uncrawled]


MEMBERS: Members = {
    "AgentAccess": ("agent=agent.name", "agent.operator", "agent.purpose", "urls", "blocked", _sections),
    "AuditResult": (
        "store", "run=run_id", "earlier_run", "report", "checks", "pages", _not_indexable, "images=media", "links",
        "agents", "inventory", _clients,
    ),
    "Inventory": ("known", "column", "skipped", _unlisted, _unknown),
    "LinkCounts": (
        "pages", "links", "skipped", "needs_script", "basis", "unlinked", "unlisted", "crawled", _depths, _uncrawled,
        "stopped_by",
    ),
    "PageCounts": (
        "listed", "selected", "fetched", "blocked", "stopped_by", "statuses", "private", "outside", "undecided",
        "partial", _health, "not_indexable", "unknown", _reasons,
    ),
    "Share": ("urls=part", "of=whole", "low", "high"),
    "PageVerdict": ("url", _is_indexable, _reason, "value", "document", "line", "column=col", "status"),
}  # fmt: skip

AUDIT: Output[AuditResult] = Output(
    "audit", "Findings, the listed pages in numbers, and crawler access.", "audit.AuditResult"
)
