"""Render `coverage` as text, Markdown, and a table."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from urlset.model.query import QueryResult
from urlset.report.command_tables import Table
from urlset.report.coverage_words import MAX_REASONS, STEPS, cell, day, name_of, notes, steps_of
from urlset.report.markdown import render as finding_markdown
from urlset.report.paint import Role
from urlset.report.rows import Code, markdown_lines, table
from urlset.report.style import Style
from urlset.report.text import render as finding_text
from urlset.text.safe import safe
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.coverage import CoverageResult


def text(result: CoverageResult, style: Style = Style()) -> Iterator[str]:
    funnel, paint = result.funnel, style.paint
    store = safe(str(result.store))
    yield paint(f"Coverage of run {result.run_id} ({day(result.made_at)}) in {store}", Role.HEADING)
    yield ""
    rows = [(name_of(row), row.listed, *map(cell, steps_of(row))) for row in (funnel.total, *funnel.rows)]
    yield from table((funnel.by, "listed", *STEPS), rows, replace(style, max_rows=0))
    if funnel.more_rows:
        yield paint(f"… {quantity(funnel.more_rows, 'more row')}; use --rows 0 to show all", Role.FAINT)
    yield paint("8 of 10: 8 of the 10 listed URLs for which it is known; blank: nothing is known", Role.FAINT)
    yield ""
    yield from notes(funnel)
    yield ""
    if funnel.reasons:
        yield paint("Listed URLs by reason", Role.HEADING)
        first_reasons = funnel.reasons[:MAX_REASONS]
        width = max(len(f"{one.urls:,}") for one in first_reasons)
        yield from (f"  {one.urls:{width},}  {safe(one.reason or 'unknown')}" for one in first_reasons)
        if more := funnel.reasons[MAX_REASONS:]:
            yield paint(f"  … {quantity(len(more), 'more reason')}", Role.FAINT)
        yield ""
    yield from finding_text(result.report, style)


def markdown(result: CoverageResult, style: Style = Style()) -> Iterator[str]:
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
        yield f"- not shown: {quantity(funnel.more_rows, 'more row')}"
    yield ""
    yield from finding_markdown(result.report, style)


def _funnel(result: CoverageResult) -> QueryResult:
    """Return a row per sitemap or section, after one for all. What is unknown is null."""
    funnel = result.funnel
    columns = (funnel.by, "listed", *(name for step in STEPS for name in (step, f"{step}_known")))
    cells = (
        (
            row.name or "all",
            row.listed,
            *(number for step in steps_of(row) for number in (step.yes if step.known else None, step.known)),
        )
        for row in (funnel.total, *funnel.rows)
    )
    return QueryResult(columns, (), cells)


FUNNEL = Table(of=_funnel)
