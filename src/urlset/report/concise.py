"""Concise report of `validate`: one line per example, for editors, grep, and other tools."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report.locate import place
from urlset.report.style import Style
from urlset.report.words import occurrences, places_not_shown
from urlset.text.safe import safe

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.finding import Finding
    from urlset.model.report import Report


def render(report: Report, style: Style = Style()) -> Iterator[str]:
    """Yield the lines of the report: `document:line:column: CODE name message`.

    The last line of a finding gives the number of remaining places. A finding without examples has one line.
    """
    report = report if style.shows_quiet else report.without_quiet()
    for finding in report.issues:
        yield from _finding_lines(finding, report)


def _finding_lines(finding: Finding, report: Report) -> Iterator[str]:
    rule = finding.rule
    if not finding.examples:
        where = place(report.place_of(finding))
        yield f"{where}: {rule.code} {rule.name} {rule.message} ({occurrences(finding.count)})"
    for number, example in enumerate(finding.examples, start=1):
        rest = places_not_shown(rule, number, finding.count) if number == len(finding.examples) else ""
        more = f" ({rest})" if rest else ""
        yield f"{place(report.place_of(finding, example))}: {rule.code} {rule.name} {safe(example.message)}{more}"
