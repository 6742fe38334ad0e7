"""The JSON of `logs`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Annotated

from msgspec import Struct

from urlset.model.access_log import LogsResult
from urlset.model.crawl_report import CrawlReport
from urlset.model.fields import NonNegativeFloat, NonNegativeInt, about
from urlset.report.json_objects import Members, Output


class DayHits(Struct, frozen=True):
    """The requests on a day."""

    day: Annotated[date, about("The day, UTC.")]
    hits: Annotated[NonNegativeInt, about("Number of requests.")]


def _days(crawl: CrawlReport) -> NonNegativeFloat:
    """Length of this period as a number of days."""
    return round(crawl.overview.days, 3)


def _calendar(crawl: CrawlReport) -> dict[str, list[DayHits]]:
    """Requests on each day, by crawler, for the crawlers with the most requests."""
    return {agent: [DayHits(*day) for day in days] for agent, days in crawl.overview.calendar.items()}


def _notes(crawl: CrawlReport) -> Sequence[str]:
    """What the logs do not allow to say."""
    return crawl.report.notes


MEMBERS: Members = {
    "CrawlerHits": (
        "agent=agent.name", "agent.operator", "agent.purpose", "verdict", "urls", "hits", "statuses",
        "sitemap_hits", "first_at", "last_at",
    ),
    "LogsResult": (
        "store", "first_at", "last_at", "crawlers", "sitemaps", "sitemaps_total", "logs", "unreadable", "skipped",
        "address_lists=lists", "is_checked", "unasked", "compared=crawl", "uncompared", "assumed_site",
    ),
    "CrawlReport": (
        "run=overview.run_id", "overview.period", _days, "overview.is_verified",
        "overview.crawlers", "overview.more_crawlers", "overview.sections",
        "overview.more_sections", _calendar, _notes, "report",
    ),
}  # fmt: skip

LOGS: Output[LogsResult] = Output("logs", "What crawlers requested according to access logs.", "access_log.LogsResult")
