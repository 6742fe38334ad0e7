"""New findings of `diff` as GitHub Actions workflow commands, like those of `validate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report import github
from urlset.report.style import Style

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.comparison import Alarm, Comparison

MAX_PAGES = 3
"""Pages to name with an alarm."""


def render(comparison: Comparison, style: Style = Style()) -> Iterator[str]:
    """Yield the annotations of the alarms, and of the new findings at their files, and a summary line."""
    alarms = [_alarm(alarm, comparison) for alarm in comparison.alarms]
    if comparison.new_findings is None:
        yield from alarms
        yield "urlset: findings were not compared, because the rules did not run on both sides."
    else:
        yield from github.annotation_lines(comparison.new_findings, style, alarms)


def _alarm(alarm: Alarm, comparison: Comparison) -> str:
    lost = comparison.unindexed if alarm.name == "page-not-indexable" else None
    pages = () if lost is None else lost.examples
    named = [f"{page.url}: {page.reason}" for page in pages[:MAX_PAGES]]
    named += [f"and {lost.count - MAX_PAGES:,} more"] if lost is not None and lost.count > MAX_PAGES else []
    return "%0A".join((github.error(alarm.name, alarm.message), *map(github.data, named)))
