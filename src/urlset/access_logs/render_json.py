"""JSON report of `logs`; its schema is `schemas/logs.schema.json`."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from urlset.report.json import VERSION, report_as_json, unreadable_as_json
from urlset.report.style import Style
from urlset.safe import json_text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from urlset.model.access_log import CrawlerHits, LogRead, LogsResult, SitemapFetches
    from urlset.model.crawl_report import CrawlReport

COUNTS = (
    "lines", "unreadable", "cut", "people", "agentless", "early", "elsewhere", "hostless", "pathless", "schemeless",
    "hits", "clientless", "addressless", "private", "forwarded",
)  # fmt: skip
"""The numbers of lines of a log."""


def render(result: LogsResult, style: Style = Style()) -> Iterator[str]:
    """Yield the result as JSON text."""
    yield json_text(_as_json(result), ascii_only=style.ascii_only)


def _as_json(result: LogsResult) -> dict[str, object]:
    return {
        "version": VERSION,
        "store": str(result.store),
        "first_at": _instant(result.first_at),
        "last_at": _instant(result.last_at),
        "crawlers": [_crawler(one) for one in result.crawlers],
        "sitemaps": [_sitemap(one) for one in result.sitemaps],
        "sitemaps_total": result.sitemaps_total,
        "logs": [_log(one) for one in result.logs],
        "unreadable": [unreadable_as_json(one) for one in result.unreadable],
        "skipped": list(result.skipped),
        "address_lists": [
            {"name": one.name, "made_at": _instant(one.made_at), "prefixes": one.prefixes, "is_used": one.is_used}
            for one in result.lists
        ],
        "is_checked": result.is_checked,
        "unasked": result.unasked,
        "compared": None if result.crawl is None else _compared(result.crawl),
        "uncompared": result.uncompared,
        "assumed_site": result.assumed_site,
    }


def _compared(crawl: CrawlReport) -> dict[str, object]:
    overview = crawl.overview
    return {
        "run": overview.run_id,
        "period": overview.period,
        "days": round(overview.days, 3),
        "is_verified": overview.is_verified,
        "crawlers": [asdict(one) for one in overview.crawlers],
        "more_crawlers": overview.more_crawlers,
        "sections": [asdict(one) for one in overview.sections],
        "more_sections": overview.more_sections,
        "calendar": {
            agent: [{"day": day.isoformat(), "hits": hits} for day, hits in days]
            for agent, days in overview.calendar.items()
        },
        "notes": list(crawl.report.notes),
        "report": report_as_json(crawl.report),
    }


def _log(log: LogRead) -> dict[str, object]:
    return {
        "name": log.name,
        "format": log.format,
        "compression": log.compression,
        "start": log.start,
        **{name: getattr(log, name) for name in COUNTS},
        "first_at": _instant(log.first_at),
        "last_at": _instant(log.last_at),
        "torn_bytes": log.torn_bytes,
        "damage": log.damage,
    }


def _crawler(one: CrawlerHits) -> dict[str, object]:
    return {
        "agent": one.agent.name,
        "operator": one.agent.operator,
        "purpose": one.agent.purpose,
        "verdict": one.verdict,
        "urls": one.urls,
        "hits": one.hits,
        "statuses": {str(status): hits for status, hits in one.statuses.items()},
        "sitemap_hits": one.sitemap_hits,
        "first_at": _instant(one.first_at),
        "last_at": _instant(one.last_at),
    }


def _sitemap(one: SitemapFetches) -> dict[str, object]:
    return {
        "document": one.document,
        "agent": one.agent,
        "verdict": one.verdict,
        "hits": one.hits,
        "last_at": _instant(one.last_at),
        "last_status": one.last_status,
    }


def _instant(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat().replace("+00:00", "Z")
