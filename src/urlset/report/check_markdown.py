"""Markdown report of `check`, for a pull request or a job summary."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.model.specification import SPECIFICATION
from urlset.report.rows import Code, markdown_lines
from urlset.report.style import Style
from urlset.report.words import points
from urlset.rules.rule import CheckEffect
from urlset.safe import code_span
from urlset.sizes import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from urlset.model.check import CheckResult, Evidence

EVIDENCE_SHOWN = 20
"""Pieces of evidence to show per step."""

SITES_SHOWN = 50
"""Sites to show with their steps; the table lists all sites."""


def render(results: Sequence[CheckResult], style: Style = Style()) -> Iterator[str]:  # noqa: ARG001 - the signature of a renderer
    """Yield the lines of the results."""
    yield from _lines(results)


def _lines(results: Sequence[CheckResult]) -> Iterator[str]:
    name = f"check {SPECIFICATION.id} {SPECIFICATION.version}, suite {SPECIFICATION.suite}"
    if len(results) > 1:
        yield f"**urlset:** {counted(len(results), 'origin')}, {name}"
        yield ""
        sites = (
            (
                Code(result.origin),
                result.status.value,
                points(result.score),
                "none" if result.judged is None else Code(result.judged),
            )
            for result in results
        )
        yield from markdown_lines(("origin", "status", "score", "assessed sitemap"), sites, right=("score",))
    for number, result in enumerate(results[:SITES_SHOWN]):
        if number or len(results) > 1:
            yield ""
        yield f"**{code_span(result.origin)}: {result.status.value}, {points(result.score)} of 100** ({name})"
        yield ""
        yield from _steps(result)
    if len(results) > SITES_SHOWN:
        yield ""
        yield f"_{counted(len(results) - SITES_SHOWN, 'more origin')} not shown in detail._"


def _steps(result: CheckResult) -> Iterator[str]:
    steps = (
        (step.step.title, step.status.value, points(step.score), points(step.step.weight)) for step in result.steps
    )
    yield from markdown_lines(("step", "status", "score", "of"), steps, right=("score", "of"))
    for step in result.steps:
        yield ""
        yield f"{step.step.title}:"
        yield ""
        for evidence in step.evidence[:EVIDENCE_SHOWN]:
            yield f"- {_evidence(evidence)}"
        if len(step.evidence) > EVIDENCE_SHOWN:
            yield f"- … and {len(step.evidence) - EVIDENCE_SHOWN:,} more"


def _evidence(evidence: Evidence) -> str:
    effect = "" if evidence.effect is CheckEffect.NONE else f"**{evidence.effect.value}** "
    code = f"{evidence.rule} " if evidence.rule is not None else ""
    line = f" line {evidence.line}" if evidence.line is not None else ""
    place = f" ({code_span(evidence.url)}{line})" if evidence.url is not None else ""
    return f"{effect}{code}{code_span(evidence.message)}{place}"
