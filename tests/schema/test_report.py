"""The verdicts of the schemas in every form of the report."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from urlset.model.report import Report
from urlset.model.schema import SchemaFault, SchemaStatus, SchemaVerdict, schema_counts
from urlset.report.formats import Form, render
from urlset.report.json_schema import schema as schema_of

HOSTILE = "Element 'loc': '\x1b[31m\n::error::x </details> `' is no URL"


def document(number: int) -> dict[str, Any]:
    names = ("kind", "entries", "bytes", "wire_bytes", "compression", "encoding", "complete", "well_formed", "sha256")
    values = ("urlset", 1, 9, 9, "none", "UTF-8", True, True, "ab" * 32)
    return {"document_id": number, "url": f"{number}.xml", **dict(zip(names, values, strict=True))}


@pytest.fixture
def report() -> Report:
    verdicts = (
        SchemaVerdict(0, SchemaStatus.VALID),
        SchemaVerdict(1, SchemaStatus.INVALID, (SchemaFault(7, HOSTILE), SchemaFault(None, "second")), 1_204),
        SchemaVerdict(2, SchemaStatus.UNCHECKED, (), 0, "it exceeds the size limit"),
    )
    return Report("0.1.0", [document(n) for n in range(3)], (), schema=verdicts)


@pytest.mark.parametrize("form", [form for form in Form if form is not Form.NONE])
def test_every_form_names_the_documents_that_are_not_valid(form: Form, report: Report) -> None:
    text = "\n".join(render("validate", form, report))
    assert "1.xml" in text
    assert "2.xml" in text
    assert "is no URL" in text
    assert "it exceeds the size limit" in text
    assert "\x1b" not in text
    assert form in (Form.CSV, Form.GITLAB, Form.SARIF, Form.JUNIT) or "\n::error::x" not in text


@pytest.mark.parametrize("form", [Form.TEXT, Form.MARKDOWN, Form.GITHUB])
def test_the_sum_in_words(form: Form, report: Report) -> None:
    wanted = "1 of 3 XML documents valid against the official schemas; 1 could not be validated"
    assert wanted in "\n".join(render("validate", form, report))


def test_json_counts_and_keeps_to_the_published_schema(report: Report) -> None:
    value = json.loads("\n".join(render("validate", Form.JSON, report)))
    Draft202012Validator(schema_of("validate")).validate(value)
    section = value["schema"]
    assert {status: section[status] for status in SchemaStatus} == schema_counts(report.schema or ())
    assert [(one["document"], one["count"]) for one in section["not_valid"]] == [("1.xml", 1_204), ("2.xml", 0)]
    assert value["findings"] == []


def test_the_rest_is_counted_exactly(report: Report) -> None:
    assert "… and 1,202 more" in "\n".join(render("validate", Form.TEXT, report))
    assert sum(finding.count for finding in report.issues) == 1_205
    assert not report.findings
