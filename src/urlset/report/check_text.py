"""Text report of `check`: the score, each step with a bar and its evidence, and a table if there are several sites."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.model.specification import EARNED, SPECIFICATION, STEPS, Status
from urlset.report.paint import Role
from urlset.report.status_roles import STATUS_ROLES
from urlset.report.style import Style
from urlset.report.words import points
from urlset.rules.rule import CheckEffect
from urlset.safe import safe
from urlset.sizes import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from urlset.model.check import CheckResult, Evidence, StepResult

BAR_WIDTH = 40
"""Characters in the bars of all steps together; a step's share is its weight."""

EVIDENCE_SHOWN = 5
"""Pieces of evidence to show per step, without `verbose`."""

_EFFECTS = {CheckEffect.FAIL: Role.ERROR, CheckEffect.WARN: Role.WARNING, CheckEffect.NONE: Role.FAINT}


def render(results: Sequence[CheckResult], style: Style = Style()) -> Iterator[str]:
    """Yield the lines of the results. If there are several sites, those that pass are only in the table by default."""
    detailed = [one for one in results if len(results) == 1 or style.verbose or one.status is not Status.PASS]
    for result in detailed:
        yield from _site(result, style)
        yield ""
    if len(results) > 1:
        yield from _table(results, style)
        yield ""
        yield _counts(results)
    else:
        yield style.paint(f"check {SPECIFICATION.id} {SPECIFICATION.version}, suite {SPECIFICATION.suite}", Role.FAINT)


def _site(result: CheckResult, style: Style) -> Iterator[str]:
    verdict = style.paint(f"{result.status.value} {points(result.score)}/100", STATUS_ROLES[result.status])
    yield f"{style.paint(safe(result.origin), Role.HEADING)}: {verdict}"
    for step in result.steps:
        earned = f"{points(step.score):>4}/{points(step.step.weight):<3}"
        status = style.paint(f"{step.status.value:7}", STATUS_ROLES[step.status])
        yield f"  {status} {_bar(step, style)} {earned} {step.step.title}"
        shown = step.evidence if style.verbose else step.evidence[:EVIDENCE_SHOWN]
        for evidence in shown:
            yield f"          {_evidence(evidence, style)}"
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


def _evidence(evidence: Evidence, style: Style) -> str:
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
        judged = safe(result.judged) if result.judged is not None else "none"
        if result.discovery.unreachable is not None:
            judged = f"unreachable: {safe(result.discovery.unreachable)}"
        yield f"{safe(result.origin):{width}}  {status}  {points(result.score):>5}  {judged}"


def _counts(results: Sequence[CheckResult]) -> str:
    counts = {status: sum(result.status is status for result in results) for status in STATUS_ROLES}
    parts = [f"{count:,} {status.value}" for status, count in counts.items() if count]
    return f"{counted(len(results), 'origin')}: {', '.join(parts)}"
