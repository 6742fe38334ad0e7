"""Result of the scored check: its steps with their evidence, and the score."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from urlset.model.discovery import Candidate, Discovery
from urlset.model.fields import NonNegativeInt, PositiveInt, Ratio, about
from urlset.model.result import JsonValues, with_short_repr
from urlset.model.specification import EARNED, Status, Step
from urlset.rules.rule import CheckEffect


class Evidence(Struct, JsonValues, frozen=True, kw_only=True):
    """An observation that a step is based on."""

    effect: Annotated[CheckEffect, about("Its effect on the step.")]
    message: Annotated[str, about("The observation, as a sentence without a full stop.")]
    rule: Annotated[str | None, about("Code of the rule that found it; None if it is not a finding.")] = None
    count: Annotated[NonNegativeInt | None, about("Number of places of the finding; None if it is not a finding.")] = (
        None
    )
    url: Annotated[str | None, about("The URL that it concerns; None if it concerns no single URL.")] = None
    line: Annotated[
        PositiveInt | None,
        about("The first line of that document that it concerns, from 1; None if it concerns no single line."),
    ] = None


class StepResult(Struct, JsonValues, frozen=True):
    """Result of a step."""

    step: Annotated[Step, about("The step.")]
    status: Annotated[
        Status, about("Its status; not-run if an earlier step failed: the evidence states what was missing.")
    ]
    evidence: Annotated[tuple[Evidence, ...], about("Its evidence, worst first.")]

    @property
    def score(self) -> Ratio:
        """Earned part of its weight, from 0 to 1: all for pass, half for warn, none for fail and not-run."""
        return round(self.step.weight * EARNED[self.status], 4)


@with_short_repr
class CheckResult(Struct, JsonValues, frozen=True, kw_only=True):
    """Result of the check for one origin."""

    discovery: Annotated[Discovery, about("The discovered sitemaps.")]
    steps: Annotated[tuple[StepResult, ...], about("The five steps, in order.")]
    judged: Annotated[str | None, about("The URL of the assessed sitemap; None if no sitemap was found.")]

    @property
    def origin(self) -> str:
        """Scheme, host, and port that were checked, without a trailing slash."""
        return self.discovery.origin

    @property
    def status(self) -> Status:
        """Status of the check, which is the status of its worst step."""
        statuses = {step.status for step in self.steps}
        return next((status for status in (Status.FAIL, Status.WARN) if status in statuses), Status.PASS)

    @property
    def score(self) -> Ratio:
        """Sum of the scores of the steps, from 0 to 1."""
        return round(sum(step.score for step in self.steps), 4)

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """All URLs that were discovered or tried, sitemaps first."""
        return (*self.discovery.candidates, *self.discovery.tried)
