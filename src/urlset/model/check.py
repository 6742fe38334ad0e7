"""The result of the scored check: its steps, what each goes by, and the score that they earned."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from urlset.model.specification import EARNED, SPECIFICATION, Status, Step

if TYPE_CHECKING:
    from urlset.model.discovery import Candidate, Discovery
    from urlset.rules.rule import CheckEffect


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One thing that a step goes by.

    Attributes:
        effect: What it does to the step: fail, warn, or none.
        message: What was seen, in a sentence without a full stop.
        rule: The code of the rule that found it; None for what is no finding.
        count: How many places it stands for; None for what is no finding.
        url: The URL it is about; None if there is none.
        line: The line of that document where it was seen first, from 1; None if there is none.
    """

    effect: CheckEffect
    message: str
    rule: str | None = None
    count: int | None = None
    url: str | None = None
    line: int | None = None

    def to_dict(self) -> dict[str, object]:
        """The evidence as plain values, for JSON."""
        return {
            "effect": self.effect.value,
            "message": self.message,
            "rule": self.rule,
            "count": self.count,
            "url": self.url,
            "line": self.line,
        }


@dataclass(frozen=True, slots=True)
class StepResult:
    """How a step ended.

    Attributes:
        step: The step.
        status: How it ended.
        evidence: What it went by, the worst first.
    """

    step: Step
    status: Status
    evidence: tuple[Evidence, ...]

    @property
    def score(self) -> float:
        """What it earned of its weight."""
        return round(self.step.weight * EARNED[self.status], 4)

    def to_dict(self) -> dict[str, object]:
        """The step as plain values, for JSON."""
        return {
            "id": self.step.id.value,
            "title": self.step.title,
            "description": self.step.about,
            "weight": self.step.weight,
            "status": self.status.value,
            "score": self.score,
            "evidence": [evidence.to_dict() for evidence in self.evidence],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult:
    """The result of the check for one origin.

    Attributes:
        discovery: What was found.
        steps: The five steps, in order.
        judged: The URL of the candidate that was judged; None if there was none.
    """

    discovery: Discovery
    steps: tuple[StepResult, ...]
    judged: str | None

    @property
    def origin(self) -> str:
        """Scheme, host and port that were checked."""
        return self.discovery.origin

    @property
    def status(self) -> Status:
        """How the check ended: as its worst step."""
        found = {step.status for step in self.steps}
        return next((status for status in (Status.FAIL, Status.WARN) if status in found), Status.PASS)

    @property
    def score(self) -> float:
        """What the steps earned, from 0 to 1."""
        return round(sum(step.score for step in self.steps), 4)

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """Every URL that was discovered or tried: the sitemaps first."""
        return (*self.discovery.candidates, *self.discovery.tried)

    def to_dict(self) -> dict[str, object]:
        """The result as plain values, for JSON, as `schemas/check.schema.json` describes it."""
        return {
            "check": {
                name: list(value) if isinstance(value, tuple) else value for name, value in _SPECIFICATION.items()
            },
            "origin": self.origin,
            "status": self.status.value,
            "score": self.score,
            "steps": [step.to_dict() for step in self.steps],
            "candidates": [
                {**candidate.to_dict(), "judged": candidate.url == self.judged} for candidate in self.candidates
            ],
        }


_SPECIFICATION = asdict(SPECIFICATION)
