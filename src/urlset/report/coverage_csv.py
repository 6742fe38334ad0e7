"""The funnel of `coverage` as CSV: one row per sitemap or section, after one for all. What is unknown is empty."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.model.query import QueryResult
from urlset.report import rows_csv
from urlset.report.coverage_words import STEPS, steps_of
from urlset.report.style import Style

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.coverage import CoverageResult, FunnelRow


def render(result: CoverageResult, style: Style = Style()) -> Iterator[str]:
    """Yield the rows below the names of their columns."""
    funnel = result.funnel
    columns = (funnel.by, "listed", *(name for step in STEPS for name in (step, f"{step}_known")))
    yield from rows_csv.render(QueryResult(columns, (), map(_cells, (funnel.total, *funnel.rows))), style)


def _cells(row: FunnelRow) -> tuple[object, ...]:
    steps = [(step.yes if step.known else None, step.known) for step in steps_of(row)]
    return (row.name or "all", row.listed, *(number for step in steps for number in step))
