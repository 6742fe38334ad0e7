"""The report's numbers and verdict, and the names of findings across runs."""

from __future__ import annotations

import pytest
from msgspec import structs
from msgspec.structs import replace

from urlset.model.finding import as_rows, fingerprint, in_report_order
from urlset.model.report import Report, SeverityCount
from urlset.options import FailOn
from urlset.rules.rule import Severity
from urlset.tables import FINDINGS


def test_findings_and_places_are_counted_apart(faulty: Report) -> None:
    summary = faulty.summary
    assert (summary.errors, summary.warnings, summary.infos) == (2, 2, 0)
    assert summary.tallies[Severity.WARNING] == SeverityCount(findings=2, places=1_207, rules=1)
    assert (summary.documents, summary.urls) == (3, 1_225)


def test_errors_come_first_then_documents_then_codes(faulty: Report) -> None:
    order = [(finding.severity.value, finding.document_id, finding.rule.code) for finding in faulty.findings]
    assert order == [
        ("error", 0, "LOC003"),
        ("error", 1, "XML006"),
        ("warning", 0, "MOD002"),
        ("warning", 1, "MOD002"),
        ("hint", 0, "ENC005"),
    ]
    assert in_report_order(reversed(faulty.findings)) == list(faulty.findings)


@pytest.mark.parametrize(
    ("severity", "failing"),
    [
        (Severity.ERROR, {FailOn.ERROR, FailOn.WARNING, FailOn.INFO, FailOn.HINT}),
        (Severity.WARNING, {FailOn.WARNING, FailOn.INFO, FailOn.HINT}),
        (Severity.INFO, {FailOn.INFO, FailOn.HINT}),
        (Severity.HINT, {FailOn.HINT}),
    ],
)
def test_what_fails_a_run(faulty: Report, severity: Severity, failing: set[FailOn]) -> None:
    finding = faulty.findings[0]
    report = replace(faulty, findings=[replace(finding, rule=structs.replace(finding.rule, severity=severity))])
    assert {fail_on for fail_on in FailOn if report.fails(fail_on)} == failing


def test_a_fingerprint_outlives_a_move_and_nothing_else(faulty: Report) -> None:
    finding = next(f for f in faulty.findings if f.rule.code == "MOD002")
    example = finding.examples[0]
    name = fingerprint(finding, example, "a.xml")
    assert len(name) == 16
    moved = replace(example, line=900, column=1, ordinal=77, message="otherwise said")
    assert fingerprint(finding, moved, "a.xml") == name
    others = {
        fingerprint(finding, example, "b.xml"),
        fingerprint(replace(finding, rule=structs.replace(finding.rule, code="MOD003")), example, "a.xml"),
        *(
            fingerprint(finding, other, "a.xml")
            for other in (
                replace(example, url=None),
                replace(example, url=""),
                replace(example, url="\udcff"),
                replace(example, value="x"),
                replace(example, field="loc"),
            )
        ),
    }
    assert len(others) == 7
    assert name not in others


def test_findings_become_rows_of_their_table(faulty: Report) -> None:
    rows = as_rows(faulty.findings, {0: "a.xml", 1: "b.xml"})
    assert len(rows) == sum(len(finding.examples) for finding in faulty.findings)
    firsts = [(row["code"], row["document"], row["count"]) for row in rows if row["example"] == 1]
    assert firsts == [(f.rule.code, "ab"[f.document_id] + ".xml", f.count) for f in faulty.findings]
    assert all(tuple(row) == FINDINGS.column_names for row in rows)
    assert len({row["fingerprint"] for row in rows}) == len(rows)


def test_a_finding_without_examples_has_a_row(faulty: Report) -> None:
    bare = [replace(finding, examples=()) for finding in faulty.findings]
    rows = as_rows(bare, {0: "a.xml", 1: "b.xml"})
    assert [(row["count"], row["example"], row["message"]) for row in rows] == [
        (finding.count, 0, finding.rule.message) for finding in faulty.findings
    ]
    assert len({row["fingerprint"] for row in rows}) == len(rows)
