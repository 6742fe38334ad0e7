"""Result of `urlset robots`."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from urlset.model.fields import NonNegativeInt, PositiveInt, about
from urlset.model.result import with_short_repr
from urlset.web.robots_txt import Robots, Verdict


class UrlAccess(Struct, frozen=True):
    """A tested URL with the verdict for each crawler."""

    url: Annotated[str, about("The URL as given.")]
    verdicts: Annotated[
        dict[str, Verdict] | None, about("The verdict by crawler; None if this robots.txt does not apply to the URL.")
    ]


class BlockedUrl(Struct, frozen=True):
    """A listed URL that is blocked for a crawler: its line in the sitemap, and the rule that blocks it."""

    url: str
    line: PositiveInt | None
    robots_line: int
    pattern: str


class SitemapAccess(Struct, frozen=True):
    """A sitemap whose URLs were tested."""

    name: Annotated[str, about("Its path or URL.")]
    urls: Annotated[NonNegativeInt, about("Number of URLs that it lists.")]
    complete: Annotated[
        bool, about("Whether it was read to its end; otherwise only the URLs before the damage were tested.")
    ]
    other_origins: Annotated[NonNegativeInt, about("Number of URLs that this robots.txt does not apply to.")]
    blocked: Annotated[dict[str, NonNegativeInt], about("Number of blocked URLs, by crawler.")]
    examples: Annotated[dict[str, tuple[BlockedUrl, ...]], about("The first blocked URLs, by crawler.")]


@with_short_repr
class RobotsReport(Struct, frozen=True):
    """A robots.txt and the verdicts on the tested URLs."""

    name: Annotated[str, about("Its path or URL.")]
    robots: Annotated[Robots, about("The parsed file.")]
    status: Annotated[int | None, about("Its HTTP status; None for a file, or without a response.")]
    reason: Annotated[str | None, about("Why it could not be read; None if it was read or does not exist.")]
    agents: Annotated[tuple[str, ...], about("The tested crawlers.")]
    urls: Annotated[tuple[UrlAccess, ...], about("The tested URLs.")]
    sitemaps: Annotated[tuple[SitemapAccess, ...], about("The sitemaps whose URLs were tested.")]

    @property
    def forbids(self) -> bool:
        """Whether any tested URL is blocked for any tested crawler."""
        verdicts = (verdict for access in self.urls for verdict in (access.verdicts or {}).values())
        return any(not verdict.allowed for verdict in verdicts) or any(
            count for access in self.sitemaps for count in access.blocked.values()
        )
