"""JSON report of `robots`; its schema is `schemas/robots.schema.json`."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from urlset.report.json_parts import VERSION
from urlset.report.style import Style
from urlset.safe import json_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.robots import RobotsReport, UrlAccess


def render(report: RobotsReport, style: Style = Style()) -> Iterator[str]:
    """Yield the report as JSON text."""
    robots = report.robots
    written: dict[str, Any] = {
        "version": VERSION,
        "robots": {
            "target": report.name,
            "http_status": report.status,
            "availability": robots.availability.value,
            "reason": report.reason,
            **robots.facts,
            "groups": [dataclasses.asdict(group) for group in robots.groups],
            "sitemaps": [dataclasses.asdict(sitemap) for sitemap in robots.sitemaps],
            "extensions": [dataclasses.asdict(line) | {"about": line.about} for line in robots.extensions],
            "problems": [dataclasses.asdict(problem) | {"about": problem.about} for problem in robots.problems],
        },
        "agents": list(report.agents),
        "urls": [_url(asked) for asked in report.urls],
        "listed": [dataclasses.asdict(asked) for asked in report.sitemaps],
    }
    yield json_text(written, ascii_only=style.ascii_only)


def _url(asked: UrlAccess) -> dict[str, Any]:
    if asked.verdicts is None:
        return {"url": asked.url, "covered": False, "verdicts": []}
    verdicts = [{"agent": agent, **dataclasses.asdict(verdict)} for agent, verdict in asked.verdicts.items()]
    return {"url": asked.url, "covered": True, "verdicts": verdicts}
