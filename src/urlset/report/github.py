"""Report of `validate` as GitHub Actions workflow commands, which become annotations of a pull request.

https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from urlset.report.formats import part
from urlset.report.locate import is_url, relative_path
from urlset.report.style import Style
from urlset.report.words import checked_words, occurrences
from urlset.rules.rule import Severity
from urlset.text.safe import safe, shorten
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.finding import Finding
    from urlset.model.report import Report

MAX_PER_KIND = 10
"""Annotations of each level that GitHub shows per step; it silently drops the rest.
https://docs.github.com/en/rest/checks/runs, and https://github.com/orgs/community/discussions/26680"""

LONGEST_MESSAGE = 1_000
"""Maximum characters of a message."""

_COMMANDS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFO: "notice",
    Severity.HINT: "notice",
}


def render(report: Report, style: Style = Style()) -> Iterator[str]:
    """Yield an annotation for each of the first ten findings of each level, then a summary line."""
    report = report if style.shows_quiet else report.without_quiet()
    counts: Counter[str] = Counter()
    omissions = 0
    for unreadable in report.unreadable:
        if counts["error"] < MAX_PER_KIND:
            counts["error"] += 1
            yield f"::error title=urlset::{_data(f'{unreadable.target} could not be read: {unreadable.reason}')}"
        else:
            omissions += 1
    for finding in report.issues:
        command = _COMMANDS[finding.severity]
        if counts[command] < MAX_PER_KIND:
            counts[command] += 1
            yield _annotation(command, finding, report)
        else:
            omissions += 1
    yield _sum(report, omissions)


def _annotation(command: str, finding: Finding, report: Report) -> str:
    rule = finding.rule
    first = finding.examples[0] if finding.examples else None
    properties = {"title": f"{rule.code} {rule.name}"}
    message = first.message if first else rule.message
    place = report.place_of(finding, first)
    if is_url(place.name):
        # An annotation must refer to a file in the repository, so the message names a fetched document.
        line = "" if place.line is None else f":{place.line}"
        message = f"{place.name}{line}: {message}"
    else:
        properties = {"file": relative_path(place.name)} | properties
        if place.line is not None:
            properties["line"] = str(place.line)
            if place.column is not None:
                properties["col"] = str(place.column)
    more = f" ({occurrences(finding.count)} in this document)" if finding.count > 1 else ""
    fields = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{command} {fields}::{_data(message)}{_data(more)}%0A{_data(rule.fix)}"


def _data(text: str) -> str:
    escaped = safe(shorten(text, LONGEST_MESSAGE)).replace("%", "%25")
    return escaped.replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _sum(report: Report, omissions: int) -> str:
    summary = report.summary
    counts = [
        f"{quantity(tally.findings, severity.value)} ({quantity(tally.places, 'place')})"
        for severity, tally in summary.tallies.items()
        if tally.findings
    ]
    checked = quantity(summary.documents, "document") if report.compared is None else checked_words(report)
    line = f"urlset: {', '.join(counts) or report.caveat or 'no findings'} in {checked}"
    if report.schema is not None:
        line += f", {part('schema.counts')(report.schema)}"
    if report.unreadable:
        line += f", {quantity(len(report.unreadable), 'target')} unreadable"
    return f"{line}; {omissions:,} not annotated, as GitHub shows only 10 per level." if omissions else f"{line}."
