"""The counts per rule of `validate --statistics` as Markdown: one table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report.style import Style
from urlset.safe import code_span
from urlset.sizes import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.report import Report


def render(report: Report, style: Style = Style()) -> Iterator[str]:  # noqa: ARG001 - the signature of a renderer
    """Yield the lines of the table, below the sums."""
    counts = report.statistics
    places = counted(sum(one.places for one in counts), "place")
    where = f"in {counted(report.summary.documents, 'document')}, {counted(report.summary.urls, 'URL')}"
    found = f"{counted(len(counts), 'rule')} broken in {places}" if counts else report.caveat or "no problems found"
    yield f"**urlset:** {found} {where}"
    if counts:
        yield ""
        yield "| severity | code | name | places | documents | fixable |"
        yield "|---|---|---|---:|---:|---|"
    for one in counts:
        rule = one.rule
        cells = (rule.severity.value, rule.code, code_span(rule.name).replace("|", "\\|"))
        yield f"| {' | '.join(cells)} | {one.places:,} | {one.documents:,} | {rule.fixable.value} |"
