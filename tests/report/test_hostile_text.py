"""What strangers write, in every form of the report: it neither acts, nor hides, nor breaks the form."""

from __future__ import annotations

import csv as csv_reader
import io
import json as json_reader
import re

import pytest
from lxml import etree
from msgspec.structs import replace
from tests.cases import case_table

from urlset.errors import Unreadable
from urlset.model.document import SkippedFile
from urlset.model.finding import Example, Finding
from urlset.model.report import Report
from urlset.report import formats
from urlset.report.formats import Form
from urlset.report.style import Style

from .conftest import NO_TIMEZONE, document

HOSTILE = [
    "\x1b]0;owned\x07\x1b[2J",
    "a\nb\r\nc\td\x00\x0b",
    "\u202egpj.exe\u2066\u200b\ufeff",
    "<script>alert(1)</script><img src=x onerror=alert(1)>&lt;",
    "::error::forged",
    "\n::set-output name=x::y",
    "##[add-mask]a ##vso[task.setvariable]",
    "]]>-->",
    "=cmd|' /C calc'!A0",
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "  =1",
    "＝1",
    'quo"te,comma;semi',
    "`code` ``more`` | pipe [link](https://evil.example) @user #1 https://evil.example www.evil.example",
    "{0} {{1}} %0A %3A % ,",
    "https://example.com/?q=" + "a" * 5_000,
    "\udcff\ud800",
    "\ufffe\uffff\U0001ffff",
    "",
    " ",
    "\\|",
]

STRICT = [Form.JSON, Form.JSONL, Form.CSV, Form.SARIF, Form.JUNIT, Form.GITLAB]


def report_of(text: str) -> Report:
    example = Example(0, 1, 2, text, "lastmod", text, f"{text} is wrong")
    begins = replace(example, message=text)
    finding = Finding(NO_TIMEZONE, 0, 5, (example, begins))
    return Report(
        "0.1.0",
        [document(0, f"{text}.xml")],
        [finding],
        [Unreadable(text, text)],
        [SkippedFile(f"{text}.txt", "unknown")],
    )


def written(text: str, form: Form, *, ascii_only: bool = False) -> str:
    return "".join(
        f"{piece}\n" for piece in formats.render("validate", form, report_of(text), Style(unicode=not ascii_only))
    )


@case_table("hostile", HOSTILE)
@pytest.mark.parametrize("form", Form)
def test_every_line_is_printable_and_can_be_encoded(form: Form, hostile: str) -> None:
    text = written(hostile, form)
    text.encode("utf-8")
    lines = (text.replace("\r\n", "\n") if form is Form.CSV else text).split("\n")
    assert [line for line in lines if not line.isprintable()] == []


@case_table("hostile", HOSTILE)
@pytest.mark.parametrize("form", STRICT)
def test_what_is_ascii_is_ascii(form: Form, hostile: str) -> None:
    assert written(hostile, form, ascii_only=True).isascii()


@case_table("hostile", HOSTILE)
@pytest.mark.parametrize("form", [Form.JSON, Form.SARIF, Form.GITLAB, Form.JSONL])
def test_json_reads_back(form: Form, hostile: str) -> None:
    text = written(hostile, form)
    lines = text.splitlines() if form is Form.JSONL else [text]
    values = [json_reader.loads(line) for line in lines]
    if form is Form.JSONL:
        assert [value["type"] for value in values] == ["document", "unreadable", "skipped", "finding", "summary"]
        assert values[3]["examples"][0]["value"] == hostile


@case_table("hostile", HOSTILE)
def test_junit_is_well_formed_and_has_no_other_elements(hostile: str) -> None:
    root = etree.fromstring(written(hostile, Form.JUNIT).encode())
    names = {str(element.tag) for element in root.iter()}
    assert names == {"testsuites", "testsuite", "testcase", "skipped", "system-out", "error"}


@case_table("hostile", HOSTILE)
def test_csv_holds_no_formula(hostile: str) -> None:
    rows = list(csv_reader.reader(io.StringIO(written(hostile, Form.CSV), newline="")))
    assert len(rows) == 3
    assert {len(row) for row in rows} == {len(rows[0])}
    cells = [cell for row in rows for cell in row]
    assert [cell for cell in cells if cell.lstrip().startswith(("=", "+", "-", "@", "\t", "\r", "＝"))] == []


@case_table("hostile", HOSTILE)
def test_github_obeys_our_commands_alone(hostile: str) -> None:
    lines = written(hostile, Form.GITHUB).splitlines()
    assert [line.split(" ")[0] for line in lines] == ["::error", "::warning", "::warning", "urlset:"]
    for line in lines[1:3]:
        # One command has one head: properties hold neither a colon nor a comma of their own.
        head = re.match(r"::warning ([^:]*)::", line)
        assert head
        names = [part.split("=")[0] for part in head[1].split(",")]
        # A URL is no file of the repository.
        assert names == (["title"] if hostile.startswith("https://") else ["file", "title", "line", "col"])
    for line in lines:
        assert re.search("%(?!25|0A|0D|3A|2C)", line) is None


@case_table("hostile", HOSTILE)
def test_markdown_keeps_it_in_code_spans(hostile: str) -> None:
    text = written(hostile, Form.MARKDOWN)
    # Code spans as CommonMark finds them: a run of backticks, up to the next run of the same length.
    outside = re.sub(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", "", text)
    for sign in ("evil", "alert", "::error", "@user", "##[", "=cmd", "]]>"):
        assert sign not in outside
    assert set(re.findall("<[^>]*>", outside)) == {"<details>", "<summary>", "</summary>", "</details>"}
    assert max(map(len, text.splitlines())) < 1_000


@case_table("hostile", HOSTILE)
def test_sarif_has_no_links_no_placeholders_and_valid_uris(hostile: str) -> None:
    (run,) = json_reader.loads(written(hostile, Form.SARIF))["runs"]
    (result,) = run["results"]
    texts = [result["message"]["text"], *(place["message"]["text"] for place in result["locations"])]
    texts += [notice["message"]["text"] for notice in run["invocations"][0]["toolExecutionNotifications"]]
    for text in texts:
        assert re.search(r"(?<!\\)\[[^\]]*\]\(", text) is None
        assert re.search(r"(?<!{)(?:{{)*{(?!{)", text) is None
        assert len(text) <= 2_000
    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert re.fullmatch(r"(?:[A-Za-z0-9._~/-]|:(?=//)|(?<=/)\?q=|%[0-9A-F]{2})+", uri)
