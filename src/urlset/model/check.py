"""Result of the scored check: its steps with their evidence, and the score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar, TypeAlias

from msgspec import Meta, Struct, to_builtins

from urlset.model.discovery import Candidate, Discovery, Find
from urlset.model.fields import NOT_IN_JSON, Flat, NonNegativeInt, OneOf, PositiveInt, Ratio, about, computed
from urlset.model.result import JsonValues, with_short_repr
from urlset.model.specification import EARNED, SPECIFICATION, STEPS, Specification, Status, Step
from urlset.rules.rule import CheckEffect

FIVE_STEPS = Meta(
    min_length=len(STEPS),
    max_length=len(STEPS),
    extra_json_schema={
        "allOf": [
            {
                "prefixItems": [
                    {"properties": {"id": {"const": step.id.value}, "weight": {"const": step.weight}}} for step in STEPS
                ]
            }
        ]
    },
)
"""The order of the steps of a check."""

FixedSpecification: TypeAlias = Annotated[Specification, Meta(extra_json_schema={"const": to_builtins(SPECIFICATION)})]

CheckStatus: TypeAlias = Annotated[Status, OneOf(lambda: (Status.PASS, Status.WARN, Status.FAIL))]

OriginUrl: TypeAlias = Annotated[str, Meta(pattern="^https?://[^/]+$")]

BuiltInCode: TypeAlias = Annotated[str, Meta(pattern="^[A-Z]{3}[0-9]{3}$")]

Finds: TypeAlias = Annotated[Sequence[Find], Meta(min_length=1)]


class Evidence(Struct, JsonValues, frozen=True, kw_only=True):
    """An observation that a step is based on."""

    effect: Annotated[CheckEffect, about("Its effect on the step.")]
    message: Annotated[str, about("The observation, as a sentence without a full stop.")]
    rule: Annotated[BuiltInCode | None, about("Code of the rule that found it; None if it is not a finding.")] = None
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

    step: Annotated[Step, Flat("id", "title", "description=about", "weight"), about("The step.")]
    status: Annotated[
        Status, about("Its status; not-run if an earlier step failed: the evidence states what was missing.")
    ]
    evidence: Annotated[tuple[Evidence, ...], Meta(min_length=1), about("Evidence for the status, worst first.")]

    @property
    @computed(before="evidence")
    def score(self) -> Ratio:
        """Earned part of its weight, from 0 to 1: all for pass, half for warn, none for fail and not-run."""
        return round(self.step.weight * EARNED[self.status], 4)


class CheckedCandidate(Struct, frozen=True):
    """A URL that may be a sitemap, and the result of fetching it."""

    IN_JSON: ClassVar = (
        "candidate.url", "found_by", "candidate.final_url", "http_status=candidate.status", "candidate.error_kind",
        "candidate.is_sitemap", "candidate.why_not", "candidate.kind", "candidate.entries", "candidate.bytes",
        "candidate.wire_bytes", "judged",
    )  # fmt: skip

    candidate: Annotated[Candidate, about("The candidate.")]
    judged: Annotated[bool, about("Whether it was assessed in the steps from parse on.")]

    @property
    def found_by(self) -> Finds:
        """All ways in which it was found, in the order of discovery."""
        return self.candidate.finds


@with_short_repr
class CheckResult(Struct, JsonValues, frozen=True, kw_only=True):
    """Result of the check for one origin."""

    discovery: Annotated[Discovery, NOT_IN_JSON, about("The discovered sitemaps.")]
    steps: Annotated[tuple[StepResult, ...], FIVE_STEPS, about("The five steps of the specification, in order.")]
    judged: Annotated[str | None, NOT_IN_JSON, about("The URL of the assessed sitemap; None if no sitemap was found.")]

    @property
    @computed(before="steps")
    def check(self) -> FixedSpecification:
        """Metadata of the check, from its specification."""
        return SPECIFICATION

    @property
    @computed(before="steps")
    def origin(self) -> OriginUrl:
        """Scheme, host, and port that were checked, without a trailing slash."""
        return self.discovery.origin

    @property
    @computed(before="steps")
    def status(self) -> CheckStatus:
        """The status of the worst step."""
        statuses = {step.status for step in self.steps}
        return next((status for status in (Status.FAIL, Status.WARN) if status in statuses), Status.PASS)

    @property
    @computed(before="steps")
    def score(self) -> Ratio:
        """Sum of the scores of the steps, from 0 to 1."""
        return round(sum(step.score for step in self.steps), 4)

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """All URLs that were discovered or tried, sitemaps first."""
        return (*self.discovery.candidates, *self.discovery.tried)

    @property
    @computed("candidates")
    def checked_candidates(self) -> list[CheckedCandidate]:
        """All URLs that were discovered or tried: first sitemaps, then others, each in the order of discovery."""
        return [CheckedCandidate(candidate, candidate.url == self.judged) for candidate in self.candidates]
