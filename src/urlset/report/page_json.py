"""JSON report on one page; its schema is `schemas/audit-page.schema.json`."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from urlset.report.json_parts import VERSION
from urlset.report.style import Style
from urlset.safe import json_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.page_explanation import PageExplanation, StoredPage

OF_PAGE = (
    "status", "final_url", "hops", "hop_statuses", "error_kind", "error", "skipped", "blocked_by", "content_type",
    "noindex", "noindex_agents", "meta_robots", "x_robots", "unavailable_after_at", "canonical", "canonical_is_self",
    "refresh_seconds", "refresh_url", "html_lang", "title", "words", "complete", "fetched_at",
)  # fmt: skip
"""The columns of `pages` that the report has."""


def render(page: PageExplanation, style: Style = Style()) -> Iterator[str]:
    """Yield the report as JSON text."""
    values = {
        "version": VERSION,
        "url": page.url,
        "verdict": page.verdict,
        "fix": page.fix,
        "is_indexable": page.is_indexable,
        "reason": page.reason,
        "value": page.value,
        "is_listed": page.is_listed,
        "listings": [asdict(one) for one in page.listings],
        "entries": page.entries,
        "similar": [asdict(one) for one in page.similar],
        "sitemaps": page.sitemaps,
        "unread": [asdict(one) for one in page.unread],
        "robots": {
            "url": page.robots.url,
            "availability": page.robots.availability.value,
            "closed_to": list(page.closed_to),
            "verdicts": [{"agent": agent, **asdict(verdict)} for agent, verdict in page.access.items()],
        },
        "page": {name: page.page.get(name) for name in OF_PAGE},
        "canonical": None if page.canonical is None else asdict(page.canonical),
        "versions": [asdict(one) for one in page.versions],
        "referring": list(page.referring),
        "stored": None if page.stored is None else _stored(page.stored),
        "unknown": list(page.unknown),
        "notes": list(page.notes),
    }
    yield json_text(_plain(values), ascii_only=style.ascii_only)


def _stored(stored: StoredPage) -> dict[str, Any]:
    values = asdict(stored)
    for crawl in values["crawls"] or ():
        crawl["statuses"] = [{"status": status, "hits": hits} for status, hits in crawl["statuses"].items()]
    return values


def _plain(value: Any) -> Any:
    """Return a value with times in ISO 8601."""
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
    return value
