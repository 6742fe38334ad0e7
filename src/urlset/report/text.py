"""Text report of `validate`: findings by rule in the order in which to fix them, a summary, and what to start with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.model.ranking import rank_rules, to_start_with
from urlset.report.formats import part
from urlset.report.locate import place
from urlset.report.paint import Paint, Role
from urlset.report.style import SEVERITY_ROLES, Style
from urlset.report.words import (
    causes_line,
    checked_words,
    counted_above,
    occurrences,
    places_not_shown,
    rules_told_by,
    settings_of_rule,
    severity_count,
    skipped_line,
    them,
)
from urlset.rules.rule import Severity
from urlset.text.safe import safe, shorten
from urlset.text.sizes import enumeration, inflect, quantity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from urlset.model.finding import Example, Finding
    from urlset.model.page_list import NotIndexable
    from urlset.model.ranking import RankedRule
    from urlset.model.report import Place, Report


def render(report: Report, style: Style = Style()) -> Iterator[str]:
    yield from finding_lines(report, style)
    yield from start_lines(report, style.paint)


MAX_PLACES = 3
"""Places to show per rule, without `verbose`."""

MAX_TARGETS = 10
"""Unreadable targets to show, without `verbose`."""

MAX_URL = 100
"""Longest URL to show without `verbose`, in characters."""

MIN_TO_CHOOSE = 2
"""Rules with findings from which the report says which to start with."""

_NUMBERS = {1: "this", 2: "these two", 3: "these three"}

OWN_SOURCE = "urlset"
"""Source of a rule that no specification backs."""


def finding_lines(report: Report, style: Style, pages: NotIndexable | None = None) -> Iterator[str]:
    """Yield the findings and the summary; `start_lines` is what a report ends with.

    Findings of a rule are grouped across documents, in the order in which to fix them (`urlset.model.ranking`). With
    `verbose`, the report shows every stored example, full URLs, and the sources of the rules. Without `hints`, one line
    lists the rules of the hints.

    Args:
        pages: The pages that are not indexable, which are shown already: without `verbose`, the rules that report
            nothing else are left out.
    """
    all_findings = report.findings
    report = report if style.shows_quiet else report.without_quiet()
    paint, verbose, hints = style.paint, style.verbose, style.hints
    order = rank_rules(report)
    told = set() if verbose or pages is None else rules_told_by(report, pages.counts)
    for violation in order:
        if (hints or violation.rule.severity is not Severity.HINT) and violation.rule.code not in told:
            yield from _rule_lines(report, violation, paint, verbose)
            if pages is not None:
                yield from (f"    - {line}" for line in settings_of_rule(violation, report, pages))
                if (above := counted_above(violation, pages)) and not verbose:
                    yield f"  {above}"
            yield ""
    for verdict in report.not_valid:
        yield from part("schema.text")(verdict, report.document_url(verdict.document_id), paint, verbose)
        yield ""
    yield from _unreadable_lines(report, paint, None if verbose else MAX_TARGETS)
    if report.documents or report.unreadable or report.compared is not None:
        yield from _summary_lines(report, order, paint)
    if not hints:
        yield from _hint_lines(report, all_findings, paint)


def start_lines(report: Report, paint: Paint) -> Iterator[str]:
    """Yield what to fix first, if there is a choice."""
    order = rank_rules(report)
    first = to_start_with(order)
    if len(order) < MIN_TO_CHOOSE or not first:
        return
    yield ""
    yield paint(f"Start with {_NUMBERS[len(first)]}:", Role.HEADING)
    for number, violation in enumerate(first, start=1):
        code = paint(violation.rule.code, SEVERITY_ROLES[violation.rule.severity])
        place = _first_place(report, violation)
        where = f" ({paint(place, Role.PLACE)})" if place else ""
        yield f"  {number}. {code} {violation.rule.message}: {violation.reason}{where}"
        yield f"     {paint(violation.rule.fix, Role.FAINT)}"


def _first_place(report: Report, violation: RankedRule) -> str:
    """Return the URL or else the place of the first example."""
    finding = violation.findings[0]
    example = next(iter(finding.examples), None)
    if example is not None and example.url:
        return safe(shorten(example.url, MAX_URL))
    return place(report.place_of(finding, example))


def _hint_lines(report: Report, all_findings: Sequence[Finding], paint: Paint) -> Iterator[str]:
    """Yield how many hints are not shown: those that the summary counts, and those of quiet rules."""
    count = report.summary.tallies[Severity.HINT].findings
    if not count:
        return
    quiet = [finding for finding in all_findings if finding.rule.is_quiet and finding not in report.findings]
    more = (
        f", and {len(quiet):,} that rarely {inflect(len(quiet), 'matters', 'matter')}: {_codes(quiet)}" if quiet else ""
    )
    hints = [finding for finding in report.findings if finding.severity is Severity.HINT]
    yield paint(f"{quantity(count, 'hint')}: {_codes(hints)}; use -v to show {them(count)}{more}.", Role.FAINT)


def _codes(findings: Iterable[Finding]) -> str:
    return ", ".join(sorted({finding.rule.code for finding in findings}))


def _unreadable_lines(report: Report, paint: Paint, limit: int | None) -> Iterator[str]:
    """Yield notes on how sites were searched, and the unreadable targets with their reasons."""
    for note in report.notes:
        yield f"{paint('note', Role.FAINT)}: {safe(note)}"
    for unreadable in report.unreadable[:limit]:
        label = paint("could not read", SEVERITY_ROLES[Severity.ERROR])
        yield f"{label} {paint(safe(unreadable.target), Role.PLACE)}: {safe(unreadable.reason)}"
    if limit is not None and (remainder := len(report.unreadable) - limit) > 0:
        yield paint(f"  … and {quantity(remainder, 'more target')} could not be read; use -v to show all", Role.FAINT)
    if report.notes or report.unreadable:
        yield ""


def _rule_lines(report: Report, violation: RankedRule, paint: Paint, verbose: bool) -> Iterator[str]:
    rule, findings, total = violation.rule, violation.findings, violation.places
    label = paint(f"{rule.severity.value}[{rule.code}]", SEVERITY_ROLES[rule.severity])
    heading = paint(f"{rule.name}: {rule.message}", Role.HEADING)
    yield f"{label} {heading}{_frequency(total, len(findings))}"
    count = 0
    for finding, example in _places(findings, verbose):
        count += 1
        yield from _place_lines(report.place_of(finding, example), example, paint, verbose)
    if count == 0:
        for finding in findings:
            yield f"  {paint(safe(report.document_url(finding.document_id)), Role.PLACE)}: {occurrences(finding.count)}"
    elif rest := places_not_shown(rule, count, total, how=_all_shown_by(findings, verbose)):
        yield paint(f"  … {rest}", Role.FAINT)
    if violation.is_loss and violation.reason:
        yield f"  impact: {violation.reason}"
    if violation.because_of:
        names = [f"{cause.rule.code} ({cause.rule.name})" for cause in violation.because_of]
        yield f"  {causes_line(violation, names)}"
    yield f"  {paint('fix:', Role.GOOD)} {rule.fix}"
    if verbose:
        for source in rule.sources:
            if source != OWN_SOURCE:
                yield paint(f"  see: {source}", Role.FAINT)


def _all_shown_by(findings: Sequence[Finding], verbose: bool) -> str:
    """Return the options that show all places of a rule."""
    most = max(finding.count for finding in findings)
    has_all = all(len(finding.examples) == finding.count for finding in findings)
    options = ([] if verbose else ["-v"]) + ([] if has_all else [f"--max-examples {most}"])
    return " ".join(options)


def _frequency(total: int, documents: int) -> str:
    if documents > 1:
        often = f"{occurrences(total)} " if total > documents else ""
        return f" ({often}in {quantity(documents, 'document')})"
    return f" ({occurrences(total)})" if total > 1 else ""


def _places(findings: Sequence[Finding], verbose: bool) -> list[tuple[Finding, Example]]:
    """Return the places to show: all, or the first few, taken from the documents in turn."""
    if verbose:
        return [(finding, example) for finding in findings for example in finding.examples]
    turns = sorted(
        (turn, number)
        for number, finding in enumerate(findings[:MAX_PLACES])
        for turn in range(min(len(finding.examples), MAX_PLACES))
    )[:MAX_PLACES]
    return [(findings[number], findings[number].examples[turn]) for number, turn in sorted((n, t) for t, n in turns)]


def _place_lines(where: Place, example: Example, paint: Paint, verbose: bool) -> Iterator[str]:
    message = safe(example.message)
    if example.linked_from is not None and example.linked_from == where.name:
        # The page with the link is the subject of the message.
        page, _, what = message.partition(" ")
        yield f"  {paint(page, Role.PLACE)} {what}"
    else:
        yield f"  {paint(place(where), Role.PLACE)}: {message}"
    if example.url and example.url != where.name and example.url not in example.message:
        url = example.url if verbose else shorten(example.url, MAX_URL)
        yield f"      {paint(safe(url), Role.FAINT)}"


def _summary_lines(report: Report, order: Sequence[RankedRule], paint: Paint) -> Iterator[str]:
    summary = report.summary
    parts = []
    for severity, tally in summary.tallies.items():
        if tally.findings:
            words, parts_of_it = severity_count(severity, tally)
            parts.append(paint(words, SEVERITY_ROLES[severity]) + parts_of_it)
    where = f"in {checked_words(report)}"
    if parts:
        yield f"Found {enumeration(parts)} {where}."
        code = order[0].rule.code
        yield paint(f"Run `urlset explain {code}` to see why a finding matters and how to fix it.", Role.FAINT)
    elif (caveat := report.caveat) is not None:
        sentence = paint(caveat[0].upper() + caveat[1:], SEVERITY_ROLES[Severity.ERROR])
        yield f"{sentence}: no other findings {where}." if summary.documents or report.compared else f"{sentence}."
    else:
        yield f"{paint(report.without_findings().capitalize(), Role.GOOD)} {where}."
    if report.schema is not None:
        yield f"{part('schema.counts')(report.schema)}."
    if report.in_baseline:
        yield paint(f"{report.in_baseline.capitalize()}.", Role.FAINT)
    if report.skipped:
        yield paint(skipped_line(report.skipped), Role.FAINT)
