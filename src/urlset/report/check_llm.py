"""Short report of `check` for language models: the steps that lose points, with their evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.model.specification import SPECIFICATION, Status
from urlset.report.brief import Brief, Group, Quotes, command
from urlset.report.style import Style
from urlset.report.words import points
from urlset.rules.rule import CheckEffect
from urlset.sizes import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from urlset.model.check import CheckResult, Evidence, StepResult

_ORDER = (Status.FAIL, Status.WARN)
"""The statuses to show first."""


def render(results: Sequence[CheckResult], style: Style = Style()) -> Iterator[str]:
    """Yield the lines of the results, the lowest scores first."""
    quote = Quotes(style.ascii_only)
    order = sorted(results, key=lambda one: one.score)
    head = [*quote.heading(), f"Check {SPECIFICATION.id} {SPECIFICATION.version} of {counted(len(order), 'site')}."]
    if len(order) == 1:
        head.append(_verdict(order[0], quote))
        steps = sorted(order[0].steps, key=lambda one: one.status not in _ORDER)
        groups = [Group(_step(one), (_evidence(each, quote) for each in one.evidence)) for one in steps]
        noun = "step"
    else:
        groups = [Group(_verdict(one, quote), _faults(one, quote)) for one in order]
        noun = "site"
    origins = [one.origin for one in order if one.status is not Status.PASS]
    tail = [f"Next: {command('urlset validate --discover --expand --format llm', origins[0])}"] if origins else []
    yield from Brief(head, groups, tail, noun, style.ascii_only).lines()


def _verdict(result: CheckResult, quote: Quotes) -> str:
    judged = "no sitemap was found" if result.judged is None else f"assessed {quote(result.judged)}"
    if result.discovery.unreachable is not None:
        judged = f"unreachable: {quote(result.discovery.unreachable)}"
    return f"{quote(result.origin)}: {result.status.value}, {points(result.score)} of 100; {judged}"


def _step(result: StepResult) -> str:
    return f"{result.step.title}: {result.status.value}, {points(result.score)} of {points(result.step.weight)} points"


def _faults(result: CheckResult, quote: Quotes) -> Iterator[str]:
    for step in result.steps:
        for evidence in step.evidence:
            if evidence.effect is not CheckEffect.NONE:
                yield f"{step.step.title}: {_evidence(evidence, quote)}"


def _evidence(evidence: Evidence, quote: Quotes) -> str:
    effect = "" if evidence.effect is CheckEffect.NONE else f"{evidence.effect.value} "
    code = "" if evidence.rule is None else f"{evidence.rule} "
    place = "" if evidence.url is None else f" in {quote.place(evidence.url, evidence.line)}"
    return f"{effect}{code}{quote(evidence.message)}{place}"
