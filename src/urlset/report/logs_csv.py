"""The crawlers of `logs` as CSV: one row per crawler and verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.model.access_log import STATUS_CLASSES
from urlset.model.query import QueryResult
from urlset.report import rows_csv
from urlset.report.style import Style

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.access_log import LogsResult

COLUMNS = (
    "agent", "operator", "purpose", "verdict", "urls", "hits", "sitemap_hits",
    *(f"status_{one}xx" for one in STATUS_CLASSES), "first_at", "last_at",
)  # fmt: skip


def render(result: LogsResult, style: Style = Style()) -> Iterator[str]:
    """Yield the rows below the names of their columns."""
    rows = (
        (
            one.agent.name,
            one.agent.operator,
            one.agent.purpose.value,
            one.verdict.value,
            one.urls,
            one.hits,
            one.sitemap_hits,
            *one.by_class,
            one.first_at,
            one.last_at,
        )
        for one in result.crawlers
    )
    yield from rows_csv.render(QueryResult(COLUMNS, (), rows), style)
