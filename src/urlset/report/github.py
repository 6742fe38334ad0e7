"""Report of `validate` as GitHub Actions workflow commands, which become annotations of a pull request.

https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from urlset.model.ranking import rank_rules
from urlset.report.formats import part
from urlset.report.locate import is_url, relative_path
from urlset.report.style import Style
from urlset.report.words import checked_words, occurrences, severity_counts
from urlset.rules.rule import Severity
from urlset.text.safe import safe, shorten
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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
    """Yield at most ten annotations of each level, in the order in which to fix what was found, then a summary line.

    Each finding has one before any has a second.
    """
    yield from annotation_lines(report, style, ())


def annotation_lines(report: Report, style: Style, errors: Sequence[str]) -> Iterator[str]:
    """Yield errors that are no findings, as `error` returns them, then what `render` yields, within its limits."""
    report = report if style.shows_quiet else report.without_quiet()
    free = Counter(dict.fromkeys(_COMMANDS.values(), MAX_PER_KIND))
    unreadable = report.unreadable[:MAX_PER_KIND]
    free["error"] = max(0, free["error"] - len(errors) - len(unreadable))
    yield from errors
    for each in unreadable:
        yield error("urlset", f"{each.target} could not be read: {each.reason}")
    ranks = {ranked.rule.code: ranked.rank for ranked in rank_rules(report)}
    findings = sorted(report.issues, key=lambda each: (each.severity.rank, ranks.get(each.rule.code, 0)))
    shown = [0] * len(findings)
    for turn in range(MAX_PER_KIND):
        for number, finding in enumerate(findings):
            command = _COMMANDS[finding.severity]
            if free[command] and turn < max(1, len(finding.examples)):
                free[command] -= 1
                shown[number] += 1
    for finding, count in zip(findings, shown, strict=True):
        for turn in range(count):
            yield _annotation(finding, turn, count, report)
    left_out = [finding.rule.code for finding, count in zip(findings, shown, strict=True) if not count]
    yield _sum(report, len(report.unreadable) - len(unreadable), left_out)


def error(title: str, message: str) -> str:
    """Return an annotation that is at no file."""
    return f"::error title={_property(title)}::{data(message)}"


def _annotation(finding: Finding, turn: int, shown: int, report: Report) -> str:
    """Return the annotation of an example; the first one says how many places there are, unless all are annotated."""
    rule = finding.rule
    example = finding.examples[turn] if finding.examples else None
    properties = {"title": f"{rule.code} {rule.name}"}
    message = example.message if example else rule.message
    place = report.place_of(finding, example)
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
    more = f" ({occurrences(finding.count)})" if finding.count > max(1, shown) and not turn else ""
    fields = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{_COMMANDS[finding.severity]} {fields}::{data(message)}{data(more)}%0A{data(rule.fix)}"


def data(text: str) -> str:
    """Return text from outside as the value of a workflow command."""
    escaped = safe(shorten(text, LONGEST_MESSAGE)).replace("%", "%25")
    return escaped.replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return data(text).replace(":", "%3A").replace(",", "%2C")


def _sum(report: Report, targets: int, left_out: Sequence[str]) -> str:
    summary = report.summary
    counts = severity_counts(summary)
    checked = quantity(summary.documents, "document") if report.compared is None else checked_words(report)
    line = f"urlset: {', '.join(counts) or report.without_findings()} in {checked}"
    if report.schema is not None:
        line += f", {part('schema.counts')(report.schema)}"
    if report.unreadable:
        line += f", {quantity(len(report.unreadable), 'target')} unreadable"
    if report.in_baseline:
        line += f"; {report.in_baseline}"
    omissions = targets + len(left_out)
    if not omissions:
        return f"{line}."
    codes = f" ({', '.join(dict.fromkeys(left_out))})" if left_out else ""
    return f"{line}; {omissions:,} not annotated{codes}, as GitHub shows only ten of each level."
