"""Text report of `coverage`: the funnel, the reasons, and the findings."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from urlset.report import text
from urlset.report.coverage_words import STEPS, cell, day, name_of, notes, steps_of
from urlset.report.paint import Role
from urlset.report.rows import table
from urlset.report.style import Style
from urlset.safe import safe
from urlset.sizes import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.coverage import CoverageResult

MOST_REASONS = 12
"""Maximum reasons to show."""


def render(result: CoverageResult, style: Style = Style()) -> Iterator[str]:
    """Yield the lines of the report."""
    funnel, paint = result.funnel, style.paint
    store = safe(str(result.store))
    yield paint(f"Coverage of run {result.run_id} ({day(result.made_at)}) in {store}", Role.HEADING)
    yield ""
    rows = [(name_of(row), row.listed, *map(cell, steps_of(row))) for row in (funnel.total, *funnel.rows)]
    yield from table((funnel.by, "listed", *STEPS), rows, replace(style, max_rows=0))
    if funnel.more_rows:
        yield paint(f"… {counted(funnel.more_rows, 'more row')}; use --rows 0 to show all", Role.FAINT)
    yield paint("8 of 10: 8 of the 10 listed URLs for which it is known; blank: nothing is known", Role.FAINT)
    yield ""
    yield from notes(funnel)
    yield ""
    if funnel.reasons:
        yield paint("Listed URLs by reason", Role.HEADING)
        shown = funnel.reasons[:MOST_REASONS]
        width = max(len(f"{count:,}") for _, count in shown)
        yield from (f"  {count:{width},}  {safe(reason) or 'unknown'}" for reason, count in shown)
        if left := funnel.reasons[MOST_REASONS:]:
            yield paint(f"  … {counted(len(left), 'more reason')}", Role.FAINT)
        yield ""
    yield from text.render(result.report, style)
