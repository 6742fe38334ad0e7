"""Counts per rule: the same numbers in the model and in every format that has a place for them."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import pytest
from jsonschema import Draft202012Validator
from msgspec import structs
from msgspec.structs import replace

from urlset.model.schema import SchemaStatus, SchemaVerdict
from urlset.report.formats import OUTPUTS, render
from urlset.report.json_schema import schema as schema_of
from urlset.report.paint import colored
from urlset.report.style import Style

from .conftest import HOSTILE

if TYPE_CHECKING:
    from urlset.model.report import Report

COLUMNS = ("severity", "code", "name", "places", "documents", "fixable")


def written(report: Report, form: str, style: Style = Style()) -> str:
    return "".join(f"{piece}\n" for piece in render("statistics", form, report, style))


def in_model(report: Report) -> list[tuple[str, ...]]:
    return [
        (
            one.rule.severity.value,
            one.rule.code,
            one.rule.name,
            str(one.places),
            str(one.documents),
            one.rule.fixable.value,
        )
        for one in report.statistics
    ]


def test_the_counts_are_those_of_the_findings(faulty: Report) -> None:
    counts = {one.rule.code: (one.places, one.documents) for one in faulty.statistics}
    assert {*counts} == {finding.rule.code for finding in faulty.findings}
    for code, (places, documents) in counts.items():
        findings = [finding for finding in faulty.findings if finding.rule.code == code]
        assert places == sum(finding.count for finding in findings)
        assert documents == len({finding.document_id for finding in findings})
    severities = [one.rule.severity.value for one in faulty.statistics]
    assert severities == sorted(severities, key=["error", "warning", "info", "hint"].index)


def test_invalid_documents_are_counted(clean: Report) -> None:
    invalid = replace(clean, schema=[SchemaVerdict(0, SchemaStatus.INVALID, total=3)])
    assert [(one.places, one.documents) for one in invalid.statistics] == [(3, 1)]


def test_json_and_its_schema(faulty: Report, clean: Report, hostile: Report) -> None:
    schema = schema_of("statistics")
    for report in (faulty, clean, hostile):
        found = json.loads(written(report, "json"))
        Draft202012Validator(schema).validate(found)
        assert [tuple(str(one[name]) for name in COLUMNS) for one in found["statistics"]] == in_model(report)


def test_json_lines(faulty: Report) -> None:
    *lines, summary = map(json.loads, written(faulty, "jsonl").splitlines())
    rules = [line for line in lines if line["type"] == "rule"]
    assert [tuple(str(one[name]) for name in COLUMNS) for one in rules] == in_model(faulty)
    assert summary["type"] == "summary"
    assert summary["documents"] == faulty.summary.documents
    assert [line["target"] for line in lines if line["type"] == "unreadable"] == ["gone.xml"]


def test_csv(faulty: Report) -> None:
    header, *rows = csv.reader(io.StringIO(written(faulty, "csv")))
    assert tuple(header) == COLUMNS
    assert [tuple(row) for row in rows] == in_model(faulty)


def test_markdown(faulty: Report) -> None:
    rows = [line.strip("| ").split(" | ") for line in written(faulty, "markdown").splitlines() if line.startswith("| ")]
    assert tuple(rows[0]) == COLUMNS
    assert [tuple(cell.strip("`").replace(",", "") for cell in row) for row in rows[1:]] == in_model(faulty)


def test_text(faulty: Report) -> None:
    heading, *lines = written(faulty, "text").splitlines()
    assert tuple(heading.split()) == COLUMNS
    table = [tuple(line.replace(",", "").split()) for line in lines[: lines.index("")]]
    assert table == in_model(faulty)
    places, rules = sum(one.places for one in faulty.statistics), len(faulty.statistics)
    assert lines[-1].startswith(f"Found {places:,} places that break {rules} rules in ")
    painted = written(faulty, "text", Style(paint=colored))
    assert "\x1b[1;31merror\x1b[0m" in painted


@pytest.mark.parametrize("form", OUTPUTS["statistics"].formats)
def test_a_clean_report(form: str, clean: Report) -> None:
    text = written(clean, form)
    assert "LOC" not in text
    if form in ("text", "markdown"):
        assert "no problems found" in text.lower()


@pytest.mark.parametrize("form", OUTPUTS["statistics"].formats)
def test_nothing_in_a_name_acts(form: str, faulty: Report) -> None:
    finding = faulty.findings[0]
    evil = replace(faulty, findings=[replace(finding, rule=structs.replace(finding.rule, name=f"=1+1|{HOSTILE}"))])
    style = Style(is_terminal=True)
    text = written(evil, form, style)
    assert "\x1b" not in text
    assert "\u202e" not in text
    if form == "csv":
        assert "'=1+1" in text
