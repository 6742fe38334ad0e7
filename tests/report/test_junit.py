"""JUnit XML: held to what Jenkins' schema says of the elements it uses, and to that schema where it is at hand.

JUnit has no schema of its own and no package ships Jenkins' one alone: `URLSET_REPORT_SCHEMAS=FOLDER` names a folder
with `junit-10.xsd` of https://github.com/jenkinsci/xunit-plugin. Without it that one test is skipped, and counted.
"""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path

import pytest
from lxml import etree

from urlset.config import FailOn
from urlset.report import junit
from urlset.report.model import Report

SCHEMAS = Path(os.environ.get("URLSET_REPORT_SCHEMAS", "no such folder"))

# junit-10.xsd: the attributes of each element (with * where they are required), and the elements it may hold.
ELEMENTS: dict[str, tuple[str, str]] = {
    "testsuites": ("name time tests failures disabled errors", "testsuite"),
    "testsuite": ("name* tests* failures* errors* skipped time id package timestamp hostname file", "testcase"),
    "testcase": ("name* time classname group file line", "skipped error failure system-out system-err"),
    "failure": ("type message", ""),
    "error": ("type message", ""),
    "skipped": ("type message", ""),
    "system-out": ("", ""),
}


def parsed(report: Report, fail_on: FailOn = FailOn.ERROR) -> etree._Element:
    return etree.fromstring("\n".join(junit.render(report, fail_on=fail_on)).encode())


@pytest.fixture(name="reports")
def reports_fixture(faulty: Report, hostile: Report, clean: Report) -> list[Report]:
    bare = replace(faulty, findings=[replace(finding, examples=()) for finding in faulty.findings])
    return [faulty, hostile, clean, bare, Report("0.1.0", [], [], faulty.unreadable), Report("0.1.0", [], [])]


def test_elements_and_attributes(reports: list[Report]) -> None:
    for element in (element for report in reports for element in parsed(report).iter()):
        attributes, children = ELEMENTS[str(element.tag)]
        known = {name.rstrip("*") for name in attributes.split()}
        required = {name.rstrip("*") for name in attributes.split() if name.endswith("*")}
        assert required <= set(element.attrib) <= known
        assert {str(child.tag) for child in element} <= set(children.split())
        assert re.fullmatch(r"\d*(\.\d*)?", element.attrib.get("time", ""))


@pytest.mark.skipif(not SCHEMAS.is_dir(), reason="URLSET_REPORT_SCHEMAS names no folder")
def test_published_schema(reports: list[Report]) -> None:
    schema = etree.XMLSchema(etree.parse(SCHEMAS / "junit-10.xsd"))
    for report in reports:
        schema.assertValid(parsed(report))


def test_counts_are_those_of_the_cases(reports: list[Report]) -> None:
    for report in reports:
        root = parsed(report, FailOn.WARNING)
        for holder in (root, *root.iter("testsuite")):
            assert int(holder.attrib["tests"]) == len(list(holder.iter("testcase")))
            assert int(holder.attrib["failures"]) == len(list(holder.iter("failure")))
            assert int(holder.attrib["errors"]) == len(list(holder.iter("error")))
            assert int(holder.attrib.get("skipped", 0)) in (0, len(list(holder.iter("skipped"))))


def test_a_case_for_each_rule_and_document(faulty: Report) -> None:
    cases = [(case.attrib["classname"], case.attrib["name"]) for case in parsed(faulty).iter("testcase")]
    assert len(set(cases)) == len(cases)
    assert {name.split()[0] for _, name in cases} == {"LOC003", "MOD002", "XML006", "ENC005", "no", "could"}
