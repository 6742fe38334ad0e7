"""Markdown report of `coverage`: the funnel, what it is based on, and the findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report import markdown
from urlset.report.coverage_words import STEPS, cell, day, notes, steps_of
from urlset.report.style import Style
from urlset.safe import code_span
from urlset.sizes import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.coverage import CoverageResult


def render(result: CoverageResult, style: Style = Style()) -> Iterator[str]:
    """Yield the lines of the report."""
    funnel = result.funnel
    yield f"**urlset:** coverage of run {result.run_id} ({day(result.made_at)})"
    yield ""
    yield f"| {funnel.by} | listed | {' | '.join(STEPS)} |"
    yield f"|---|---:|{'---:|' * len(STEPS)}"
    for row in (funnel.total, *funnel.rows):
        name = code_span(row.name).replace("|", "\\|") if row.name else "all"
        yield f"| {name} | {row.listed:,} | {' | '.join(map(cell, steps_of(row)))} |"
    yield ""
    yield "8 of 10: 8 of the 10 listed URLs for which it is known; blank: nothing is known."
    yield ""
    yield from (f"- {note}" for note in notes(funnel))
    if funnel.more_rows:
        yield f"- not shown: {counted(funnel.more_rows, 'more row')}"
    yield ""
    yield from markdown.render(result.report, style)
