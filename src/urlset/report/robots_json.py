"""The JSON of `robots`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import Struct

from urlset.model.fields import NonNegativeInt, about
from urlset.model.robots import RobotsReport, UrlAccess
from urlset.report.json_objects import Members, Output
from urlset.web.robots_content import ExtensionLine, Group, Problem, SitemapLine
from urlset.web.robots_txt import Availability, Verdict


class RobotsFile(Struct, frozen=True, kw_only=True):
    """The robots.txt."""

    target: Annotated[str, about("Its path or URL.")]
    http_status: Annotated[
        NonNegativeInt | None, about("Status code of the last response; null for a file, or without a response.")
    ]
    availability: Annotated[
        Availability,
        about("read; unavailable (no robots.txt: everything is allowed); unreachable (nothing is allowed)."),
    ]
    reason: Annotated[str | None, about("Why it is unreachable; null otherwise.")]
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


class AgentVerdict(Struct, frozen=True):
    """Whether a crawler may fetch a URL."""

    agent: Annotated[str, about("The crawler.")]
    verdict: Annotated[Verdict, about("The verdict.")]


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
