"""Every form of the report: held to goldens that a person can read, and to the model's numbers."""

from __future__ import annotations

import csv as csv_reader
import io
import json as json_reader
import re
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from lxml import etree
from msgspec import structs
from msgspec.structs import replace

from urlset.errors import Unreadable
from urlset.model.report import Report
from urlset.options import FailOn
from urlset.report import formats
from urlset.report.formats import Form
from urlset.report.style import Style
from urlset.rules.rule import Severity

from .conftest import FINDINGS

Golden = Callable[[str, Iterable[str] | str], None]

GOLDENS = {
    Form.JSONL: "faulty.jsonl",
    Form.CSV: "faulty.csv",
    Form.MARKDOWN: "faulty.md",
    Form.SARIF: "faulty.sarif",
    Form.JUNIT: "faulty.junit.xml",
    Form.GITHUB: "faulty.github.txt",
    Form.GITLAB: "faulty.gitlab.json",
}


def written(report: Report, form: Form, **options: Any) -> str:
    return "".join(f"{piece}\n" for piece in formats.render("validate", form, report, Style(**options)))


@pytest.mark.parametrize(("form", "name"), GOLDENS.items())
def test_goldens(form: Form, name: str, faulty: Report, golden: Golden) -> None:
    golden(name, written(faulty, form).replace("\r\n", "\n"))


@pytest.mark.parametrize("form", Form)
def test_a_clean_report_is_said_to_be_clean(form: Form, clean: Report) -> None:
    text = written(clean, form)
    assert "LOC" not in text
    assert text or form in (Form.CONCISE, Form.NONE)


# The same numbers everywhere. Each function draws from one form, for each rule and document, how often it is broken.

Counts = dict[tuple[str, str], int]


def in_json(text: str) -> Counts:
    return {(f["code"], f["document"]): f["count"] for f in json_reader.loads(text)["findings"]}


def in_jsonl(text: str) -> Counts:
    lines = map(json_reader.loads, text.splitlines())
    return {(f["code"], f["document"]): f["count"] for f in lines if f["type"] == "finding"}


def in_csv(text: str) -> Counts:
    rows = csv_reader.DictReader(io.StringIO(text, newline=""))
    return {(row["code"], row["document"]): int(row["count"]) for row in rows if int(row["example"]) <= 1}


def in_sarif(text: str) -> Counts:
    (run,) = json_reader.loads(text)["runs"]
    return {
        (r["ruleId"], r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]): r["occurrenceCount"]
        for r in run["results"]
    }


def occurrences(words: str) -> int:
    number, noun = words.split()
    assert noun == ("occurrence" if number == "1" else "occurrences")
    return int(number.replace(",", ""))


def in_junit(text: str) -> Counts:
    counts = {}
    for case in etree.fromstring(text.encode()).iter("testcase"):
        for result in (*case.iter("failure"), *case.iter("skipped")):
            code, document = str(case.attrib["name"]).split()[0], str(case.attrib["classname"])
            counts[code, document] = occurrences(str(result.attrib["message"]).rpartition("(")[2].rstrip(")"))
    return counts


def in_gitlab(text: str) -> Counts:
    counts: Counts = {}
    for issue in json_reader.loads(text):
        key = (issue["check_name"], issue["location"]["path"])
        more = re.search(r"\(and ([\d,]+) more\)$", issue["description"])
        counts[key] = counts.get(key, 0) + 1 + (int(more[1].replace(",", "")) if more else 0)
    return counts


def in_concise(text: str) -> Counts:
    counts: Counts = {}
    for line in text.splitlines():
        found = re.match(r"(.+?)(?::\d+:\d+)?: ([A-Z]{3}\d{3}) .*?(?: \(and ([\d,]+) more\))?$", line)
        assert found
        more = int(found[3].replace(",", "")) if found[3] else 0
        counts[found[2], found[1]] = counts.get((found[2], found[1]), 0) + 1 + more
    return counts


def in_github(text: str) -> Counts:
    """Only the first annotation of a finding says how many places there are, and only if not all are annotated."""
    counts: Counts = {}
    stated = set()
    for line in text.splitlines():
        if found := re.match(r"::\w+ (?:file=([^,]+),)?title=(\w+) [^:]*::(.*)%0A", line):
            document = found[1] or re.sub(r":\d+$", "", found[3].partition(": ")[0])
            often = re.search(r"\(([^()]+ occurrences)\)$", found[3])
            key = (found[2], document)
            if often:
                stated.add(key)
                counts[key] = occurrences(often[1])
            elif key not in stated:
                counts[key] = counts.get(key, 0) + 1
    return counts


@pytest.mark.parametrize(
    ("form", "counts_in"),
    [
        (Form.JSON, in_json),
        (Form.JSONL, in_jsonl),
        (Form.CSV, in_csv),
        (Form.SARIF, in_sarif),
        (Form.JUNIT, in_junit),
        (Form.GITLAB, in_gitlab),
        (Form.CONCISE, in_concise),
        (Form.GITHUB, in_github),
    ],
)
def test_the_same_numbers_everywhere(form: Form, counts_in: Callable[[str], Counts], faulty: Report) -> None:
    expected = {(f.rule.code, faulty.document_url(f.document_id)): f.count for f in faulty.findings}
    assert counts_in(written(faulty, form)) == expected


