"""Result of `urlset robots`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import Struct, field

from urlset.model.fields import NOT_IN_JSON, Flat, NonNegativeInt, PositiveInt, about, computed
from urlset.model.result import with_short_repr
from urlset.web.robots_content import ExtensionLine, Group, Problem, SitemapLine
from urlset.web.robots_txt import Availability, Robots, Verdict


class AgentVerdict(Struct, frozen=True):
    """Whether a crawler may fetch a URL."""

    agent: Annotated[str, about("The crawler.")]
    verdict: Annotated[Verdict, Flat("allowed", "reason", "line", "pattern", "group", "ignored"), about("The verdict.")]


class UrlAccess(Struct, frozen=True):
    """A tested URL with the verdict for each crawler."""

    url: Annotated[str, about("The URL as given.")]
    verdicts: Annotated[
        dict[str, Verdict] | None, about("The verdict by crawler; None if this robots.txt does not apply to the URL.")
    ]
    others: Annotated[
        dict[str, Verdict],
        NOT_IN_JSON,
        about("The verdicts for the other known crawlers, if no crawlers were named. They do not count."),
    ] = field(default_factory=dict)

    @property
    @computed(before="verdicts")
    def covered(self) -> bool:
        """Whether this robots.txt applies to the URL."""
        return self.verdicts is not None

    @property
    @computed("verdicts")
    def by_agent(self) -> list[AgentVerdict]:
        """The verdict for each crawler."""
        return [AgentVerdict(agent, verdict) for agent, verdict in (self.verdicts or {}).items()]


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


class RobotsFile(Struct, frozen=True, kw_only=True):
    """The robots.txt."""

    target: Annotated[str, about("Its path or URL.")]
    http_status: Annotated[
        NonNegativeInt | None, about("Status code of the last response; None for a file, or without a response.")
    ]
    availability: Annotated[
        Availability,
        about("read; unavailable (no robots.txt: everything is allowed); unreachable (nothing is allowed)."),
    ]
    reason: Annotated[str | None, about("Why it is unreachable; None otherwise.")]
    bytes: Annotated[NonNegativeInt, about("Size of the file.")]
    bytes_unread: Annotated[NonNegativeInt, about("Number of bytes after the limit of 500 KiB, which were not read.")]
    lines: Annotated[NonNegativeInt, about("Number of lines read.")]
    encoding: Annotated[
        str, about("The encoding that it was decoded with, by its name in the WHATWG Encoding Standard.")
    ]
    has_bom: Annotated[bool, about("Whether it starts with a byte order mark.")]
    is_html: Annotated[bool, about("Whether it starts like an HTML page.")]
    problems_unlisted: Annotated[NonNegativeInt, about("Number of problems that are not listed.")]
    groups: Annotated[Sequence[Group], about("The groups, in file order.")]
    sitemaps: Annotated[Sequence[SitemapLine], about("The Sitemap lines with a value.")]
    extensions: Annotated[
        Sequence[ExtensionLine],
        about("The lines of other specifications, such as Content-Signal and Crawl-delay, in the order of the file."),
    ]
    problems: Annotated[
        Sequence[Problem], about("Lines that were repaired or ignored, and problems of the whole file.")
    ]


@with_short_repr
class RobotsReport(Struct, frozen=True):
    """A robots.txt and the verdicts on the tested URLs."""

    name: Annotated[str, NOT_IN_JSON, about("Its path or URL.")]
    robots: Annotated[Robots, about("The parsed file.")]
    status: Annotated[int | None, NOT_IN_JSON, about("Its HTTP status; None for a file, or without a response.")]
    reason: Annotated[
        str | None, NOT_IN_JSON, about("Why it could not be read; None if it was read or does not exist.")
    ]
    agents: Annotated[tuple[str, ...], about("The tested crawlers.")]
    urls: Annotated[tuple[UrlAccess, ...], about("The tested URLs.")]
    sitemaps: Annotated[tuple[SitemapAccess, ...], about("The sitemaps whose URLs were tested.")] = field(name="listed")
    home: Annotated[
        dict[str, Verdict],
        NOT_IN_JSON,
        about("The verdicts on / for all known crawlers, if no crawlers and nothing to test were named."),
    ] = field(default_factory=dict)

    @property
    @computed("robots")
    def file(self) -> RobotsFile:
        """The robots.txt."""
        robots = self.robots
        return RobotsFile(
            target=self.name,
            http_status=self.status,
            availability=robots.availability,
            reason=self.reason,
            **robots.facts,
            groups=robots.groups,
            sitemaps=robots.sitemaps,
            extensions=robots.extensions,
            problems=robots.problems,
        )

    @property
    def forbids(self) -> bool:
        """Whether any tested URL is blocked for any tested crawler."""
        verdicts = (verdict for access in self.urls for verdict in (access.verdicts or {}).values())
        return any(not verdict.allowed for verdict in verdicts) or any(
            count for access in self.sitemaps for count in access.blocked.values()
        )
