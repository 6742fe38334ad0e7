"""Markdown report of `validate`, for a pull request or a job summary: a table of rules, then the places.

Untrusted text is in code spans, in which Markdown does not create links, mentions, or HTML
(https://spec.commonmark.org/0.31.2/#code-spans).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from urlset.model.ranking import rank_rules
from urlset.report.formats import part
from urlset.report.locate import place
from urlset.report.rows import markdown_lines, markdown_row
from urlset.report.style import Style
from urlset.report.words import causes_line, checked_words, occurrences, places_not_shown, severity_counts
from urlset.text.safe import code_span, safe
from urlset.text.sizes import enumeration, quantity

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from urlset.model.finding import Finding
    from urlset.model.ranking import RankedRule
    from urlset.model.report import Report

LONGEST = 60_000
"""Maximum characters of the report; GitHub accepts 65,536 in a comment."""

LONGEST_NAME = 200
"""Maximum characters of a document's name outside a code span."""

MAX_PLACES = 20
"""Places to show per rule, across documents."""

MAX_UNREADABLE = 20


def render(report: Report, style: Style = Style()) -> Iterator[str]:
    """Yield the lines of the report, at most `LONGEST` characters; the last line counts the omitted findings."""
    report = report if style.shows_quiet else report.without_quiet()
    used = 0
    omissions = 0
    for block, findings in _blocks(report):
        size = sum(len(line) + 1 for line in block)
        if omissions or used + size > LONGEST - 200:
            omissions += findings
            continue
        used += size
        yield from block
    if omissions:
        yield ""
        yield f"_{quantity(omissions, 'more finding')} not shown because the report would be too long for a comment._"


def _blocks(report: Report) -> Iterator[tuple[list[str], int]]:
    """Yield blocks that are shown in full or not at all, each with the number of findings only it shows."""
    yield list(_head(report)), 0
    order = rank_rules(report)
    if order:
        columns = ("severity", "rule", "message", "impact", "documents", "places")
        yield ["", *markdown_lines(columns, (), right=("documents", "places"))], 0
    for violation in order:
        yield [_row(violation)], 0
    for verdict in report.not_valid:
        yield list(part("schema.markdown")(verdict, report.document_url(verdict.document_id))), 1
    for violation in order:
        yield list(_details(report, violation.findings)), len(violation.findings)


def _head(report: Report) -> Iterator[str]:
    summary = report.summary
    counts = severity_counts(summary)
    where = f"in {checked_words(report)}"
    yield f"**urlset:** {enumeration(counts) if counts else report.without_findings()} {where}"
    if report.in_baseline:
        yield ""
        yield f"{report.in_baseline.capitalize()}."
    if report.schema is not None:
        yield ""
        yield f"{part('schema.counts')(report.schema)}."
    for number, unreadable in enumerate(report.unreadable):
        if number == MAX_UNREADABLE:
            yield ""
            yield f"… and {quantity(len(report.unreadable) - number, 'more target')} could not be read"
            break
        yield ""
        yield f"Could not read {code_span(unreadable.target)}: {code_span(unreadable.reason)}"


def _row(violation: RankedRule) -> str:
    rule = violation.rule
    causes = causes_line(violation, [cause.rule.code for cause in violation.because_of])
    impact = "; ".join(part for part in (violation.reason, causes) if part)
    name = f"{rule.code} {_escape(rule.name)}"
    return markdown_row(
        (rule.severity.value, name, _escape(rule.message), impact, len(violation.findings), violation.places)
    )


def _details(report: Report, findings: Sequence[Finding]) -> Iterator[str]:
    rule = findings[0].rule
    yield ""
    # Markdown is not parsed inside an HTML block, so this text is escaped for HTML only.
    yield f"<details><summary>{rule.code} {html_text(rule.name)}</summary>"
    yield ""
    places = [(finding, example) for finding in findings for example in finding.examples]
    for finding, example in places[:MAX_PLACES]:
        yield f"- {code_span(place(report.place_of(finding, example)))} {code_span(example.message)}"
    if not places:
        for finding in findings[:MAX_PLACES]:
            yield f"- {code_span(report.document_url(finding.document_id))}: {occurrences(finding.count)}"
    total = sum(finding.count for finding in findings)
    if places and (rest := places_not_shown(rule, min(len(places), MAX_PLACES), total, "place")):
        yield f"- … {rest}"
    yield ""
    yield f"Fix: {_escape(rule.fix)}"
    yield ""
    yield "</details>"


def _escape(text: str) -> str:
    """Return the text of a rule without markup; a custom rule may contain any text."""
    return re.sub(r"[\\`*_\[\]<>#|~&@!]|://(?=\S)|www\.(?=\S)", _entities, safe(text))


def _entities(match: re.Match[str]) -> str:
    return "".join(char if char.isalnum() else f"&#{ord(char)};" for char in match[0])


def html_text(text: str) -> str:
    return re.sub("[&<>\"']", _entities, safe(text))
