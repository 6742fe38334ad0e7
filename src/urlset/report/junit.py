"""Report of `validate` as JUnit XML, which most CI systems show: a suite per document, with a case per rule.

JUnit does not define a schema; this follows the schema that Jenkins publishes
(https://github.com/jenkinsci/xunit-plugin, junit-10.xsd), which GitLab, CircleCI, and Azure also accept.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from urlset.ci_log import no_command
from urlset.model.document import was_read
from urlset.model.schema import NOT_VALID
from urlset.report.locate import is_url, place, relative_path
from urlset.report.style import Style
from urlset.report.words import occurrences
from urlset.safe import safe, shorten
from urlset.sizes import quantity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from urlset.errors import Unreadable
    from urlset.model.document import Row
    from urlset.model.finding import Finding
    from urlset.model.report import Report
    from urlset.rules.rule import Rule

LONGEST_LINE = 2_000
"""Maximum characters of a line for an example."""

MAX_CASES = 10_000
"""Maximum cases with a separate case for each passing rule, so that CI systems can still display the report.

Beyond that, passing rules are merged into one case per family and document, and if there are still too many, into one
per document. Findings and silenced rules always have their own cases.
"""

_MARKUP = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}


def render(report: Report, style: Style = Style()) -> Iterator[str]:
    """Yield the lines of the report.

    A finding at or above `fail_on` is a failure. A finding below it is a skipped case, so that it is visible without
    failing the suite. A rule without findings is a passing case; a rule whose findings the configuration or the
    baseline removed is a skipped case with the reason. An unreadable target is a case with an error.
    """
    for line in _document(report, style.fail_on):
        yield line.encode("ascii", "xmlcharrefreplace").decode("ascii") if style.ascii_only else line


@dataclass(frozen=True, slots=True)
class _Suite:
    """Test suite of one document.

    Attributes:
        document: Its URL or path.
        silenced: Rules with findings that are not reported, each with the reason.
        passes: Rules that pass, in groups with a case each.
    """

    document: str
    findings: Sequence[Finding]
    silenced: Sequence[tuple[Rule, str]]
    passes: Sequence[Sequence[Rule]]

    @property
    def cases(self) -> int:
        return len(self.findings) + len(self.silenced) + len(self.passes)


def _document(report: Report, fail_on: str) -> Iterator[str]:
    suites = _suites(report)
    failures = sum(finding.fails(fail_on) for finding in report.issues)
    cases = sum(suite.cases for suite in suites) + len(report.unreadable)
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f'<testsuites name="urlset" tests="{cases}" failures="{failures}" errors="{len(report.unreadable)}">'
    for suite in suites:
        yield from _suite(suite, fail_on)
    if report.unreadable:
        yield from _unreadable_suite(report.unreadable)
    yield "</testsuites>"


def _suites(report: Report) -> list[_Suite]:
    """Return the suites, with passing rules merged as little as their number allows."""
    findings: dict[object, list[Finding]] = defaultdict(list)
    for finding in report.issues:
        findings[finding.document_id].append(finding)
    schemas: dict[object, tuple[Rule, ...]] = {verdict.document_id: (NOT_VALID,) for verdict in report.schema or ()}
    fold = next((fold for fold in _FOLDS if _max_cases(report, fold) <= MAX_CASES), _by_document)
    return [
        _suite_of(
            report, row, findings[row["document_id"]], [*report.rules, *schemas.get(row["document_id"], ())], fold
        )
        for row in report.documents
        # A document that was not fetched passes no rule; the failure is a finding of the document that lists it.
        if was_read(row)
    ] + [
        _Suite(str(row["url"]), issues, (), ())
        for row in report.documents
        if not was_read(row) and (issues := findings[row["document_id"]])
    ]


def _max_cases(report: Report, fold: Callable[[Rule], str]) -> int:
    passes = len(report.documents) * len({fold(rule) for rule in report.rules}) + len(report.schema or ())
    return passes if fold is _by_rule else passes + len(report.issues) + len(report.silenced)


def _by_rule(rule: Rule) -> str:
    return rule.code


def _by_family(rule: Rule) -> str:
    return rule.family


def _by_document(rule: Rule) -> str:
    del rule
    return ""


_FOLDS = (_by_rule, _by_family, _by_document)
"""Keys by which passing rules are merged into cases, from the finest to the coarsest."""


def _suite_of(
    report: Report, row: Row, findings: Sequence[Finding], rules: Sequence[Rule], fold: Callable[[Rule], str]
) -> _Suite:
    broken = {finding.rule.code for finding in findings}
    silenced: list[tuple[Rule, str]] = []
    passes: dict[str, list[Rule]] = defaultdict(list)
    for rule in rules:
        if rule.code in broken:
            continue
        if reason := report.silenced.get((row["document_id"], rule.code)):
            silenced.append((rule, reason))
        else:
            passes[fold(rule)].append(rule)
    return _Suite(str(row["url"]), findings, silenced, list(passes.values()))


def _suite(suite: _Suite, fail_on: str) -> Iterator[str]:
    failures = sum(finding.fails(fail_on) for finding in suite.findings)
    skipped = len(suite.findings) - failures + len(suite.silenced)
    counts = f'tests="{suite.cases}" failures="{failures}" errors="0" skipped="{skipped}" time="0"'
    name = _escape(suite.document)
    file = "" if is_url(suite.document) else f' file="{_escape(relative_path(suite.document))}"'
    yield f'  <testsuite name="{name}"{file} {counts}>'
    for finding in suite.findings:
        yield from _case(finding, suite.document, is_failure=finding.fails(fail_on))
    for rule, reason in suite.silenced:
        yield f'    <testcase classname="{name}" name="{_rule_name(rule)}" time="0">'
        yield f'      <skipped message="{_escape(reason)}"/>'
        yield "    </testcase>"
    for rules in suite.passes:
        yield f'    <testcase classname="{name}" name="{_case_name(rules)}" time="0"/>'
    yield "  </testsuite>"


def _rule_name(rule: Rule) -> str:
    return _escape(f"{rule.code} {rule.name}")


def _case_name(rules: Sequence[Rule]) -> str:
    """Return the name of a passing case: its rule, or the family and the number of rules that it merges."""
    if len(rules) == 1:
        return _rule_name(rules[0])
    families = {rule.family for rule in rules}
    return _escape(f"{families.pop() if len(families) == 1 else 'all'}: {quantity(len(rules), 'rule')} passed")


def _case(finding: Finding, document_url: str, *, is_failure: bool) -> Iterator[str]:
    message = _escape(f"{finding.severity.value}: {finding.rule.message} ({occurrences(finding.count)})")
    yield f'    <testcase classname="{_escape(document_url)}" name="{_rule_name(finding.rule)}" time="0">'
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
        line = shorten(f"{place(document_url, example)}: {safe(example.message)}", LONGEST_LINE)
        # The line starts with untrusted text, and CI systems may print the file to their log.
        yield _escape(no_command(line))
    remainder = finding.count - len(finding.examples)
    if remainder > 0:
        yield f"… and {remainder:,} more" if finding.examples else occurrences(remainder)
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
