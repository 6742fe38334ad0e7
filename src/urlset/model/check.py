"""Result of the scored check: its steps with their evidence, and the score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from urlset.model.result import JsonValues, with_short_repr
from urlset.model.specification import EARNED, Status, Step

if TYPE_CHECKING:
    from urlset.model.discovery import Candidate, Discovery
    from urlset.rules.rule import CheckEffect


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence(JsonValues):
    """An observation that a step is based on.

    Attributes:
        effect: Its effect on the step.
        message: The observation, as a sentence without a full stop.
        rule: Code of the rule that found it; None if it is not a finding.
        count: Number of places of the finding; None if it is not a finding.
        url: The URL that it concerns; None if it concerns no single URL.
        line: The first line of that document that it concerns, from 1; None if it concerns no single line.
    """

    effect: CheckEffect
    message: str
    rule: str | None = None
    count: int | None = None
    url: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class StepResult(JsonValues):
    """Result of a step.

    Attributes:
        step: The step.
        status: Its status; not-run if an earlier step failed: the evidence states what was missing.
        evidence: Its evidence, worst first.
    """

    step: Step
    status: Status
    evidence: tuple[Evidence, ...]

    @property
    def score(self) -> float:
        """Earned part of its weight, from 0 to 1: all for pass, half for warn, none for fail and not-run."""
        return round(self.step.weight * EARNED[self.status], 4)


@with_short_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult(JsonValues):
    """Result of the check for one origin.

    Attributes:
        discovery: The discovered sitemaps.
        steps: The five steps, in order.
        judged: The URL of the assessed sitemap; None if no sitemap was found.
    """

    discovery: Discovery
    steps: tuple[StepResult, ...]
    judged: str | None

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
    def score(self) -> float:
        """Sum of the scores of the steps, from 0 to 1."""
        return round(sum(step.score for step in self.steps), 4)

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """All URLs that were discovered or tried, sitemaps first."""
        return (*self.discovery.candidates, *self.discovery.tried)
