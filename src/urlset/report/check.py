"""Render `check` as text and Markdown, briefly for language models, and as a badge."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from urlset.model.specification import EARNED, SPECIFICATION, STEPS, Status
from urlset.report.brief import Brief, Group, Quotes, command
from urlset.report.paint import Role
from urlset.report.rows import Code, markdown_lines
from urlset.report.style import Style
from urlset.report.words import shown_score
from urlset.rules.rule import CheckEffect
from urlset.text.safe import code_span, safe
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from urlset.model.check import CheckResult, Evidence, StepResult

STATUS_ROLES: dict[Status, Role] = {
    Status.PASS: Role.GOOD,
    Status.WARN: Role.WARNING,
    Status.FAIL: Role.ERROR,
    Status.NOT_RUN: Role.FAINT,
}
"""The colors of the steps of a check."""

BAR_WIDTH = 40
"""Characters in the bars of all steps together; a step's share is its weight."""

MAX_EVIDENCE = 5
"""Pieces of evidence to show per step, without `verbose`."""

_EFFECTS = {CheckEffect.FAIL: Role.ERROR, CheckEffect.WARN: Role.WARNING, CheckEffect.NONE: Role.FAINT}


def text(results: Sequence[CheckResult], style: Style = Style()) -> Iterator[str]:
    """Yield the lines of the results. If there are several sites, those that pass are only in the table by default."""
    sites = [site for site in results if len(results) == 1 or style.verbose or site.status is not Status.PASS]
    for result in sites:
        yield from _site(result, style)
        yield ""
    if len(results) > 1:
        yield from _table(results, style)
        yield ""
        yield _counts(results)
    else:
        yield style.paint(f"check {SPECIFICATION.id} {SPECIFICATION.version}, suite {SPECIFICATION.suite}", Role.FAINT)


def _site(result: CheckResult, style: Style) -> Iterator[str]:
    verdict = style.paint(f"{result.status.value} {shown_score(result.score)} of 1", STATUS_ROLES[result.status])
    yield f"{style.paint(safe(result.origin), Role.HEADING)}: {verdict}"
    for step in result.steps:
        earned = f"{shown_score(step.score):>6}/{shown_score(step.step.weight):<5}"
        status = style.paint(f"{step.status.value:7}", STATUS_ROLES[step.status])
        yield f"  {status} {_bar(step, style)} {earned} {step.step.title}"
        shown = step.evidence if style.verbose else step.evidence[:MAX_EVIDENCE]
        for evidence in shown:
            yield f"          {_text_evidence(evidence, style)}"
        if len(step.evidence) > len(shown):
            yield style.paint(
                f"          … and {len(step.evidence) - len(shown):,} more; use -v to show all", Role.FAINT
            )


def _bar(result: StepResult, style: Style) -> str:
    width = round(result.step.weight * BAR_WIDTH)
    full = round(width * EARNED[result.status])
    filled, empty = ("█", "░") if style.unicode else ("#", ".")
    widest = round(max(step.weight for step in STEPS) * BAR_WIDTH)
    bar = style.paint(filled * full, STATUS_ROLES[result.status]) if full else ""
    rest = style.paint(empty * (width - full), Role.FAINT) if width > full else ""
    return bar + rest + " " * (widest - width)


def _text_evidence(evidence: Evidence, style: Style) -> str:
    place = safe(evidence.url or "")
    if evidence.line is not None:
        place += f"{':' if place else 'line '}{evidence.line}"
    code = f"[{evidence.rule}] " if evidence.rule is not None else ""
    text = style.paint(f"{code}{safe(evidence.message)}", _EFFECTS[evidence.effect])
    return f"{place}: {text}" if place else text


