"""Text that `coverage sitemaps` prints: a row for each submitted sitemap."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from urlset.model.reported import NAMES
from urlset.report.paint import Role
from urlset.report.rows import table
from urlset.report.style import Style
from urlset.safe import safe
from urlset.sizes import counted

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from urlset.model.reported import ReportedSitemap, ReportedSitemaps

COLUMNS = ("engine", "sitemap", "last read (UTC)", "submitted", "state", "errors", "warnings", "URLs")


def render(result: ReportedSitemaps, style: Style = Style()) -> Iterator[str]:
    """Yield the lines."""
    for engine, site in result.asked.items():
        count = sum(one.engine == engine for one in result.sitemaps)
        yield style.paint(f"{NAMES[engine]}, {safe(site)}: {counted(count, 'submitted sitemap')}", Role.HEADING)
    if result.sitemaps:
        yield ""
        is_compared = any(one.bytes_seen for one in result.sitemaps)
        columns = (*COLUMNS, "its bytes") if is_compared else COLUMNS
        rows = [(*_row(one), one.bytes_seen) if is_compared else _row(one) for one in result.sitemaps]
        yield from table(columns, rows, replace(style, max_rows=0), null="")
    for note in result.notes:
        yield style.paint(f"Note: {note}.", Role.FAINT)


def _row(one: ReportedSitemap) -> tuple[object, ...]:
    state = "pending" if one.is_pending else one.status or ("read" if one.read_at is not None else "never read")
    urls = sum(one.urls.values()) if one.urls else None
    read, submitted = _minute(one.read_at), one.submitted_at and f"{one.submitted_at:%Y-%m-%d}"
    return (one.engine, one.url, read, submitted, state, one.errors, one.warnings, urls)


def _minute(moment: datetime | None) -> str | None:
    return None if moment is None else f"{moment:%Y-%m-%d %H:%M}"
