"""The report of `validate` as JUnit XML, which most CI systems show: a suite a document, a case for each rule broken.

JUnit itself has no schema; this keeps to what Jenkins accepts
(https://github.com/jenkinsci/xunit-plugin, junit-10.xsd), which GitLab, CircleCI and Azure read too.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from urlset.config import FailOn
from urlset.findings import SEVERITY_RANK
from urlset.report.locate import is_url, relative_path
from urlset.report.safe import no_command, safe, shortened
from urlset.report.text import place
from urlset.report.words import times
from urlset.rules.rule import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from urlset.findings import Finding
    from urlset.report.model import Report, Unreadable

LONGEST_LINE = 2_000
"""Characters of an example's line that are shown."""

_MARKUP = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}


def render(report: Report, *, fail_on: FailOn = FailOn.ERROR, ascii_only: bool = False) -> Iterator[str]:
    """The report, line by line.

    A finding at or above `fail_on` is a failure. One below it is a skipped case with its text, and so visible without
    making the suite fail. A document without findings has one case that passes; a target that could not be read is a
    case with an error.
    """
    for line in _document(report, fail_on):
        yield line.encode("ascii", "xmlcharrefreplace").decode("ascii") if ascii_only else line


def _document(report: Report, fail_on: FailOn) -> Iterator[str]:
    by_document: dict[object, list[Finding]] = {row["document_id"]: [] for row in report.documents}
    for finding in report.findings:
        by_document[finding.document_id].append(finding)
    failures = sum(_is_failure(finding, fail_on) for finding in report.findings)
    cases = sum(max(len(findings), 1) for findings in by_document.values()) + len(report.unreadable)
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f'<testsuites name="urlset" tests="{cases}" failures="{failures}" errors="{len(report.unreadable)}">'
    for row in report.documents:
        yield from _suite(str(row["url"]), by_document[row["document_id"]], fail_on)
    if report.unreadable:
        yield from _unreadable_suite(report.unreadable)
    yield "</testsuites>"


def _is_failure(finding: Finding, fail_on: FailOn) -> bool:
    return fail_on is not FailOn.NEVER and SEVERITY_RANK[finding.severity] <= SEVERITY_RANK[Severity(fail_on.value)]


def _suite(document_url: str, findings: Sequence[Finding], fail_on: FailOn) -> Iterator[str]:
    failures = sum(_is_failure(finding, fail_on) for finding in findings)
    counts = f'failures="{failures}" errors="0" skipped="{len(findings) - failures}" time="0"'
    yield f'  <testsuite name="{_escaped(document_url)}" tests="{max(len(findings), 1)}" {counts}>'
    if not findings:
        yield f'    <testcase classname="{_escaped(document_url)}" name="no faults" time="0"/>'
    for finding in findings:
        yield from _case(finding, document_url, is_failure=_is_failure(finding, fail_on))
    yield "  </testsuite>"


def _case(finding: Finding, document_url: str, *, is_failure: bool) -> Iterator[str]:
    rule = finding.rule
    where = "" if is_url(document_url) else f' file="{_escaped(relative_path(document_url))}"'
    if where and finding.examples and finding.examples[0].line is not None:
        where += f' line="{finding.examples[0].line}"'
    name = _escaped(f"{rule.code} {rule.name}")
    message = _escaped(f"{finding.severity.value}: {rule.message} ({times(finding.count)})")
    yield f'    <testcase classname="{_escaped(document_url)}" name="{name}"{where} time="0">'
    lines = list(_lines(finding, document_url))
    if is_failure:
        yield f'      <failure type="{finding.severity.value}" message="{message}">{lines[0]}'
        yield from lines[1:]
        yield "      </failure>"
    else:
        yield f'      <skipped message="{message}"/>'
        yield f"      <system-out>{lines[0]}"
        yield from lines[1:]
        yield "      </system-out>"
    yield "    </testcase>"


def _lines(finding: Finding, document_url: str) -> Iterator[str]:
    for example in finding.examples:
        line = shortened(f"{place(document_url, example)}: {safe(example.message)}", LONGEST_LINE)
        # It begins with a name from outside, and the file may be shown in the log of a CI system.
        yield _escaped(no_command(line))
    left = finding.count - len(finding.examples)
    if left > 0:
        yield f"… and {left:,} more" if finding.examples else times(left)
    yield _escaped(f"fix: {finding.rule.fix}")


def _unreadable_suite(unreadable: Sequence[Unreadable]) -> Iterator[str]:
    count = len(unreadable)
    yield f'  <testsuite name="unreadable" tests="{count}" failures="0" errors="{count}" skipped="0" time="0">'
    for each in unreadable:
        yield f'    <testcase classname="{_escaped(each.target)}" name="could not be read" time="0">'
        yield f'      <error type="unreadable" message="{_escaped(each.reason)}"/>'
        yield "    </testcase>"
    yield "  </testsuite>"


def _escaped(text: str) -> str:
    """Text that may stand in XML 1.0, which has no form at all for most control characters and for surrogates."""
    return re.sub('[&<>"]', lambda match: _MARKUP[match[0]], safe(text))