def _table(results: Sequence[CheckResult], style: Style) -> Iterator[str]:
    width = max(len("origin"), *(len(safe(result.origin)) for result in results))
    yield style.paint(f"{'origin':{width}}  status  score  assessed sitemap", Role.HEADING)
    for result in results:
        status = style.paint(f"{result.status.value:6}", STATUS_ROLES[result.status])
        sitemap = safe(result.judged) if result.judged is not None else "none"
        if result.discovery.unreachable is not None:
            sitemap = f"unreachable: {safe(result.discovery.unreachable)}"
        yield f"{safe(result.origin):{width}}  {status}  {shown_score(result.score):>5}  {sitemap}"


def _counts(results: Sequence[CheckResult]) -> str:
    counts = {status: sum(result.status is status for result in results) for status in STATUS_ROLES}
    parts = [f"{count:,} {status.value}" for status, count in counts.items() if count]
    return f"{quantity(len(results), 'origin')}: {', '.join(parts)}"


MARKDOWN_EVIDENCE = 20
"""Pieces of evidence to show per step."""

MAX_SITES = 50
"""Sites to show with their steps; the table lists all sites."""


def markdown(results: Sequence[CheckResult], style: Style = Style()) -> Iterator[str]:  # noqa: ARG001 - the signature of a renderer
    """Yield the lines of the results, for a pull request or a job summary."""
    name = f"check {SPECIFICATION.id} {SPECIFICATION.version}, suite {SPECIFICATION.suite}"
    if len(results) > 1:
        yield f"**urlset:** {quantity(len(results), 'origin')}, {name}"
        yield ""
        sites = (
            (
                Code(result.origin),
                result.status.value,
                shown_score(result.score),
                "none" if result.judged is None else Code(result.judged),
            )
            for result in results
        )
        yield from markdown_lines(("origin", "status", "score", "assessed sitemap"), sites, right=("score",))
    for result in results[:MAX_SITES]:
        if len(results) > 1:
            yield ""
        yield f"**{code_span(result.origin)}: {result.status.value}, {shown_score(result.score)} of 1** ({name})"
        yield ""
        yield from _steps(result)
    if len(results) > MAX_SITES:
        yield ""
        yield f"_{quantity(len(results) - MAX_SITES, 'more origin')} not shown in detail._"


def _steps(result: CheckResult) -> Iterator[str]:
    steps = (
        (step.step.title, step.status.value, shown_score(step.score), shown_score(step.step.weight))
        for step in result.steps
    )
    yield from markdown_lines(("step", "status", "score", "of"), steps, right=("score", "of"))
    for step in result.steps:
        yield ""
        yield f"{step.step.title}:"
        yield ""
        for evidence in step.evidence[:MARKDOWN_EVIDENCE]:
            yield f"- {_markdown_evidence(evidence)}"
        if len(step.evidence) > MARKDOWN_EVIDENCE:
            yield f"- … and {len(step.evidence) - MARKDOWN_EVIDENCE:,} more"


def _markdown_evidence(evidence: Evidence) -> str:
    effect = "" if evidence.effect is CheckEffect.NONE else f"**{evidence.effect.value}** "
    code = f"{evidence.rule} " if evidence.rule is not None else ""
    line = f" line {evidence.line}" if evidence.line is not None else ""
    place = f" ({code_span(evidence.url)}{line})" if evidence.url is not None else ""
    return f"{effect}{code}{code_span(evidence.message)}{place}"


_FIRST = (Status.FAIL, Status.WARN)


def llm(results: Sequence[CheckResult], style: Style = Style()) -> Iterator[str]:
    """Yield the lines of the results, the lowest scores first."""
    quote = Quotes(style.ascii_only)
    order = sorted(results, key=lambda result: result.score)
    head = [*quote.heading(), f"Check {SPECIFICATION.id} {SPECIFICATION.version} of {quantity(len(order), 'site')}."]
    if len(order) == 1:
        head.append(_verdict(order[0], quote))
        steps = sorted(order[0].steps, key=lambda step: step.status not in _FIRST)
        groups = [
            Group(_step(step), (_brief_evidence(evidence, quote) for evidence in step.evidence)) for step in steps
        ]
        noun = "step"
    else:
        groups = [Group(_verdict(result, quote), _faults(result, quote)) for result in order]
        noun = "site"
    origins = [result.origin for result in order if result.status is not Status.PASS]
    tail = [f"Next: {command('urlset validate --discover --expand --format llm', origins[0])}"] if origins else []
    yield from Brief(head, groups, tail, noun, style.ascii_only).lines()


