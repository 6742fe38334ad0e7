"""Findings of `validate` as a GitLab code quality report: one issue per example.

https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report.locate import example_name, finding_name, relative_path
from urlset.report.style import Style
from urlset.report.words import occurrences, places_not_shown
from urlset.rules.rule import Severity
from urlset.text.safe import json_text, safe, shorten

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.finding import Finding
    from urlset.model.report import Place, Report

LONGEST_DESCRIPTION = 1_000
"""Maximum characters of a description."""

SEVERITIES = {
    Severity.ERROR: "major",
    Severity.WARNING: "minor",
    Severity.INFO: "info",
    Severity.HINT: "info",
}
"""GitLab's severities are info, minor, major, critical, and blocker; an invalid sitemap is neither of the last two."""


def render(report: Report, style: Style = Style()) -> Iterator[str]:
    yield json_text(_as_json(report), ascii_only=style.ascii_only)


def _as_json(report: Report) -> list[dict[str, object]]:
    issues: list[dict[str, object]] = []
    counts: dict[str, int] = {}
    for finding in report.issues:
        for place, message, name in _places(finding, report):
            # GitLab keeps one issue per fingerprint, so repeated findings get numbered fingerprints.
            counts[name] = counts.get(name, 0) + 1
            unique = name if counts[name] == 1 else f"{name}-{counts[name]}"
            issues.append(_issue(finding, place, message, unique))
    return issues


def _places(finding: Finding, report: Report) -> Iterator[tuple[Place, str, str]]:
    document_url = report.document_url(finding.document_id)
    if not finding.examples:
        often = f"{finding.rule.message} ({occurrences(finding.count)})"
        yield report.place_of(finding), often, finding_name(finding, document_url)
    for number, example in enumerate(finding.examples, start=1):
        rest = places_not_shown(finding.rule, number, finding.count) if number == len(finding.examples) else ""
        more = f" ({rest})" if rest else ""
        yield report.place_of(finding, example), example.message + more, example_name(finding, example, document_url)


def _issue(finding: Finding, place: Place, message: str, name: str) -> dict[str, object]:
    rule = finding.rule
    return {
        "description": safe(shorten(f"{rule.code} {rule.name}: {message}", LONGEST_DESCRIPTION)),
        "check_name": rule.code,
        "fingerprint": name,
        "severity": SEVERITIES[finding.severity],
        # GitLab requires a line; a finding about the whole document is placed on the first.
        "location": {"path": safe(relative_path(place.name)), "lines": {"begin": place.line or 1}},
    }
