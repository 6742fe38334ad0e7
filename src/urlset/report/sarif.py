"""Report of `validate` as SARIF 2.1.0 for code scanning: one result per finding, with its examples as locations.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/sarif-v2.1.0-errata01-os-complete.html (sections are
cited below), within GitHub's limits (https://docs.github.com/en/code-security/reference/code-scanning/sarif-files).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from urlset.report.locate import artifact_uri, finding_name
from urlset.report.style import Style
from urlset.report.words import occurrences
from urlset.rules import explanation
from urlset.rules.families import TITLES
from urlset.rules.rule import Rule, Severity
from urlset.text.safe import json_text, safe, shorten
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from urlset.model.finding import Example, Finding
    from urlset.model.report import Place, Report

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

MAX_RESULTS = 5_000
"""Results per run that GitHub shows; it accepts 25,000 and rejects a file with more."""

MAX_LOCATIONS = 1_000
"""Locations per result that GitHub accepts; it shows 100."""

MAX_NOTIFICATIONS = 1_000
"""Maximum unreadable targets to list."""

LONGEST_TEXT = 1_000
"""Maximum characters of a text; GitHub shows 1,024."""

BASE = "%SRCROOT%"
"""Base of relative URIs: the working directory, usually the root of the checkout (3.14.14)."""

LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note", Severity.HINT: "none"}
"""Level of each severity (3.27.10). A hint is informational and not a failure, which requires no level (3.27.9)."""

_PROBLEM_SEVERITY = {"error": "error", "warning": "warning", "note": "recommendation", "none": "recommendation"}


def render(report: Report, style: Style = Style()) -> Iterator[str]:
    yield json_text(_as_json(report), ascii_only=style.ascii_only)


def _as_json(report: Report) -> dict[str, object]:
    findings = report.issues[:MAX_RESULTS]
    first_of: dict[str, Finding] = {}
    for finding in findings:
        first_of.setdefault(finding.rule.code, finding)
    numbers = {code: number for number, code in enumerate(first_of)}
    driver = {
        "name": "urlset",
        "version": report.tool_version,
        "rules": [_rule(finding.rule, LEVELS[finding.severity]) for finding in first_of.values()],
    }
    run = {
        "tool": {"driver": driver},
        # No URI, to keep the local path of the checkout private (3.14.14).
        "originalUriBaseIds": {BASE: {"description": {"text": "The directory in which urlset was run."}}},
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {
                "executionSuccessful": not report.unreadable,
                "toolExecutionNotifications": list(_notifications(report)),
            }
        ],
        "results": [_result(finding, numbers[finding.rule.code], report) for finding in findings],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _notifications(report: Report) -> Iterator[dict[str, object]]:
    for unreadable in report.unreadable[:MAX_NOTIFICATIONS]:
        text = _text(f"{unreadable.target} could not be read: {unreadable.reason}")
        yield {"level": "error", "message": {"text": text}}
    if (remainder := len(report.unreadable) - MAX_NOTIFICATIONS) > 0:
        yield {"level": "error", "message": {"text": f"{quantity(remainder, 'more target')} could not be read."}}
    if (remainder := len(report.issues) - MAX_RESULTS) > 0:
        text = f"Omitted the {quantity(remainder, 'least severe finding')}; GitHub shows {MAX_RESULTS:,} per run."
        yield {"level": "warning", "message": {"text": text}}
    if cut := sum(len(finding.examples) > MAX_LOCATIONS for finding in report.issues[:MAX_RESULTS]):
        text = f"Limited {quantity(cut, 'result')} to {MAX_LOCATIONS:,} locations, the most that GitHub accepts."
        yield {"level": "warning", "message": {"text": text}}


def _rule(rule: Rule, level: str) -> dict[str, object]:
    about, page = _page(rule)
    descriptor: dict[str, object] = {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": _text(rule.message)},
        "fullDescription": {"text": _text(about)},
        "help": {"text": _text(rule.fix), "markdown": page},
        "defaultConfiguration": {"level": level},
        "properties": {"tags": _tags(rule), "precision": "high", "problem.severity": _PROBLEM_SEVERITY[level]},
    }
    if uri := next((source for source in rule.sources if source.startswith(("https://", "http://"))), None):
        descriptor["helpUri"] = uri
    return descriptor


def _tags(rule: Rule) -> list[str]:
    """Return two tags; GitHub accepts 20 and shows 10."""
    title = TITLES.get(rule.family)
    return ["sitemap"] if title is None else ["sitemap", title.lower()]


def _page(rule: Rule) -> tuple[str, str]:
    """Return what a rule finds, and its page in Markdown; a custom rule only has its message and fix."""
    sections = explanation.sections(rule)
    if not sections:
        return rule.message, f"{_escape(rule.message)}\n\n{_escape(rule.fix)}\n"
    return " ".join(sections[explanation.WHAT].split()), explanation.page(rule)


def _escape(text: str) -> str:
    return re.sub(r"([\\`*_\[\]<>#|~&!])", r"\\\1", safe(text))


def _result(finding: Finding, rule_index: int, report: Report) -> dict[str, object]:
    level = LEVELS[finding.severity]
    name = finding_name(finding, report.document_url(finding.document_id))
    return {
        "ruleId": finding.rule.code,
        "ruleIndex": rule_index,
        "kind": "informational" if level == "none" else "fail",
        "level": level,
        "message": {"text": _message(finding)},
        "locations": [_location(report.place_of(finding, each), each) for each in _examples(finding)],
        "occurrenceCount": finding.count,
        # GitHub identifies results by the second; both are stable when lines move or the count changes.
        "partialFingerprints": {"ruleAndDocument/v1": name, "primaryLocationLineHash": f"{name}:1"},
    }


def _message(finding: Finding) -> str:
    if finding.count == 1 and finding.examples:
        return _text(f"{finding.rule.message}: {finding.examples[0].message}")
    return _text(f"{finding.rule.message} ({occurrences(finding.count)})")


def _examples(finding: Finding) -> Sequence[Example | None]:
    """Return the examples to show; None for the document as a whole, if there is none."""
    return finding.examples[:MAX_LOCATIONS] or (None,)


def _location(place: Place, example: Example | None) -> dict[str, object]:
    uri, is_relative = artifact_uri(place.name)
    physical: dict[str, object] = {"artifactLocation": {"uri": uri, "uriBaseId": BASE} if is_relative else {"uri": uri}}
    if place.line is not None:
        region = {"startLine": place.line}
        if place.column is not None:
            region["startColumn"] = place.column
        physical["region"] = region
    if example is None:
        return {"physicalLocation": physical}
    texts = {"url": example.url, "field": example.field, "value": example.value}
    properties = {name: shorten(text, LONGEST_TEXT) for name, text in texts.items() if text is not None}
    location: dict[str, object] = {"physicalLocation": physical, "message": {"text": _text(example.message)}}
    return location | ({"properties": properties} if properties else {})


def _text(text: str) -> str:
    r"""Return plain text: braces are placeholders unless doubled (3.11.5), and `[a](b)` is a link (3.11.6)."""
    message = shorten(safe(text), LONGEST_TEXT).replace("{", "{{").replace("}", "}}")
    return message.replace("[", "\\[").replace("]", "\\]") if "](" in message else message
