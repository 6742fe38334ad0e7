"""What changed on the pages that two runs requested."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from msgspec import Struct

from urlset.model.fields import NonNegativeInt, PositiveInt, about
from urlset.options.comparing import PageProperty
from urlset.text.sizes import quantity
from urlset.web.robots_txt import Availability


class Uncompared(StrEnum):
    """Why a page, or its main text, was not compared."""

    ONLY_BEFORE = "only-before"
    ONLY_AFTER = "only-after"
    NOT_REQUESTED = "not-requested"
    NO_RESPONSE = "no-response"
    TEXT_VERSION = "text-version"

    @property
    def words(self) -> str:
        """The reason, as text to put after the number of pages."""
        return _REASONS[self]


_REASONS = {
    Uncompared.ONLY_BEFORE: "only the earlier side has the page",
    Uncompared.ONLY_AFTER: "only the later side has the page",
    Uncompared.NOT_REQUESTED: "one side did not request the page",
    Uncompared.NO_RESPONSE: "one side received no response",
    Uncompared.TEXT_VERSION: "main text only, because the two versions of urlset extract it differently",
}


class ValueChange(Struct, frozen=True):
    """A property of a page that changed."""

    property: Annotated[PageProperty, about("The property.")]
    before: Annotated[
        str | None,
        about(
            "Its value on the earlier side; None if there was none. For robots directives and hreflang, only the "
            "entries that the later side lacks; for main text, the number of words."
        ),
    ]
    after: Annotated[str | None, about("Its value on the later side, in the same form; None if there is none.")]


class PropertyChanges(Struct, frozen=True):
    """A property that changed, and the number of pages on which it did."""

    property: Annotated[PageProperty, about("The property.")]
    pages: Annotated[PositiveInt, about("Number of pages.")]
    sections: Annotated[
        tuple[tuple[str, PositiveInt], ...],
        about("The sections with most of these pages, each with its number of pages: at most 10, largest first."),
    ]


class ChangedPage(Struct, frozen=True):
    """A page with changes that many pages do not share."""

    url: Annotated[str, about("The URL, as the later side lists it.")]
    section: Annotated[str, about("The first folder of its path, such as `/blog/`; `/` if it is in none.")]
    changes: Annotated[tuple[ValueChange, ...], about("Its changes, most consequential first.")]
    lastmod_before: Annotated[str | None, about("Its lastmod on the earlier side, as written; None if it has none.")]
    lastmod_after: Annotated[str | None, about("Its lastmod on the later side, as written; None if it has none.")]
    is_lost: Annotated[bool, about("Whether it was indexable and no longer is.")] = False


class SharedChange(Struct, frozen=True):
    """A change that at least half of the pages in the same sections share, such as a change of their template."""

    property: Annotated[PageProperty, about("The property that changed.")]
    before: Annotated[
        str | None,
        about("The replaced part of the value; None if nothing was replaced, and for numbers."),
    ]
    after: Annotated[
        str | None,
        about("Its replacement; None if it was only removed. For numbers, the difference, such as `+3`."),
    ]
    pages: Annotated[PositiveInt, about("Number of pages with this change.")]
    compared: Annotated[PositiveInt, about("Number of compared pages in the sections of these pages.")]
    sections: Annotated[tuple[str, ...], about("The sections with most of these pages, largest first.")]
    url: Annotated[str, about("One of the pages.")]


class PageChanges(Struct, frozen=True):
    """What changed on the pages that both sides requested."""

    compared: Annotated[NonNegativeInt, about("Number of pages that were compared.")]
    changed: Annotated[NonNegativeInt, about("Number of these pages with any change.")]
    lost: Annotated[NonNegativeInt, about("Number of pages that were indexable and no longer are.")]
    gained: Annotated[NonNegativeInt, about("Number of pages that are indexable and were not before.")]
    properties: Annotated[tuple[PropertyChanges, ...], about("The properties that changed, most consequential first.")]
    shared: Annotated[tuple[SharedChange, ...], about("Changes that many pages share, those on most pages first.")]
    pages: Annotated[
        tuple[ChangedPage, ...],
        about("The first pages with other changes: pages that are no longer indexable, then by property."),
    ]
    own: Annotated[NonNegativeInt, about("Exact number of pages with changes that many pages do not share.")]
    uncompared: Annotated[dict[Uncompared, NonNegativeInt], about("Number of pages that were not compared, by reason.")]

    @property
    def in_numbers(self) -> str:
        """How many pages were compared and changed, in words."""
        parts = [f"{quantity(self.compared, 'page')} compared", f"{self.changed:,} changed"]
        if self.lost:
            parts.append(f"{self.lost:,} no longer indexable")
        if self.gained:
            parts.append(f"{self.gained:,} now indexable")
        return ", ".join(parts)

    @property
    def gaps(self) -> tuple[str, ...]:
        """How many pages were not compared, a sentence for each reason."""
        return tuple(
            f"{quantity(count, 'page')} not compared: {reason.words}" for reason, count in self.uncompared.items()
        )


class BlockedUrl(Struct, frozen=True):
    """A listed URL that a crawler may fetch on one side only."""

    url: Annotated[str, about("The URL.")]
    line: Annotated[PositiveInt | None, about("Line of the rule that blocks it; None if the file could not be read.")]
    pattern: Annotated[str | None, about("Path of that rule, as written.")]


class CrawlerChange(Struct, frozen=True):
    """The listed URLs that crawlers may fetch on one side only. Crawlers with the same URLs are grouped."""

    agents: Annotated[
        tuple[str, ...], about("Their product tokens; `*` stands for all crawlers that robots.txt does not name.")
    ]
    lost: Annotated[NonNegativeInt, about("Number of listed URLs that they can no longer fetch.")]
    gained: Annotated[NonNegativeInt, about("Number of listed URLs that they can now fetch.")]
    lost_urls: Annotated[
        tuple[BlockedUrl, ...],
        about("The first URLs that they can no longer fetch, each with the rule that blocks it."),
    ]
    gained_urls: Annotated[
        tuple[BlockedUrl, ...], about("The first URLs that they can now fetch, each with the rule that blocked it.")
    ]


class RobotsChanges(Struct, frozen=True):
    """Changes of a robots.txt that affect its meaning."""

    url: Annotated[str, about("Its URL on the later side.")]
    before: Annotated[Availability, about("Whether it could be read before.")]
    after: Annotated[Availability, about("Whether it can be read now.")]
    listed: Annotated[NonNegativeInt, about("Number of URLs that the later side lists on its host.")]
    crawlers: Annotated[
        tuple[CrawlerChange, ...],
        about("Crawlers that lost or gained access to listed URLs; those with most such URLs first."),
    ]
    lines_added: Annotated[
        tuple[str, ...],
        about(
            "Lines that only the later side has, regardless of order: `Sitemap` lines, and the rules and other lines "
            "of groups, such as `Content-Signal`, each with its crawler."
        ),
    ]
    lines_removed: Annotated[tuple[str, ...], about("Lines that only the earlier side has, in the same form.")]


class LlmsChanges(Struct, frozen=True):
    """Links that were added to an llms.txt or removed from it."""

    url: Annotated[str, about("Its URL.")]
    added: Annotated[NonNegativeInt, about("Number of links that only the later side has.")]
    removed: Annotated[NonNegativeInt, about("Number of links that only the earlier side has.")]
    links_added: Annotated[tuple[str, ...], about("The first added links.")]
    links_removed: Annotated[tuple[str, ...], about("The first removed links.")]
