"""The JSON of `check` and `discover`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from msgspec import Meta, Struct

from urlset.model.check import CheckResult, Evidence, StepResult
from urlset.model.discovery import Candidate, Discovery, Find
from urlset.model.fields import about
from urlset.model.specification import SPECIFICATION, STEPS, Specification
from urlset.report.json_objects import Members, OneOrMore, Output, as_json

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


class CheckedCandidate(Struct, frozen=True):
    """A URL that may be a sitemap, and the result of fetching it."""

    candidate: Annotated[Candidate, about("The candidate.")]
    judged: Annotated[bool, about("Whether it was assessed in the steps from parse on.")]


def _check(result: CheckResult) -> Annotated[Specification, Meta(extra_json_schema={"const": as_json(SPECIFICATION)})]:  # noqa: ARG001 - the same for all
    """Metadata of the check, from its specification."""
    return SPECIFICATION


def _origin(result: CheckResult) -> Annotated[str, Meta(pattern="^https?://[^/]+$")]:
    """Scheme, host, and port that were checked, without a trailing slash."""
    return result.origin


def _status(result: CheckResult) -> Literal["pass", "warn", "fail"]:
    """The status of the worst step."""
    status: Literal["pass", "warn", "fail"] = result.status.value  # type: ignore[assignment]
    return status


def _steps(result: CheckResult) -> Annotated[Sequence[StepResult], FIVE_STEPS]:
    """The five steps of the specification, in order."""
    return result.steps


def _candidates(result: CheckResult) -> list[CheckedCandidate]:
    """All URLs that were discovered or tried: first sitemaps, then others, each in the order of discovery."""
    return [CheckedCandidate(candidate, candidate.url == result.judged) for candidate in result.candidates]


def _found_by(checked: CheckedCandidate) -> Annotated[Sequence[Find], Meta(min_length=1)]:
    """All ways in which it was found, in the order of discovery."""
    return checked.candidate.finds


def _evidence(step: StepResult) -> Annotated[Sequence[Evidence], Meta(min_length=1)]:
    """Evidence for the status, worst first."""
    return step.evidence


def _rule(evidence: Evidence) -> Annotated[str, Meta(pattern="^[A-Z]{3}[0-9]{3}$")] | None:
    """Code of the rule that found it; null if it is not a finding."""
    return evidence.rule


MEMBERS: Members = {
    "CheckResult": (_check, _origin, _status, "score", _steps, _candidates),
    "Evidence": ("effect", "message", _rule, "count", "url", "line"),
    "StepResult": ("step.id", "step.title", "description=step.about", "step.weight", "status", "score", _evidence),
    "Candidate": (
        "url", "found_by=finds", "final_url", "http_status=status", "error_kind", "is_sitemap", "why_not", "kind",
        "entries", "bytes", "wire_bytes",
    ),
    "Discovery": (
        "written", "origin", "unreachable", "sitemaps=candidates", "tried", "robots", "home", "indexnow_keys=keys",
        "llms_txt=llms", "notes",
    ),
    "KeyHint": ("declared_by=way", "page", "line", "written", "key", "url"),
    "LlmsFile": ("url", "text.bytes", "text.title", "text.sections", "text.links", "problems=text.faults"),
    "CheckedCandidate": (
        "candidate.url", _found_by, "candidate.final_url", "http_status=candidate.status", "candidate.error_kind",
        "candidate.is_sitemap", "candidate.why_not", "candidate.kind", "candidate.entries", "candidate.bytes",
        "candidate.wire_bytes", "judged",
    ),
}  # fmt: skip

CHECK: OneOrMore[CheckResult] = OneOrMore(
    "check",
    f"The scored check `{SPECIFICATION.id}` {SPECIFICATION.version}: a result for a single origin, or an array of "
    "results for several origins or a file of origins.",
    "check.CheckResult",
)
DISCOVERY: Output[Sequence[Discovery]] = Output(
    "discover", "The sitemaps of sites, and how each was found.", "discovery.Discovery", "origins"
)
