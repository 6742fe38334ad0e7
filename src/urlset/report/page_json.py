"""The JSON of `audit` for the URL of a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import Struct

from urlset.model.fields import NonNegativeInt, about
from urlset.model.page_explanation import CrawlsOfPage, PageExplanation
from urlset.report.json_objects import Columns, Members, Output
from urlset.report.robots_json import AgentVerdict
from urlset.web.robots_txt import Availability

OF_PAGE = (
    "status", "final_url", "hops", "hop_statuses", "error_kind", "error", "skipped", "blocked_by", "content_type",
    "noindex", "noindex_agents", "meta_robots", "x_robots", "unavailable_after_at", "canonical", "canonical_is_self",
    "refresh_seconds", "refresh_url", "html_lang", "title", "words", "complete", "fetched_at",
)  # fmt: skip
"""The columns of `pages` in the report on a page."""


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


class StatusHits(Struct, frozen=True):
    """The requests with a status code."""

    status: Annotated[NonNegativeInt, about("The status code.")]
    hits: Annotated[NonNegativeInt, about("Number of requests.")]


def _robots(page: PageExplanation) -> RobotsOfPage:
    """The robots.txt of its host."""
    verdicts = [AgentVerdict(agent, verdict) for agent, verdict in page.access.items()]
    return RobotsOfPage(page.robots.url, page.robots.availability, page.closed_to, verdicts)


def _page(page: PageExplanation) -> Annotated[dict[str, object], Columns("pages", OF_PAGE)]:
    """The response, by the columns of the table `pages`."""
    return {name: page.page.get(name) for name in OF_PAGE}


def _statuses(crawls: CrawlsOfPage) -> list[StatusHits]:
    """Number of requests by status code."""
    return [StatusHits(status, hits) for status, hits in crawls.statuses.items()]


MEMBERS: Members = {
    "CrawlsOfPage": ("agent", "verdict", "hits", "first_at", "last_at", _statuses),
    "PageExplanation": (
        "url", "verdict", "fix", "is_indexable", "reason", "value", "is_listed", "listings", "entries", "similar",
        "sitemaps", "unread", _robots, _page, "canonical", "versions", "referring", "stored", "unknown", "notes",
    ),
}  # fmt: skip

PAGE: Output[PageExplanation] = Output(
    "audit page", "What is known about one page.", "page_explanation.PageExplanation"
)
