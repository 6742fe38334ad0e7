"""Markdown report of `coverage`: the funnel, what it is based on, and the findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report import markdown
from urlset.report.coverage_words import STEPS, cell, day, notes, steps_of
from urlset.report.rows import Code, markdown_lines
from urlset.report.style import Style
from urlset.sizes import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.coverage import CoverageResult


def render(result: CoverageResult, style: Style = Style()) -> Iterator[str]:
    """Yield the lines of the report."""
    funnel = result.funnel
    yield f"**urlset:** coverage of run {result.run_id} ({day(result.made_at)})"
    yield ""
    rows = (
        (Code(row.name) if row.name else "all", row.listed, *map(cell, steps_of(row)))
        for row in (funnel.total, *funnel.rows)
    )
    yield from markdown_lines((funnel.by, "listed", *STEPS), rows, right=("listed", *STEPS))
    yield ""
    yield "8 of 10: 8 of the 10 listed URLs for which it is known; blank: nothing is known."
    yield ""
    yield from (f"- {note}" for note in notes(funnel))
    if funnel.more_rows:
        yield f"- not shown: {counted(funnel.more_rows, 'more row')}"
    yield ""
    yield from markdown.render(result.report, style)
