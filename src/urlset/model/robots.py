"""Result of `urlset robots`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from urlset.model.result import with_short_repr

if TYPE_CHECKING:
    from urlset.web.robots_txt import Robots, Verdict


@dataclass(frozen=True, slots=True)
class UrlAccess:
    """A tested URL with the verdict for each crawler.

    Attributes:
        url: The URL as given.
        verdicts: The verdict by crawler; None if this robots.txt does not apply to the URL.
    """

    url: str
    verdicts: dict[str, Verdict] | None


@dataclass(frozen=True, slots=True)
class BlockedUrl:
    """A listed URL that is blocked for a crawler: its line in the sitemap, and the rule that blocks it."""

    url: str
    line: int | None
    robots_line: int
    pattern: str


@dataclass(frozen=True, slots=True)
class SitemapAccess:
    """A sitemap whose URLs were tested.

    Attributes:
        name: Its path or URL.
        urls: Number of URLs that it lists.
        complete: Whether it was read to its end; otherwise only the URLs before the damage were tested.
        other_origins: Number of URLs that this robots.txt does not apply to.
        blocked: Number of blocked URLs, by crawler.
        examples: The first blocked URLs, by crawler.
    """

    name: str
    urls: int
    complete: bool
    other_origins: int
    blocked: dict[str, int]
    examples: dict[str, tuple[BlockedUrl, ...]]


@with_short_repr
@dataclass(frozen=True, slots=True)
class RobotsReport:
    """A robots.txt and the verdicts on the tested URLs.

    Attributes:
        name: Its path or URL.
        robots: The parsed file.
        status: Its HTTP status; None for a file, or without a response.
        reason: Why it could not be read; None if it was read or does not exist.
        agents: The tested crawlers.
        urls: The tested URLs.
        sitemaps: The sitemaps whose URLs were tested.
    """

    name: str
    robots: Robots
    status: int | None
    reason: str | None
    agents: tuple[str, ...]
    urls: tuple[UrlAccess, ...]
    sitemaps: tuple[SitemapAccess, ...]

    @property
    def forbids(self) -> bool:
        """Whether any tested URL is blocked for any tested crawler."""
        verdicts = (verdict for access in self.urls for verdict in (access.verdicts or {}).values())
        return any(not verdict.allowed for verdict in verdicts) or any(
            count for access in self.sitemaps for count in access.blocked.values()
        )
