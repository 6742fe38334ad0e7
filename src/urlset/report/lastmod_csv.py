"""Dates of sitemaps as CSV: one row per sitemap."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.model.query import QueryResult
from urlset.report import rows_csv
from urlset.report.style import Style

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.lastmod import DateTrust

COLUMNS = (
    "sitemap", "trust", "comparable", "true", "inflated", "frozen", "unknown", "absent", "invalid", "entries", "rules",
)  # fmt: skip
"""The columns. `trust` is empty if there is not enough to tell."""


def render(dates: DateTrust, style: Style = Style()) -> Iterator[str]:
    """Yield the rows."""
    rows = (
        (
            one.url, one.trust, one.comparable, one.true, one.inflated, one.frozen, one.unknown, one.absent,
            one.invalid, one.entries, " ".join(one.rules),
        )
        for one in dates.sitemaps
    )  # fmt: skip
    yield from rows_csv.render(QueryResult(COLUMNS, ("VARCHAR",) * len(COLUMNS), rows), style)
