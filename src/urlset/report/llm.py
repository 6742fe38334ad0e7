"""Short report of `validate` for language models, and its parts."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from urlset.model.ranking import rank_rules
from urlset.report.brief import Brief, Group, command, quotes_for, title
from urlset.report.formats import part
from urlset.report.locate import is_url
from urlset.report.style import Style
from urlset.report.words import causes_line, checked_words, places_not_shown, severity_counts
from urlset.rules.registry import all_rules
from urlset.rules.rule import Fixable
from urlset.text.safe import safe
from urlset.text.sizes import enumeration, quantity

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from urlset.model.finding import Finding
    from urlset.model.fix import Change
    from urlset.model.ranking import RankedRule
    from urlset.model.report import Report
    from urlset.report.brief import Quotes
    from urlset.rules.rule import Rule


def render(report: Report, style: Style = Style()) -> Iterator[str]:
    """Yield a brief for language models, with a group per rule."""
    report = report if style.shows_quiet else report.without_quiet()
    quote = quotes_for(report.document_urls.values(), ascii_only=style.ascii_only)
    yield from Brief(
        [*quote.heading(), *state_lines(report, quote)],
        finding_groups(report, quote),
        list(next_lines(report)),
        "rule",
        style.ascii_only,
    ).lines()


PLACES_IN_LINE = 3
"""Places of a document to show."""

MAX_UNREADABLE = 5

MAX_NOTES = 3

_HOW = {Fixable.ALWAYS: " `urlset fix` does it.", Fixable.SOMETIMES: " `urlset fix` does it where it is certain."}


def state_lines(report: Report, quote: Quotes) -> Iterator[str]:
    """Yield the numbers of a report, and what could not be read."""
    summary = report.summary
    counts = severity_counts(summary)
    state = f"Found {enumeration(counts)}" if counts else report.without_findings().capitalize()
    read = f"{quantity(summary.documents, 'document')} with {quantity(summary.urls, 'URL')}"
    yield f"{state} in {read if report.compared is None else checked_words(report)}."
    if report.in_baseline:
        yield f"{report.in_baseline.capitalize()}."
    for gap in report.unreadable[:MAX_UNREADABLE]:
        yield f"Not read: {quote(gap.target)}: {quote(gap.reason)}"
    if (remainder := len(report.unreadable) - MAX_UNREADABLE) > 0:
        yield f"Not read: {quantity(remainder, 'more target')}"
    yield from (f"Note: {quote(note)}" for note in report.notes[:MAX_NOTES])
    if (remainder := len(report.notes) - MAX_NOTES) > 0:
        yield f"Note: {quantity(remainder, 'more note')}"
    if report.skipped:
        yield f"Skipped {quantity(len(report.skipped), 'file that is not a sitemap', 'files that are not sitemaps')}."
    if (only := _only(report)) is not None:
        yield f"All places are in {quote(report.document_url(only))}."
    for verdict in report.not_valid[:MAX_UNREADABLE]:
        yield part("schema.brief")(verdict, report.document_url(verdict.document_id), quote)
    if (remainder := len(report.not_valid) - MAX_UNREADABLE) > 0:
        yield f"Not valid against the official schemas, or not validated: {quantity(remainder, 'more document')}"


def finding_groups(report: Report, quote: Quotes, told: Collection[str] = ()) -> list[Group]:
    """Return a group for each rule with findings.

    Args:
        told: Rules whose findings are shown otherwise.
    """
    is_one = _only(report) is not None

    def where(finding: Finding) -> str:
        return "" if is_one else f"in {quote(report.document_url(finding.document_id))}: "

    return [
        Group(_heading(violation, quote), _details(violation, report, quote, where), violation.rule.code)
        for violation in rank_rules(report)
        if violation.rule.code not in told
    ]


def next_lines(report: Report) -> Iterator[str]:
    order = rank_rules(report)
    fixable = next(
        (
            file
            for violation in order
            if violation.rule.fixable is not Fixable.NEVER
            for finding in violation.findings
            # Not standard input, nor what is written elsewhere.
            if not (file := report.file_of(finding.document_id)).startswith("<") and not is_url(file)
        ),
        None,
    )
    if fixable is not None:
        yield f"Next: {command('urlset fix --diff', fixable)} shows the edits of this file; --in-place makes them."
    if order:
        rule = order[0].rule
        yield f"{'Also' if fixable else 'Next'}: {command('urlset explain', rule.code)} says why it matters."


def _heading(violation: RankedRule, quote: Quotes) -> str:
    rule = violation.rule
    size = quantity(violation.places, "place")
    if len(violation.findings) > 1:
        size += f" in {quantity(len(violation.findings), 'document')}"
    heading = f"{rule.code} {rule.severity.value}, {size}: {_rule_text(rule, rule.message, quote)}"
    if violation.is_loss and violation.reason:
        heading += f"; {violation.reason}"
    if violation.because_of:
        heading += f"; {causes_line(violation, [cause.rule.code for cause in violation.because_of])}"
    return heading


def _details(violation: RankedRule, report: Report, quote: Quotes, where: Callable[[Finding], str]) -> Iterator[str]:
    edits = (
        f"edit {where(finding)}{quote.edit(change)}"
        for finding in violation.findings
        for change in _edits(finding, report)
    )
    # An edit shows the place as well.
    yield from islice(edits, 1)
    first, *others = violation.findings
    yield where(first) + _places(first, quote)
    yield f"fix: {_rule_text(violation.rule, violation.rule.fix, quote)}{_HOW.get(violation.rule.fixable, '')}"
    yield from edits
    yield from (where(finding) + _places(finding, quote) for finding in others)


def _rule_text(rule: Rule, text: str, quote: Quotes) -> str:
    """Return the message or fix of a rule. That of a custom rule is from a configuration, or from a store."""
    return title(text) if any(rule.code == own.code for own in all_rules()) else quote(text)


def _places(finding: Finding, quote: Quotes) -> str:
    parts = [
        f"{f'line {example.line} ' if example.line is not None else ''}{quote(_message(example.url, example.message))}"
        for example in finding.examples[:PLACES_IN_LINE]
    ]
    if rest := places_not_shown(finding.rule, len(parts), finding.count):
        parts.append(rest.removeprefix("and ") if parts else quantity(finding.count, "place"))
    return "; ".join(parts)


def _only(report: Report) -> int | None:
    """Return the only document with findings; None if there are several."""
    numbers = {finding.document_id for finding in report.findings}
    return min(numbers) if len(numbers) == 1 else None


def _message(url: str | None, message: str) -> str:
    return message if url is None or url in message else f"{url}: {message}"


def _edits(finding: Finding, report: Report) -> Iterator[Change]:
    """Yield the repairs of the values of a finding, if their new text is known."""
    places = {(example.line, safe(example.value or "")) for example in finding.examples}
    for change in report.edits.get(finding.document_id, ()):
        if change.after and (change.line, change.before) in places:
            yield change
