"""Dates of sitemaps as JSON; its schema is `schemas/lastmod.schema.json`."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from urlset.model.lastmod import MIN_COMPARABLE
from urlset.report.json_parts import VERSION
from urlset.report.style import Style
from urlset.safe import json_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.lastmod import DateCounts, DateTrust


def render(dates: DateTrust, style: Style = Style()) -> Iterator[str]:
    """Yield the result as JSON text."""
    values = {
        "version": VERSION,
        "target": dates.target,
        "store": None if dates.store is None else str(dates.store),
        "run": dates.run_id,
        "earlier_run": dates.earlier_run,
        "pages": dates.pages,
        "min_comparable": MIN_COMPARABLE,
        "total": _counts(dates.total),
        "sitemaps": [_counts(one) for one in dates.sitemaps],
        "crawlers": [asdict(one) for one in dates.crawlers],
        "unreadable": [{"target": one.target, "reason": one.reason} for one in dates.unreadable],
    }
    yield json_text(values, ascii_only=style.ascii_only)


def _counts(counts: DateCounts) -> dict[str, object]:
    return {**asdict(counts), "comparable": counts.comparable, "trust": counts.trust}
