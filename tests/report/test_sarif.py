"""SARIF: held to the published schema, to the parts of the standard that it uses and no others, and to GitHub."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator, validators
from msgspec import structs
from msgspec.structs import replace

from urlset.errors import Unreadable
from urlset.model.finding import Example, Finding
from urlset.model.report import Report
from urlset.report import sarif
from urlset.report.locate import artifact_uri
from urlset.rules import registry
from urlset.rules.explanation import page

from .conftest import TOO_LONG, document, published_schema


def a(properties: dict[str, Any], *optional: str) -> dict[str, Any]:
    """An object with these properties and no others, all of them required but for the optional ones."""
    required = [name for name in properties if name not in optional]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


LEVEL = {"enum": ["none", "note", "warning", "error"]}
TEXT = {"type": "string", "minLength": 1}
MESSAGE = a({"text": TEXT, "markdown": TEXT}, "markdown")
LOCATION = a(
    {
        # 3.29, 3.4: a location has a URI reference, relative to a base that is declared.
        "physicalLocation": a(
            {
                "artifactLocation": a({"uri": {"type": "string"}, "uriBaseId": {"const": sarif.BASE}}, "uriBaseId"),
                # 3.30: lines and columns count from 1, and a column needs a line.
                "region": a(
                    {
                        "startLine": {"type": "integer", "minimum": 1},
                        "startColumn": {"type": "integer", "minimum": 1},
                    },
                    "startColumn",
                ),
            },
            "region",
        ),
        "message": MESSAGE,
        "properties": {"type": "object"},
    },
    "message",
    "properties",
)
RULE = a(
    {
        "id": TEXT,  # 3.49.3
        "name": TEXT,
        "shortDescription": MESSAGE,
        "fullDescription": MESSAGE,
        "help": MESSAGE,
        "helpUri": {"type": "string", "pattern": "^https?://"},  # 3.49.12
        "defaultConfiguration": a({"level": LEVEL}),
        "properties": {
            "type": "object",
            "properties": {"tags": {"type": "array", "uniqueItems": True, "maxItems": 20}},
            "required": ["tags"],
        },
    },
    "helpUri",
)
RESULT = a(
    {
        "ruleId": TEXT,  # 3.27.5
        "ruleIndex": {"type": "integer", "minimum": 0},  # 3.27.6
        "kind": {"enum": ["fail", "informational"]},  # 3.27.9
        "level": LEVEL,  # 3.27.10
        "message": MESSAGE,
        "locations": {"type": "array", "items": LOCATION, "minItems": 1, "maxItems": 1_000},
        "occurrenceCount": {"type": "integer", "minimum": 1},
        "partialFingerprints": {"type": "object", "additionalProperties": TEXT, "minProperties": 1},  # 3.27.17
    }
)
RUN = a(
    {
        "tool": a({"driver": a({"name": TEXT, "version": TEXT, "rules": {"type": "array", "items": RULE}})}),
        "originalUriBaseIds": a({sarif.BASE: a({"description": MESSAGE})}),  # 3.14.14
        "columnKind": {"const": "unicodeCodePoints"},  # 3.14.17
        "invocations": {
            "type": "array",
            "items": a(
                {
                    "executionSuccessful": {"type": "boolean"},  # 3.20.14
                    "toolExecutionNotifications": {"type": "array", "items": a({"level": LEVEL, "message": MESSAGE})},
                }
            ),
        },
        "results": {"type": "array", "items": RESULT, "maxItems": 5_000},
    }
)
PARTS = Draft202012Validator(
    a(
        {
            "$schema": {"type": "string"},
            "version": {"const": "2.1.0"},  # 3.13.2
            "runs": {"type": "array", "items": RUN, "minItems": 1, "maxItems": 1},
        }
    )
)


def crowded(findings: int, examples: int) -> Report:
    places = tuple(Example(n, n + 1, 1, f"https://example.com/{n}", "loc", "x", "loc is long") for n in range(examples))
    rows = [document(n, f"{n}.xml") for n in range(findings)]
    return Report("0.1.0", rows, [Finding(TOO_LONG, n, 2_000, places) for n in range(findings)])


@pytest.fixture(name="reports")
def reports_fixture(faulty: Report, hostile: Report, clean: Report) -> list[Report]:
    bare = replace(faulty, findings=[replace(finding, examples=()) for finding in faulty.findings])
    return [faulty, hostile, clean, bare, crowded(1, 1_200)]


def test_parts_of_the_standard(reports: list[Report]) -> None:
    for report in reports:
        PARTS.validate(json.loads("".join(sarif.render(report))))


def test_published_schema(reports: list[Report]) -> None:
    schema = json.loads(published_schema("sarif-schema-2.1.0.json").read_text(encoding="utf-8"))
    validator = validators.validator_for(schema)(schema)
    for report in reports:
        validator.validate(json.loads("".join(sarif.render(report))))
    spoilt = json.loads("".join(sarif.render(reports[0])))
    spoilt["runs"][0]["results"][0]["level"] = "fatal"
    assert not validator.is_valid(spoilt)


def run_of(report: Report) -> Any:
    (run,) = json.loads("".join(sarif.render(report)))["runs"]
    return run


def test_results_point_at_their_rules(faulty: Report) -> None:
    run = run_of(faulty)
    rules = run["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        # 3.27.10: only what failed has a level.
        assert (result["kind"] == "fail") is (result["level"] != "none")


def test_rules_carry_their_pages(faulty: Report) -> None:
    for rule in registry.all_rules():
        finding = Finding(rule, 0, 1, ())
        (descriptor,) = run_of(replace(faulty, findings=[finding]))["tool"]["driver"]["rules"]
        assert descriptor["help"]["markdown"] == page(rule)
        assert len(descriptor["fullDescription"]["text"]) <= 1_024


def test_a_rule_without_a_page_has_its_message_and_fix(faulty: Report) -> None:
    rule = structs.replace(TOO_LONG, code="SHOP001", message="No <b>shop</b>", sources=("urlset",))
    (descriptor,) = run_of(replace(faulty, findings=[Finding(rule, 0, 1, ())]))["tool"]["driver"]["rules"]
    assert descriptor["help"]["markdown"].startswith("No \\<b\\>shop\\</b\\>\n")
    assert "helpUri" not in descriptor


def test_what_is_cut_is_said() -> None:
    run = run_of(crowded(5_003, 1))
    assert len(run["results"]) == 5_000
    notices = [notice["message"]["text"] for notice in run["invocations"][0]["toolExecutionNotifications"]]
    assert notices == ["Omitted the 3 least severe findings; GitHub shows 5,000 per run."]
    run = run_of(crowded(2, 1_001))
    assert [len(result["locations"]) for result in run["results"]] == [1_000, 1_000]
    notices = [notice["message"]["text"] for notice in run["invocations"][0]["toolExecutionNotifications"]]
    assert notices == ["Limited 2 results to 1,000 locations, the most that GitHub accepts."]


def test_unreadable_targets_are_notices(faulty: Report) -> None:
    many = replace(faulty, unreadable=[Unreadable(f"{n}.xml", "no such file") for n in range(1_002)])
    (invocation,) = run_of(many)["invocations"]
    assert invocation["executionSuccessful"] is False
    assert len(invocation["toolExecutionNotifications"]) == 1_001


def test_fingerprints_outlive_moves_and_counts(faulty: Report) -> None:
    def names(report: Report) -> list[Any]:
        return [result["partialFingerprints"] for result in run_of(report)["results"]]

    moved = [
        replace(f, count=f.count + 5, examples=tuple(replace(e, line=(e.line or 1) + 7) for e in f.examples))
        for f in faulty.findings
    ]
    assert names(replace(faulty, findings=moved)) == names(faulty)
    assert len({name["primaryLocationLineHash"] for name in names(faulty)}) == len(faulty.findings)


def test_uris(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    here = tmp_path / "public" / "a b#é.xml"
    assert artifact_uri("public/a b#é.xml") == ("public/a%20b%23%C3%A9.xml", True)
    assert artifact_uri(str(here)) == ("public/a%20b%23%C3%A9.xml", True)
    assert artifact_uri("./x/../a:b.xml") == ("a%3Ab.xml", True)
    assert artifact_uri("caf\udce9.xml") == ("caf%E9.xml", True)
    assert artifact_uri("<stdin>") == ("%3Cstdin%3E", True)
    assert artifact_uri("https://example.com/é?a=1&b=%zz%20 <") == (
        "https://example.com/%C3%A9?a=1&b=%25zz%20%20%3C",
        False,
    )
    uri, is_relative = artifact_uri("../out.xml")
    assert not is_relative
    assert uri == (tmp_path.parent / "out.xml").as_uri()
