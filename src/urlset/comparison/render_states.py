"""Text of `coverage diff`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.comparison.page_words import PageWords
from urlset.model.coverage_diff import StateChange
from urlset.model.reported import NAMES
from urlset.report.paint import Role
from urlset.report.style import Style
from urlset.text.safe import safe, shorten
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.coverage_diff import CoverageDiff, ReportedState

MAX_REASON = 100
"""Maximum characters of a reason to show."""

_WORDS = PageWords(show=safe, quote=lambda text: f'"{safe(text)}"')

_CHANGES = {
    StateChange.FELL_OUT: "Fell out of the index",
    StateChange.CAME_IN: "Entered the index",
    StateChange.OTHER_REASON: "Other reason",
}


def state_changes(result: CoverageDiff, style: Style = Style()) -> Iterator[str]:
    """Yield the URLs whose state changed, with what changed on their pages, and what is not known."""
    name = NAMES.get(result.engine, safe(result.engine))
    yield style.paint(f"{name}, {result.since} to {result.until}", Role.HEADING)
    yield f"{quantity(result.compared, 'URL')} with reports up to {result.since} and since."
    if not result.compared:
        # Without a comparison, that no URL fell out of the index would be no good news.
        yield (
            "Nothing can be compared. Import another export with `urlset coverage import`, or choose another day with "
            "--since."
        )
    for group in result.changes if result.compared else ():
        yield ""
        yield style.paint(f"{_CHANGES[group.change]}: {quantity(group.urls, 'URL')}", Role.HEADING)
        if group.changed:
            counts = (f"{one.words} on {quantity(pages, 'page')}" for one, pages in group.changed.items())
            yield f"  Changed in between: {', '.join(counts)}."
        for page in group.pages:
            yield f"  {style.paint(safe(page.url), Role.PLACE)}"
            yield f"    {_state(page.before)}; then {_state(page.after)}"
            yield from (f"    {_WORDS.value_change(change)}" for change in page.changes or ())
            if page.changes == ():
                yield "    the page did not change between the runs"
        if more := group.urls - len(group.pages):
            yield style.paint(f"  … {quantity(more, 'more URL')}; use --rows 0 to show all", Role.FAINT)
    yield ""
    if result.first_reported:
        yield f"Reported only since then: {quantity(result.first_reported, 'URL')}."
    if result.not_reported:
        yield f"Not reported since then, so unknown: {quantity(result.not_reported, 'URL')}."
    if not result.compared:
        return
    if not result.runs:
        yield "What changed on the pages is unknown: the store does not have two runs from this time."
    else:
        runs = " and ".join(f"run {run.run_id} ({run.made_at:%Y-%m-%d})" for run in result.runs)
        yield f"Pages of {runs} are compared."


def _state(report: ReportedState) -> str:
    is_told = report.reason in (None, report.state.value)
    why = "" if is_told else f" ({safe(shorten(report.reason or '', MAX_REASON))})"
    return f"{report.state.value.replace('-', ' ')}{why} on {report.at:%Y-%m-%d}"
