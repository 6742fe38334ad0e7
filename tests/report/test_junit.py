"""JUnit XML: held to the schema of Jenkins' xunit-plugin, since JUnit has none of its own; a case for every finding."""

from __future__ import annotations

from typing import TypeAlias

import pytest
from lxml import etree
from msgspec.structs import replace

from urlset.model.report import Report
from urlset.model.schema import SchemaStatus, SchemaVerdict
from urlset.options import FailOn
from urlset.report import junit
from urlset.report.style import Style
from urlset.rules import registry

from .conftest import document, published_schema


def parsed(report: Report, fail_on: FailOn = FailOn.ERROR) -> etree._Element:
    return etree.fromstring("\n".join(junit.render(report, Style(fail_on=fail_on))).encode())


@pytest.fixture(name="reports")
def reports_fixture(faulty: Report, hostile: Report, clean: Report) -> list[Report]:
    bare = replace(faulty, findings=[replace(finding, examples=()) for finding in faulty.findings])
    ruled = replace(faulty, rules=registry.all_rules()).without(faulty.findings[1:], "known <here>")
    return [faulty, ruled, hostile, clean, bare, Report("0.1.0", [], [], faulty.unreadable), Report("0.1.0", [], [])]


def test_published_schema(reports: list[Report]) -> None:
    schema = etree.XMLSchema(etree.parse(published_schema("junit-10.xsd")))
    for report in reports:
        schema.assertValid(parsed(report))
    spoilt = parsed(reports[0])
    spoilt[0].attrib["line"] = "1"
    assert not schema.validate(spoilt)


def test_counts_are_those_of_the_cases(reports: list[Report]) -> None:
    for report in reports:
        root = parsed(report, FailOn.WARNING)
        for holder in (root, *root.iter("testsuite")):
            assert int(holder.attrib["tests"]) == len(list(holder.iter("testcase")))
            assert int(holder.attrib["failures"]) == len(list(holder.iter("failure")))
            assert int(holder.attrib["errors"]) == len(list(holder.iter("error")))
            assert int(holder.attrib.get("skipped", 0)) in (0, len(list(holder.iter("skipped"))))


Cases: TypeAlias = dict[tuple[str, str], str]


def cases_of(report: Report) -> Cases:
    """What became of each case, by the document and the first word of its name."""
    cases: Cases = {}
    for case in parsed(report).iter("testcase"):
        name = (str(case.attrib["classname"]), str(case.attrib["name"]).split(maxsplit=1)[0])
        assert name not in cases
        cases[name] = str(case[0].tag) if len(case) else "passed"
    return cases


def test_a_case_for_each_finding_and_each_document_without_one(faulty: Report) -> None:
    cases = cases_of(replace(faulty, rules=registry.all_rules()))
    broken = {(faulty.document_url(each.document_id), each.rule.code) for each in faulty.findings}
    assert {name for name, outcome in cases.items() if outcome in ("failure", "skipped")} == broken
    without = {faulty.document_url(number) for number in range(len(faulty.documents))} - {url for url, _ in broken}
    assert {name for name, outcome in cases.items() if outcome == "passed"} == {(url, "no") for url in without}
    assert len(cases) == len(broken) + len(without) + len(faulty.unreadable)


def test_what_is_silenced_does_not_pass(faulty: Report) -> None:
    document = faulty.document_url(faulty.findings[0].document_id)
    code = faulty.findings[0].rule.code
    report = replace(faulty, rules=registry.all_rules()).without(faulty.findings[1:], "known: recorded in the baseline")
    assert cases_of(report)[document, code] == "skipped"
    (case,) = (
        case
        for case in parsed(report).iter("testcase")
        if case.attrib["classname"] == document and str(case.attrib["name"]).startswith(code)
    )
    assert case[0].attrib["message"] == "known: recorded in the baseline"


def test_documents_without_findings_pass_once_each() -> None:
    report = Report("0.1.0", [document(n, f"{n}.xml") for n in range(3)], [], rules=registry.all_rules())
    assert cases_of(report) == {(f"{n}.xml", "no"): "passed" for n in range(3)}


def test_the_official_schemas_are_a_case_where_a_document_does_not_pass(faulty: Report) -> None:
    verdicts = [SchemaVerdict(0, SchemaStatus.VALID), SchemaVerdict(1, SchemaStatus.UNCHECKED, reason="too large")]
    cases = cases_of(replace(faulty, rules=registry.all_rules(), schema=verdicts))
    outcomes = [cases.get((faulty.document_url(number), "XSD000")) for number in range(3)]
    assert outcomes == [None, "failure", None]
