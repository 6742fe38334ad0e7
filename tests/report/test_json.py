"""The JSON reports: held to their schemas and to goldens."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator, ValidationError

from urlset.report.json_outputs import INSPECT, VALIDATE
from urlset.report.json_schema import schema as schema_of
from urlset.report.style import Style

if TYPE_CHECKING:
    from urlset.model.document import InspectReport
    from urlset.model.report import Report

Golden = Callable[[str, Iterable[str] | str], None]


def written(pieces: Iterable[str]) -> str:
    return "\n".join(pieces)


def schema(name: str) -> Draft202012Validator:
    return Draft202012Validator(schema_of(name))


def test_validate(faulty: Report, golden: Golden) -> None:
    text = written(VALIDATE.json(faulty))
    schema("validate").validate(json.loads(text))
    golden("faulty.json", text + "\n")


def test_validate_when_clean(clean: Report) -> None:
    report = json.loads(written(VALIDATE.json(clean)))
    schema("validate").validate(report)
    assert report["summary"] == {"errors": 0, "warnings": 0, "infos": 0, "documents": 1, "urls": 1}
    assert report["findings"] == report["unreadable"] == []


def test_inspect(inspected: InspectReport, golden: Golden) -> None:
    text = written(INSPECT.json(inspected))
    schema("inspect").validate(json.loads(text))
    golden("inspect.json", text + "\n")


@pytest.mark.parametrize("ascii_only", [False, True])
def test_text_from_outside_survives_and_steers_nothing(hostile: Report, ascii_only: bool) -> None:
    text = written(VALIDATE.json(hostile, Style(unicode=not ascii_only)))
    assert all(line.isprintable() for line in text.split("\n"))
    example = json.loads(text)["findings"][0]["examples"][0]
    assert example["value"] == "\x1b]0;owned\x07\n\u202eevil"


@pytest.mark.parametrize(
    "change",
    [
        lambda report: report.update(version=2),
        lambda report: report.update(extra=1),
        lambda report: report.pop("summary"),
        lambda report: report["findings"][0].update(count=0),
        lambda report: report["findings"][0].update(severity="fatal"),
        lambda report: report["findings"][0]["examples"][0].update(line=0),
        lambda report: report["documents"][0].pop("complete"),
    ],
)
def test_the_schema_is_strict(faulty: Report, change: Callable[[Any], Any]) -> None:
    report = json.loads(written(VALIDATE.json(faulty)))
    change(report)
    with pytest.raises(ValidationError):
        schema("validate").validate(report)
