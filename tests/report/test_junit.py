"""JUnit XML: held to the schema of Jenkins' xunit-plugin, since JUnit has none of its own; a case for every rule."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

import pytest
from lxml import etree

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


def test_a_case_for_each_rule_and_document(faulty: Report) -> None:
    rules = registry.all_rules()
    cases = cases_of(replace(faulty, rules=rules))
    assert len(cases) == len(rules) * len(faulty.documents) + len(faulty.unreadable)
    broken = {(faulty.document_url(each.document_id), each.rule.code) for each in faulty.findings}
    assert {name for name, outcome in cases.items() if outcome in ("failure", "skipped")} == broken
    assert {cases[document, "IMG001"] for document in map(faulty.document_url, range(3))} == {"passed"}


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


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("documents", "folded"),
    [
        (10, {f"{rule.code} {rule.name}" for rule in registry.all_rules()}),
        (
            200,
            {
                f"{family.prefix}: {len(members)} rules passed"
                if len(members) > 1
                else f"{members[0].code} {members[0].name}"
                for family in registry.FAMILIES
                if (members := [rule for rule in registry.all_rules() if rule.family == family.prefix])
            },
        ),
        (1_000, {f"all: {len(registry.all_rules())} rules passed"}),
    ],
    ids=["each", "families", "documents"],
)
def test_rules_kept_are_folded_where_they_are_many(documents: int, folded: set[str]) -> None:
    report = Report("0.1.0", [document(n, f"{n}.xml") for n in range(documents)], [], rules=registry.all_rules())
    root = parsed(report)
    assert {case.attrib["name"] for case in root[7].iter("testcase")} == folded
    assert int(root.attrib["tests"]) == documents * len(folded) <= junit.MAX_CASES


def test_what_is_broken_is_never_folded(faulty: Report, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(junit, "MAX_CASES", 500)
    finding = faulty.findings[0]
    rows = [document(n, f"{n}.xml") for n in range(junit.MAX_CASES)]
    findings = [replace(finding, document_id=n) for n in range(junit.MAX_CASES)]
    cases = cases_of(Report("0.1.0", rows, findings, rules=registry.all_rules()))
    assert len([name for name, outcome in cases.items() if outcome == "failure"]) == junit.MAX_CASES
    assert cases["499.xml", "all:"] == "passed"


def test_the_official_schemas_are_a_case_where_they_were_asked(faulty: Report) -> None:
    verdicts = [SchemaVerdict(0, SchemaStatus.VALID), SchemaVerdict(1, SchemaStatus.UNCHECKED, reason="too large")]
    cases = cases_of(replace(faulty, rules=registry.all_rules(), schema=verdicts))
    outcomes = [cases.get((faulty.document_url(number), "XSD000")) for number in range(3)]
    assert outcomes == ["passed", "failure", None]