@pytest.mark.parametrize("form", [Form.TEXT, Form.MARKDOWN, Form.GITHUB])
def test_the_same_sums_in_words(form: Form, faulty: Report) -> None:
    text = written(faulty, form)
    for severity, tally in faulty.summary.tallies.items():
        if tally.findings:
            assert re.search(rf"\b{tally.findings:,} {severity.value}s?\b", text)


def test_places_by_rule_in_the_table_of_markdown(faulty: Report) -> None:
    table = r"^\| \w+ \| (\w+) [^|]*\|[^|]*\|[^|]*\| ([\d,]+) \| ([\d,]+) \|$"
    rows = re.findall(table, written(faulty, Form.MARKDOWN), re.M)
    expected = {
        code: (
            sum(f.rule.code == code for f in faulty.findings),
            sum(f.count for f in faulty.findings if f.rule.code == code),
        )
        for code in {f.rule.code for f in faulty.findings}
    }
    numbers = {code: (int(documents), int(places.replace(",", ""))) for code, documents, places in rows}
    assert numbers == expected


@pytest.mark.parametrize("form", [Form.JSON, Form.JSONL, Form.CSV, Form.SARIF, Form.JUNIT, Form.GITLAB, Form.GITHUB])
def test_findings_without_examples_are_not_lost(form: Form, faulty: Report) -> None:
    bare = replace(faulty, findings=[replace(finding, examples=()) for finding in faulty.findings])
    text = written(bare, form)
    assert set(re.findall(r"\b(?:LOC|MOD|XML|ENC)00\d\b", text)) == {f.rule.code for f in faulty.findings}


def test_junit_draws_the_line_at_fail_on(faulty: Report) -> None:
    for fail_on, failures in ((FailOn.ERROR, 2), (FailOn.WARNING, 4), (FailOn.INFO, 4), (FailOn.NEVER, 0)):
        root = etree.fromstring(written(faulty, Form.JUNIT, fail_on=fail_on).encode())
        assert root.attrib["failures"] == str(failures)
        assert len(list(root.iter("failure"))) == failures
        assert len(list(root.iter("skipped"))) == len(faulty.findings) - failures
        assert len(list(root.iter("testcase"))) == int(root.attrib["tests"])


def test_github_shows_ten_of_a_kind_and_sums_up(faulty: Report) -> None:
    error, hint = faulty.findings[0], faulty.findings[-1]
    many = [replace(error, rule=structs.replace(error.rule, code=f"LOC{n:03}")) for n in range(1, 15)]
    report = replace(faulty, findings=[*many, hint], unreadable=[Unreadable("a.xml", "no such file")] * 3)
    lines = written(report, Form.GITHUB).splitlines()
    kinds = [line.split(" ")[0] for line in lines]
    assert kinds.count("::error") == 10
    assert kinds.count("::notice") == 1
    assert lines[-1].startswith("urlset: 14 errors (28 places), 1 hint in 3 documents, 3 targets unreadable")
    assert "; 7 not annotated (LOC008, LOC009, LOC010, LOC011, LOC012, LOC013, LOC014), as GitHub" in lines[-1]


def test_github_shows_places_in_turn_and_causes_first(faulty: Report) -> None:
    first, second = (finding for finding in faulty.findings if finding.rule.code == "MOD002")
    report = replace(faulty, findings=[first, second], unreadable=[])
    shown = [line for line in written(report, Form.GITHUB).splitlines() if line.startswith("::warning")]
    assert len(shown) == min(10, len(first.examples) + len(second.examples)) > 2
    # All places of the second one are annotated.
    assert len(second.examples) == second.count
    assert sum(" occurrences)" in line for line in shown) == 1


def test_markdown_fits_in_a_comment(faulty: Report) -> None:
    finding = FINDINGS[0]
    many = [replace(finding, rule=structs.replace(finding.rule, code=f"LOC{n:03}")) for n in range(200)]
    text = written(replace(faulty, findings=many), Form.MARKDOWN)
    assert 40_000 < len(text) < 65_536
    left = re.search(r"_(\d+) more findings not shown because", text)
    assert left
    assert text.count("<details>") + int(left[1]) == 200


def test_gitlab_names_every_issue_differently(faulty: Report) -> None:
    finding = faulty.findings[0]
    twice = replace(finding, examples=(finding.examples[0], finding.examples[0]))
    issues = json_reader.loads(written(replace(faulty, findings=[twice]), Form.GITLAB))
    assert len({issue["fingerprint"] for issue in issues}) == 2
    assert {issue["severity"] for issue in issues} <= {"info", "minor", "major", "critical", "blocker"}


def test_severities_of_hints_and_infos(faulty: Report) -> None:
    finding = faulty.findings[-1]
    info = replace(finding, rule=structs.replace(finding.rule, code="ENC006", severity=Severity.INFO))
    report = replace(faulty, findings=[finding, info])
    results = json_reader.loads(written(report, Form.SARIF))["runs"][0]["results"]
    assert [(r["ruleId"], r["kind"], r["level"]) for r in results] == [
        ("ENC006", "fail", "note"),
        ("ENC005", "informational", "none"),
    ]
    assert [line.split(" ")[0] for line in written(report, Form.GITHUB).splitlines()[1:-1]] == ["::notice"] * 2
