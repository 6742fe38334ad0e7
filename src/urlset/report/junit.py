"""Report of `validate` as JUnit XML, which most CI systems show: a suite per document, with a case per finding.

JUnit does not define a schema; this follows the schema that Jenkins publishes
(https://github.com/jenkinsci/xunit-plugin, junit-10.xsd), which GitLab, CircleCI, and Azure also accept.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from urlset.model.document import was_read
from urlset.report.locate import is_url, place, relative_path
from urlset.report.style import Style
from urlset.report.words import occurrences, places_not_shown
from urlset.text.ci_log import no_command
from urlset.text.safe import safe, shorten

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from urlset.errors import Unreadable
    from urlset.model.document import Row
    from urlset.model.finding import Finding
    from urlset.model.report import Report
    from urlset.rules.rule import Rule

LONGEST_LINE = 2_000
"""Maximum characters of a line for an example."""

_MARKUP = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}


def render(report: Report, style: Style = Style()) -> Iterator[str]:
    """Yield the lines of the report.

    A finding at or above `fail_on` is a failure. A finding below it is a skipped case, so that it is visible without
    failing the suite. A rule whose findings the configuration or the baseline removed is a skipped case with the
    reason. A document without any of these is one passing case, and an unreadable target is a case with an error.
    """
    for line in _document(report, style.fail_on):
        yield line.encode("ascii", "xmlcharrefreplace").decode("ascii") if style.ascii_only else line


@dataclass(frozen=True, slots=True)
class _Suite:
    """Test suite of one document.

    Attributes:
        document: Its URL or path.
        silenced: Rules with findings that are not reported, each with the reason.
    """

    document: str
    findings: Sequence[Finding]
    silenced: Sequence[tuple[Rule, str]]

    @property
    def passes(self) -> bool:
        return not self.findings and not self.silenced

    @property
    def cases(self) -> int:
        return len(self.findings) + len(self.silenced) + self.passes


def _document(report: Report, fail_on: str) -> Iterator[str]:
    suites = _suites(report)
    failures = sum(finding.fails(fail_on) for finding in report.issues)
    cases = sum(suite.cases for suite in suites) + len(report.unreadable)
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f'<testsuites name="urlset" tests="{cases}" failures="{failures}" errors="{len(report.unreadable)}">'
    for suite in suites:
        yield from _suite(suite, report, fail_on)
    if report.unreadable:
        yield from _unreadable_suite(report.unreadable)
    yield "</testsuites>"


def _suites(report: Report) -> list[_Suite]:
    findings: dict[object, list[Finding]] = defaultdict(list)
    for finding in report.issues:
        findings[finding.document_id].append(finding)
    return [
        _Suite(str(row["url"]), findings[row["document_id"]], _silenced(report, row, findings[row["document_id"]]))
        for row in report.documents
        # A document that was not fetched does not pass; the failure is a finding of the document that lists it.
        if was_read(row) or row["document_id"] in findings
    ]


def _silenced(report: Report, row: Row, findings: Sequence[Finding]) -> list[tuple[Rule, str]]:
    broken = {finding.rule.code for finding in findings}
    reasons = ((rule, report.silenced.get((row["document_id"], rule.code))) for rule in report.rules)
    return [(rule, reason) for rule, reason in reasons if reason and rule.code not in broken]


def _suite(suite: _Suite, report: Report, fail_on: str) -> Iterator[str]:
    failures = sum(finding.fails(fail_on) for finding in suite.findings)
    skipped = len(suite.findings) - failures + len(suite.silenced)
    counts = f'tests="{suite.cases}" failures="{failures}" errors="0" skipped="{skipped}" time="0"'
    name = _escape(suite.document)
    path = report.files.get(suite.document, suite.document)
    file = "" if is_url(path) else f' file="{_escape(relative_path(path))}"'
    yield f'  <testsuite name="{name}"{file} {counts}>'
    for finding in suite.findings:
        yield from _case(finding, report, is_failure=finding.fails(fail_on))
    for rule, reason in suite.silenced:
        yield f'    <testcase classname="{name}" name="{_rule_name(rule)}" time="0">'
        yield f'      <skipped message="{_escape(reason)}"/>'
        yield "    </testcase>"
    if suite.passes:
        yield f'    <testcase classname="{name}" name="no findings" time="0"/>'
    yield "  </testsuite>"


def _rule_name(rule: Rule) -> str:
    return _escape(f"{rule.code} {rule.name}")


def _case(finding: Finding, report: Report, *, is_failure: bool) -> Iterator[str]:
    message = _escape(f"{finding.severity.value}: {finding.rule.message} ({occurrences(finding.count)})")
    document_url = report.document_url(finding.document_id)
    yield f'    <testcase classname="{_escape(document_url)}" name="{_rule_name(finding.rule)}" time="0">'
    lines = list(_lines(finding, report))
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


def _lines(finding: Finding, report: Report) -> Iterator[str]:
    for example in finding.examples:
        line = shorten(f"{place(report.place_of(finding, example))}: {safe(example.message)}", LONGEST_LINE)
        # The line starts with untrusted text, and CI systems may print the file to their log.
        yield _escape(no_command(line))
    if rest := places_not_shown(finding.rule, len(finding.examples), finding.count):
        yield f"… {rest}" if finding.examples else occurrences(finding.count)
    yield _escape(f"fix: {finding.rule.fix}")


def _unreadable_suite(unreadable: Sequence[Unreadable]) -> Iterator[str]:
    count = len(unreadable)
    yield f'  <testsuite name="unreadable" tests="{count}" failures="0" errors="{count}" skipped="0" time="0">'
    for target in unreadable:
        yield f'    <testcase classname="{_escape(target.target)}" name="could not be read" time="0">'
        yield f'      <error type="unreadable" message="{_escape(target.reason)}"/>'
        yield "    </testcase>"
    yield "  </testsuite>"


def _escape(text: str) -> str:
    """Return text that is valid in XML 1.0, which cannot represent most control characters or surrogates."""
    return re.sub('[&<>"]', lambda match: _MARKUP[match[0]], safe(text))
