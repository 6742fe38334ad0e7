"""Text report of `validate`: findings by rule in the order in which to fix them, a summary, and what to start with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report.finding_lines import finding_lines, start_lines
from urlset.report.style import Style

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.report import Report


def render(report: Report, style: Style = Style()) -> Iterator[str]:
    """Yield the lines of the report."""
    yield from finding_lines(report, style)
    yield from start_lines(report, style.paint)