def _verdict(result: CheckResult, quote: Quotes) -> str:
    sitemap = "no sitemap was found" if result.judged is None else f"assessed {quote(result.judged)}"
    if result.judged is None and result.discovery.refused is not None:
        sitemap = f"unknown whether there is a sitemap: {quote(result.discovery.refused)}"
    if result.discovery.unreachable is not None:
        sitemap = f"unreachable: {quote(result.discovery.unreachable)}"
    return f"{quote(result.origin)}: {result.status.value}, {shown_score(result.score)} of 1; {sitemap}"


def _step(result: StepResult) -> str:
    return (
        f"{result.step.title}: {result.status.value}, {shown_score(result.score)} of {shown_score(result.step.weight)}"
    )


def _faults(result: CheckResult, quote: Quotes) -> Iterator[str]:
    for step in result.steps:
        for evidence in step.evidence:
            if evidence.effect is not CheckEffect.NONE:
                yield f"{step.step.title}: {_brief_evidence(evidence, quote)}"


def _brief_evidence(evidence: Evidence, quote: Quotes) -> str:
    effect = "" if evidence.effect is CheckEffect.NONE else f"{evidence.effect.value} "
    code = "" if evidence.rule is None else f"{evidence.rule} "
    place = "" if evidence.url is None else f" in {quote.place(evidence.url, evidence.line)}"
    return f"{effect}{code}{quote(evidence.message)}{place}"


HEIGHT = 20
PADDING = 6
COLORS = {Status.PASS: "#2e7d32", Status.WARN: "#9a6700", Status.FAIL: "#c62828"}
"""White text on each of them has a contrast of at least 4.5 to 1: https://www.w3.org/TR/WCAG22/#contrast-minimum"""

_NARROW = frozenset("fijlrt.,:;|!'()[] ")
_WIDE = frozenset("mwMW%")


def badge(results: Sequence[CheckResult], style: Style = Style()) -> Iterator[str]:  # noqa: ARG001 - the signature of a renderer
    """Yield the lines of the badge of a single site."""
    (result,) = results
    label, value = SPECIFICATION.id, f"{result.status.value} {shown_score(result.score)}"
    left, right = _badge_width(label), _badge_width(value)
    title = escape(
        f"{SPECIFICATION.id} check of {safe(result.origin)}: {result.status.value}, {shown_score(result.score)} of 1"
    )
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="{HEIGHT}" role="img" '
        f'aria-label="{title}">\n'
        f"  <title>{title}</title>\n"
        f'  <clipPath id="r"><rect width="{left + right}" height="{HEIGHT}" rx="3"/></clipPath>\n'
        f'  <g clip-path="url(#r)">\n'
        f'    <rect width="{left}" height="{HEIGHT}" fill="#444c56"/>\n'
        f'    <rect x="{left}" width="{right}" height="{HEIGHT}" fill="{COLORS[result.status]}"/>\n'
        f"  </g>\n"
        f'  <g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11">\n'
        f"    {_badge_text(label, left / 2, left)}\n"
        f"    {_badge_text(value, left + right / 2, right)}\n"
        f"  </g>\n"
        f"</svg>"
    )


def _badge_text(text: str, center: float, width: int) -> str:
    # `textLength` fits the text to its width in any font.
    return f'<text x="{center:g}" y="14" textLength="{width - 2 * PADDING}">{escape(text)}</text>'


def _badge_width(text: str) -> int:
    """Return the approximate width in Verdana at 11 pixels, plus padding."""
    letters = sum(4.2 if letter in _NARROW else 10.2 if letter in _WIDE else 7.0 for letter in text)
    return round(letters) + 2 * PADDING
