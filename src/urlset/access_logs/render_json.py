"""JSON report of `logs`; its schema is `schemas/logs.schema.json`."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from urlset.report.json_objects import VERSION, as_json
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
    yield json_text(_as_json(result), ascii_only=style.ascii_only)


def _as_json(result: LogsResult) -> dict[str, object]:
    return {
        "version": VERSION,
        "store": str(result.store),
        "first_at": _instant(result.first_at),
        "last_at": _instant(result.last_at),
        "crawlers": [_crawler(crawler) for crawler in result.crawlers],
        "sitemaps": [_sitemap(sitemap) for sitemap in result.sitemaps],
        "sitemaps_total": result.sitemaps_total,
        "logs": [_log(log) for log in result.logs],
        "unreadable": as_json(result.unreadable),
        "skipped": list(result.skipped),
        "address_lists": [
            {
                "name": entry.name,
                "made_at": _instant(entry.made_at),
                "prefixes": entry.prefixes,
                "is_used": entry.is_used,
            }
            for entry in result.lists
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
        "crawlers": [asdict(crawler) for crawler in overview.crawlers],
        "more_crawlers": overview.more_crawlers,
        "sections": [asdict(section) for section in overview.sections],
        "more_sections": overview.more_sections,
        "calendar": {
            agent: [{"day": day.isoformat(), "hits": hits} for day, hits in days]
            for agent, days in overview.calendar.items()
        },
        "notes": list(crawl.report.notes),
        "report": as_json(crawl.report),
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


def _crawler(crawler: CrawlerHits) -> dict[str, object]:
    return {
        "agent": crawler.agent.name,
        "operator": crawler.agent.operator,
        "purpose": crawler.agent.purpose,
        "verdict": crawler.verdict,
        "urls": crawler.urls,
        "hits": crawler.hits,
        "statuses": {str(status): hits for status, hits in crawler.statuses.items()},
        "sitemap_hits": crawler.sitemap_hits,
        "first_at": _instant(crawler.first_at),
        "last_at": _instant(crawler.last_at),
    }


def _sitemap(sitemap: SitemapFetches) -> dict[str, object]:
    return {
        "document": sitemap.document,
        "agent": sitemap.agent,
        "verdict": sitemap.verdict,
        "hits": sitemap.hits,
        "last_at": _instant(sitemap.last_at),
        "last_status": sitemap.last_status,
    }


def _instant(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat().replace("+00:00", "Z")
