"""Compute the score of a site's sitemap according to the specification `sitemap` 1.0.0.

A pure function. The step that a finding belongs to and its effect are fields of its rule, `check_step` and
`check_effect`.

Decisions on points that the specification leaves open:

* A step that warns earns half of its weight. A step that could not run earns nothing and states why.
* A conventional location counts as discovered if it returns any status except 404 and 410, at the end of its redirects:
  a sitemap that returns 403 or 500, or redirects in a loop, exists but cannot be fetched. A `Sitemap:` line of
  robots.txt always counts if it is an absolute URL.
* If there are several candidates, the first that passes `parse` is assessed, in the order of robots.txt, then of the
  conventional locations; otherwise the first that is a sitemap; otherwise the first with a 2xx response.
* XML that is not well-formed is not a supported format. Entries that can still be read are assessed in later steps.
* An encoding other than UTF-8 is evidence of `parse` without an effect, because no criterion names it.
* A document without any absolute URL fails `parse`, and the later steps do not run.
* The status of the check is the status of its worst step.
"""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING

from urlset.model.check import CheckResult, Evidence, StepResult
from urlset.model.discovery import Candidate, Discovery, FoundBy, is_refusal
from urlset.model.specification import STEPS, Status, StepId
from urlset.net.urlparts import host_of
from urlset.rules.rule import CheckEffect
from urlset.tables import SITEMAP_KINDS
from urlset.text.sizes import inflect, quantity

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from urlset.model.finding import Finding


