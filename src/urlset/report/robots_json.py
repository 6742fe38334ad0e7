"""The JSON of `robots`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from urlset.report.json_objects import Members, Output

if TYPE_CHECKING:
    from collections.abc import Sequence

    from urlset.model.robots import RobotsReport, UrlAccess
    from urlset.web.robots_content import ExtensionLine, Group, Problem, SitemapLine
    from urlset.web.robots_txt import Availability, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class RobotsFile:
    """The robots.txt.

    Attributes:
        target: Its path or URL.
        http_status: Status code of the last response; null for a file, or without a response.
        availability: read; unavailable (no robots.txt: everything is allowed); unreachable (nothing is allowed).
        reason: Why it is unreachable; null otherwise.
        bytes: Size of the file.
        bytes_unread: Number of bytes after the limit of 500 KiB, which were not read.
        lines: Number of lines read.
        encoding: The encoding that it was decoded with, by its name in the WHATWG Encoding Standard.
        has_bom: Whether it starts with a byte order mark.
        is_html: Whether it starts like an HTML page.
        problems_unlisted: Number of problems that are not listed.
        groups: The groups, in file order.
        sitemaps: The Sitemap lines with a value.
        extensions: The lines of other specifications, such as Content-Signal and Crawl-delay, in the order of the file.
        problems: Lines that were repaired or ignored, and problems of the whole file.
    """

    target: str
    http_status: int | None
    availability: Availability
    reason: str | None
    bytes: int
    bytes_unread: int
    lines: int
    encoding: str
    has_bom: bool
    is_html: bool
    problems_unlisted: int
    groups: Sequence[Group]
    sitemaps: Sequence[SitemapLine]
    extensions: Sequence[ExtensionLine]
    problems: Sequence[Problem]


@dataclass(frozen=True, slots=True)
class AgentVerdict:
    """Whether a crawler may fetch a URL.

    Attributes:
        agent: The crawler.
        verdict: The verdict.
    """

    agent: str
    verdict: Verdict


def _robots(report: RobotsReport) -> RobotsFile:
    """The robots.txt."""
    robots = report.robots
    return RobotsFile(
        target=report.name,
        http_status=report.status,
        availability=robots.availability,
        reason=report.reason,
        **robots.facts,
        groups=robots.groups,
        sitemaps=robots.sitemaps,
        extensions=robots.extensions,
        problems=robots.problems,
    )


def _covered(access: UrlAccess) -> bool:
    """Whether this robots.txt applies to the URL."""
    return access.verdicts is not None


def _verdicts(access: UrlAccess) -> list[AgentVerdict]:
    """The verdict for each crawler."""
    return [AgentVerdict(agent, verdict) for agent, verdict in (access.verdicts or {}).items()]


MEMBERS: Members = {
    "RobotsReport": (_robots, "agents", "urls", "listed=sitemaps"),
    "UrlAccess": ("url", _covered, _verdicts),
    "AgentVerdict": ("agent", "verdict.allowed", "verdict.reason", "verdict.line", "verdict.pattern", "verdict.group"),
    "ExtensionLine": (
        "line", "column", "key", "value", "group_line", "search", "ai_input", "ai_train", "content_use", "problem",
        "evidence", "about",
    ),
    "Problem": ("kind", "line", "column", "evidence", "about"),
}  # fmt: skip

ROBOTS: Output[RobotsReport] = Output(
    "robots", "What robots.txt says, and the verdict for each tested URL and crawler.", "robots.RobotsReport"
)
