"""What `urlset robots` found out, as values that its renderers draw."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from urlset.robots import Robots, Verdict


@dataclass(frozen=True, slots=True)
class AskedUrl:
    """One URL and the verdict on it for each agent.

    Attributes:
        url: The URL as given.
        verdicts: By agent; None when this robots.txt does not speak for the URL.
    """

    url: str
    verdicts: dict[str, Verdict] | None


@dataclass(frozen=True, slots=True)
class Closed:
    """One listed URL that an agent may not fetch: its place in the sitemap, and the rule that says so."""

    url: str
    line: int | None
    robots_line: int
    pattern: str


@dataclass(frozen=True, slots=True)
class AskedSitemap:
    """One sitemap whose URLs were asked about.

    Attributes:
        name: Where it was read from.
        urls: How many URLs it lists.
        other_origins: How many of those this robots.txt does not speak for.
        forbidden: How many an agent may not fetch, by agent.
        examples: The first of those, by agent.
    """

    name: str
    urls: int
    other_origins: int
    forbidden: dict[str, int]
    examples: dict[str, tuple[Closed, ...]]


@dataclass(frozen=True, slots=True)
class RobotsReport:
    """A robots.txt, and what was asked of it.

    Attributes:
        name: Where it was read from.
        robots: The file.
        status: The HTTP status it came with; None for a file, or if there was no answer.
        reason: Why it could not be read; None if it could, or if there is none.
        agents: Who was asked about.
        urls: The URLs asked about.
        sitemaps: The sitemaps whose URLs were asked about.
    """

    name: str
    robots: Robots
    status: int | None
    reason: str | None
    agents: tuple[str, ...]
    urls: tuple[AskedUrl, ...]
    sitemaps: tuple[AskedSitemap, ...]

    @property
    def forbids(self) -> bool:
        """Whether a URL that was asked about is forbidden to an agent that was asked about."""
        verdicts = (verdict for asked in self.urls for verdict in (asked.verdicts or {}).values())
        return any(not verdict.allowed for verdict in verdicts) or any(
            count for asked in self.sitemaps for count in asked.forbidden.values()
        )