MAX_PLACES = 3
"""Places to list per finding in the evidence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AssessedCandidate:
    """The assessed candidate.

    Attributes:
        well_formed: Whether it is well-formed XML; None if it is not XML.
        complete: Whether it was read to the end.
        absolute: Number of entries with an absolute http or https URL.
        findings: Findings of the rules with a `check_step`.
    """

    candidate: Candidate
    well_formed: bool | None
    complete: bool
    absolute: int
    findings: Sequence[Finding] = ()

    @property
    def is_sitemap(self) -> bool:
        """Whether the specification supports its format."""
        return self.candidate.kind in SITEMAP_KINDS

    @property
    def parses(self) -> bool:
        """Whether it passes the step `parse`."""
        return self.is_sitemap and self.well_formed is not False and self.absolute > 0 and not any(
            finding.rule.check_effect is CheckEffect.FAIL for finding in _of_step(self.findings, StepId.PARSE)
        )  # fmt: skip


def score(discovery: Discovery, assessment: AssessedCandidate | None) -> CheckResult:
    """Return the score of a site.

    Args:
        discovery: The result of discovery at the locations of the specification.
        assessment: The assessed candidate; None if no candidate was fetched.
    """
    steps: list[StepResult] = []
    for step, (status, evidence) in zip(
        STEPS,
        (
            _discover(discovery),
            _fetch(discovery),
            _parse(assessment),
            _field_quality(assessment),
            _scope(assessment, discovery),
        ),
        strict=True,
    ):
        steps.append(StepResult(step, status, tuple(sorted(evidence, key=lambda item: _RANK[item.effect]))))
    return CheckResult(
        discovery=discovery, steps=tuple(steps), judged=None if assessment is None else assessment.candidate.url
    )


_RANK = {CheckEffect.FAIL: 0, CheckEffect.WARN: 1, CheckEffect.NONE: 2}

StepOutcome = tuple[Status, list[Evidence]]


def _discover(discovery: Discovery) -> StepOutcome:
    everything = (*discovery.candidates, *discovery.tried)
    discovered = [candidate for candidate in everything if is_discovered(candidate)]
    if discovery.unreachable is not None:
        return Status.FAIL, [_fault(f"the site is unreachable: {discovery.unreachable}")]
    # Sitemap lines that cannot be requested decide if there is nothing else.
    evidence = [
        _note(_refusal_reason(candidate), url=candidate.url)
        for candidate in everything
        if candidate.line is not None and not candidate.asked
    ]
    unusable = len(evidence)
    evidence += [_note(_ways_found(candidate), url=candidate.url) for candidate in discovered]
    evidence += [_note(note) for note in discovery.notes]
    if discovery.robots is not None and discovery.robots.reason is not None:
        evidence.append(
            _note(f"robots.txt {discovery.robots.reason}; a robots.txt is optional", url=discovery.robots.url)
        )
    if discovered:
        return Status.PASS, evidence
    what = "has no usable Sitemap line" if unusable else "does not list a sitemap"
    # Of a robots.txt that the server refuses, nothing is known.
    if discovery.robots is not None and discovery.robots.status is not None and is_refusal(discovery.robots.status):
        what = discovery.robots.reason or what
    return Status.FAIL, [
        _fault(f"robots.txt {what}, and no conventional location returns one"),
        *evidence[:unusable],
        *(_note(_refusal_reason(candidate), url=candidate.url) for candidate in everything if candidate.line is None),
        *evidence[unusable:],
    ]


def is_discovered(candidate: Candidate) -> bool:
    """Return whether a candidate counts as discovered: robots.txt lists it, or its conventional location has something.

    A location without a response may have nothing.
    """
    if candidate.status not in (None, HTTPStatus.NOT_FOUND, HTTPStatus.GONE):
        return True
    return any(find.way is FoundBy.ROBOTS and find.written is None for find in candidate.finds)


def _ways_found(candidate: Candidate) -> str:
    ways = []
    for find in candidate.finds:
        what = "it" if find.url is None else f"{find.url}, which redirects to it,"
        if find.way is FoundBy.ROBOTS:
            ways.append(f"robots.txt lists {what.rstrip(',')} in line {find.line}")
        else:
            ways.append(f"{what} is a conventional location")
    return " and ".join(ways)


def _fetch(discovery: Discovery) -> StepOutcome:
    everything = (*discovery.candidates, *discovery.tried)
    discovered = [candidate for candidate in everything if is_discovered(candidate)]
    if not discovered:
        return Status.NOT_RUN, [_note("no candidate was discovered")]
    good = [candidate for candidate in discovered if candidate.answered]
    # What is broken comes first: a sitemap that works would hide it.
    discovered.sort(key=_is_good)
    evidence = [_note(_answer(candidate), url=candidate.url) for candidate in discovered]
    if good:
        return Status.PASS, evidence
    return Status.FAIL, [_fault("no candidate returned a successful HTTP status"), *evidence]


def _is_good(candidate: Candidate) -> bool:
    """Return whether a candidate is a sitemap that was received completely."""
    return candidate.answered and candidate.is_sitemap and candidate.error_kind is None and _flaw(candidate) is None


def _flaw(candidate: Candidate) -> str | None:
    """Return why a candidate does not pass the step `parse`, as far as discovery can tell."""
    if candidate.is_well_formed is False:
        return "is not well-formed XML"
    return "has no entries" if candidate.entries == 0 and candidate.is_sitemap else None


def _answer(candidate: Candidate) -> str:
    if not candidate.answered:
        return _refusal_reason(candidate)
    moved = "" if candidate.moved_to is None else f" at {candidate.moved_to}"
    # An incomplete download does not affect the status of this step, but is reported.
    error_kind = (
        f", but was not received completely: {candidate.error_kind}" if candidate.error_kind is not None else ""
    )
    flaw = f", but {flaw}" if (flaw := _flaw(candidate)) is not None else ""
    return f"{candidate.why_not or f'returned HTTP {candidate.status}'}{moved}{error_kind}{flaw}"


def _refusal_reason(candidate: Candidate) -> str:
    line = "" if candidate.line is None else f"robots.txt, line {candidate.line}: "
    return line + (candidate.why_not or f"returned HTTP {candidate.status}")


def _parse(assessment: AssessedCandidate | None) -> StepOutcome:
    if assessment is None:
        return Status.NOT_RUN, [_note("no response could be parsed")]
    candidate = assessment.candidate
    evidence = [*_evidence(assessment, StepId.PARSE)]
    if not assessment.is_sitemap:
        return Status.FAIL, [
            *evidence,
            _fault(f"not a supported format: {_refusal_reason(candidate)}", url=candidate.url),
        ]
    if assessment.well_formed is False and not any((item.rule or "").startswith("XML") for item in evidence):
        evidence.append(_fault("it is not well-formed XML", url=candidate.url))
    if assessment.absolute == 0:
        evidence.append(_fault("it contains no absolute http or https URL", url=candidate.url))
    share = f"{assessment.absolute:,} of {candidate.entries:,}" if assessment.absolute != candidate.entries else "all"
    entries = quantity(candidate.entries or 0, "child sitemap" if candidate.kind == "sitemapindex" else "URL")
    evidence.append(_note(f"assessed: {candidate.kind} with {entries}, {share} absolute", url=candidate.url))
    if not assessment.complete:
        evidence.append(
            _note(f"only the first {quantity(candidate.bytes or 0, 'byte')} could be read", url=candidate.url)
        )
    return _status(evidence), evidence


def _field_quality(assessment: AssessedCandidate | None) -> StepOutcome:
    if (reason := _missing_entries(assessment)) is not None:
        return Status.NOT_RUN, [_note(reason)]
    assert assessment is not None
    evidence = [*_evidence(assessment, StepId.FIELD_QUALITY)]
    if not evidence:
        evidence.append(_note("size limits are met, and all optional fields and extensions are valid"))
    return _status(evidence), evidence


def _scope(assessment: AssessedCandidate | None, discovery: Discovery) -> StepOutcome:
    if (reason := _missing_entries(assessment)) is not None:
        return Status.NOT_RUN, [_note(reason)]
    assert assessment is not None
    host = host_of(discovery.origin)
    noun = "child sitemap" if assessment.candidate.kind == "sitemapindex" else "page URL"
    evidence = []
    elsewhere: set[str | None] = set()
    for finding in _of_step(assessment.findings, StepId.SCOPE):
        # The rule's message refers to the host of the sitemap; here it is the host of the origin.
        places = [f"{example.value} (line {example.line})" for example in finding.examples[:MAX_PLACES]]
        more = finding.count - len(places)
        evidence.append(
            Evidence(
                effect=finding.rule.check_effect,
                message=f"{finding.count:,} of {quantity(assessment.absolute, noun)} "
                f"{inflect(finding.count, 'is', 'are')} not on {host}: {', '.join(places)}"
                + (f", and {more:,} more" if more else ""),
                rule=finding.rule.code,
                count=finding.count,
                url=assessment.candidate.url,
                line=finding.examples[0].line if finding.examples else None,
            )
        )
        elsewhere |= {example.value for example in finding.examples}
    if not evidence:
        evidence.append(_note(f"all {noun}s are on {host}", url=assessment.candidate.url))
    moved = host_of(assessment.candidate.final_url)
    if moved != host and moved in elsewhere:
        evidence.append(_note(f"{host} redirects to {moved}; if that is the site you want, check {moved} instead"))
    return _status(evidence), evidence


def _missing_entries(assessment: AssessedCandidate | None) -> str | None:
    """Return why the steps on entries cannot run; None if they can."""
    if assessment is None:
        return "nothing was fetched"
    if not assessment.is_sitemap:
        return "the response is not a sitemap"
    return None if assessment.absolute else "there are no absolute URLs"


def _evidence(assessment: AssessedCandidate, step: StepId) -> Iterable[Evidence]:
    """Yield one piece of evidence per finding, naming its first places."""
    for finding in _of_step(assessment.findings, step):
        rule = finding.rule
        first = finding.examples[0] if finding.examples else None
        messages = "; ".join(example.message for example in finding.examples[:MAX_PLACES])
        more = finding.count - min(len(finding.examples), MAX_PLACES)
        yield Evidence(
            effect=rule.check_effect,
            message=rule.message
            + (f": {messages}" if messages else "")
            + (f"; and {more:,} more" if messages and more else ""),
            rule=rule.code,
            count=finding.count,
            url=assessment.candidate.url,
            line=None if first is None else first.line,
        )


def _of_step(findings: Iterable[Finding], step: StepId) -> list[Finding]:
    return [finding for finding in findings if finding.rule.check_step == step.value]


def _status(evidence: Iterable[Evidence]) -> Status:
    effects = {item.effect for item in evidence}
    if CheckEffect.FAIL in effects:
        return Status.FAIL
    return Status.WARN if CheckEffect.WARN in effects else Status.PASS


def _note(message: str, url: str | None = None) -> Evidence:
    return Evidence(effect=CheckEffect.NONE, message=message, url=url or None)


def _fault(message: str, url: str | None = None) -> Evidence:
    return Evidence(effect=CheckEffect.FAIL, message=message, url=url)
