"""The result of `check` as JSON, as `schemas/check.schema.json` describes it."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from urlset.report.safe import json_text
from urlset.specification import SPECIFICATION

if TYPE_CHECKING:
    from collections.abc import Sequence

    from urlset.discovery import Candidate, Find
    from urlset.score import CheckResult, Evidence, StepResult


def render(results: Sequence[CheckResult], *, several: bool = False, ascii_only: bool = False) -> str:
    """The results as JSON text: one object, or with `several` an array of them."""
    values = [as_json(result) for result in results]
    return json_text(values if several else values[0], ascii_only=ascii_only)


def as_json(result: CheckResult) -> dict[str, object]:
    """One result as values that `json` can write."""
    return {
        "check": {name: list(value) if isinstance(value, tuple) else value for name, value in _SPECIFICATION.items()},
        "origin": result.origin,
        "status": result.status.value,
        "score": result.score,
        "steps": [_step(step) for step in result.steps],
        "candidates": [
            {**candidate_as_json(candidate), "judged": candidate.url == result.judged}
            for candidate in result.candidates
        ],
    }


_SPECIFICATION = asdict(SPECIFICATION)


def _step(result: StepResult) -> dict[str, object]:
    return {
        "id": result.step.id.value,
        "title": result.step.title,
        "description": result.step.about,
        "weight": result.step.weight,
        "status": result.status.value,
        "score": result.score,
        "evidence": [_evidence(evidence) for evidence in result.evidence],
    }


def _evidence(evidence: Evidence) -> dict[str, object]:
    return {
        "effect": evidence.effect.value,
        "message": evidence.message,
        "rule": evidence.rule,
        "count": evidence.count,
        "url": evidence.url,
        "line": evidence.line,
    }


def candidate_as_json(candidate: Candidate) -> dict[str, object]:
    """A candidate as values that `json` can write."""
    return {
        "url": candidate.url,
        "found_by": [find_as_json(find) for find in candidate.finds],
        "final_url": candidate.final_url,
        "http_status": candidate.status,
        "trouble": None if candidate.trouble is None else str(candidate.trouble),
        "is_sitemap": candidate.is_sitemap,
        "why_not": candidate.why_not,
        "kind": candidate.kind,
        "entries": candidate.entries,
        "bytes": candidate.bytes,
        "wire_bytes": candidate.wire_bytes,
    }


def find_as_json(find: Find) -> dict[str, object]:
    """One way in which a candidate was found, as values that `json` can write."""
    return {"way": find.way.value, "line": find.line, "written": find.written, "url": find.url}
