"""Every renderer of every result escapes the text of others for its format, wherever it shows it.

The renderers are those of `OUTPUTS`, and the texts are in all fields that the types of results have (`samples.py`).
"""

from __future__ import annotations

import csv as csv_reader
import io
import json as json_reader
import re
from collections import Counter
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import lxml.html
import pytest
from lxml import etree
from tests.cases import case_table

from urlset.model.build_result import BuildResult
from urlset.report.formats import OUTPUTS, render
from urlset.report.style import Style

from .samples import Samples

MARK = "Zq9"

HOSTILE = [
    f"\x1b]0;owned\x07\x1b[2J a\nb\r\nc\td\x0b \u202egpj.exe\u2066\u200b\ufeff\u2028{MARK}",
    f"<script>alert('{MARK}')</script><img src=x onerror=alert('{MARK}')>&lt; \" onclick='{MARK}' x=' ]]>-->",
    f'`code` ``more`` | pipe [link](//evil.example) @user #1 quo"te,comma;semi \\|{MARK}\\',
    f"\n::error::{MARK} ##[add-mask]a ##vso[task.setvariable]{MARK}",
    f"=cmd|' /C calc'!A0{MARK}",
    f"+1 {MARK}",
    f"\t@SUM(A1){MARK}",
    f"＝1{MARK}",
    f"\udcff\ud800\ufffe{MARK}",
]


def sample(command: str, text: str, *, is_sparse: bool = False) -> Any:
    """A result of a command, in which each text is this one."""
    output = OUTPUTS[command]
    module, _, name = output.of.partition(":")
    made = Samples(text, is_sparse=is_sparse).of(getattr(import_module(f"urlset.{module}"), name))
    if command == "build":
        made = BuildResult(made)
    return [made] if output.several else made


def pieces(command: str, form: str, text: str, *, is_sparse: bool = False) -> list[str]:
    style = Style(several=True, verbose=True, is_terminal=True)
    return list(render(command, form, sample(command, text, is_sparse=is_sparse), style))


def check_lines(lines: list[str], _: list[str]) -> None:
    for line in lines:
        line.encode()
        assert "".join(line.split("\n")).isprintable(), line


def check_json(lines: list[str], _: list[str]) -> None:
    check_lines(lines, lines)
    json_reader.loads("\n".join(lines))


def check_json_lines(lines: list[str], _: list[str]) -> None:
    check_lines(lines, lines)
    for line in lines:
        json_reader.loads(line)


def check_csv(lines: list[str], _: list[str]) -> None:
    """It has no formula, and as many cells in each row."""
    rows = list(csv_reader.reader(io.StringIO("\n".join(lines), newline="")))
    assert len({len(row) for row in rows}) == 1
    for cell in (cell for row in rows for cell in row):
        assert MARK not in cell or not cell.lstrip().startswith(("=", "+", "-", "@", "\t", "\r", "＝")), cell
        assert cell.isprintable()


def check_markdown(lines: list[str], harmless: list[str]) -> None:
    """It is in code spans as CommonMark finds them: a run of backticks, up to the next run of the same length."""
    check_lines(lines, harmless)
    outside = re.sub(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", "", "\n".join(lines))
    assert MARK not in outside, [line for line in outside.split("\n") if MARK in line]


def check_quoted(lines: list[str], harmless: list[str]) -> None:
    """It is in JSON strings."""
    check_lines(lines, harmless)
    rest = [re.sub(r'"(?:[^"\\]|\\.)*"', "", line) for line in lines]
    assert [line for line in rest if MARK in line] == []


def check_html(lines: list[str], harmless: list[str]) -> None:
    """It makes no element and no attribute."""

    def shape(lines: list[str]) -> Counter[tuple[str, ...]]:
        root = lxml.html.document_fromstring("\n".join(lines).encode("utf-8", "surrogatepass"))
        shown = ((str(element.tag), *sorted(map(str, element.attrib))) for element in root.iter())
        # Places to break a line, and words between backticks.
        return Counter(each for each in shown if each not in {("wbr",), ("code",)})

    assert shape(lines) == shape(harmless)


def check_xml(lines: list[str], harmless: list[str]) -> None:
    def shape(lines: list[str]) -> list[tuple[str, ...]]:
        root = etree.fromstring("\n".join(lines).encode())
        return [(str(element.tag), *sorted(map(str, element.attrib))) for element in root.iter()]

    assert shape(lines) == shape(harmless)


def check_commands(lines: list[str], harmless: list[str]) -> None:
    """It begins no command of a workflow, and ends no property of one."""
    check_lines(lines, harmless)

    def heads(lines: list[str]) -> list[str]:
        return [re.sub(r"=[^,:]*", "", line.partition("::")[2].partition("::")[0]) for line in lines]

    assert [line.split(" ")[0] for line in lines] == [line.split(" ")[0] for line in harmless]
    assert [head.split(",")[0] for head in heads(lines)] == [head.split(",")[0] for head in heads(harmless)]


CHECKS: dict[str, Callable[[list[str], list[str]], None]] = {
    **dict.fromkeys(("text", "concise", "table", "none"), check_lines),
    **dict.fromkeys(("json", "sarif", "gitlab"), check_json),
    **dict.fromkeys(("markdown", "pr"), check_markdown),
    **dict.fromkeys(("junit", "badge"), check_xml),
    "jsonl": check_json_lines,
    "csv": check_csv,
    "llm": check_quoted,
    "html": check_html,
    "github": check_commands,
}
"""What escaping means in each format: called with the output for a hostile text, and for a harmless one."""


def cases() -> Iterator[tuple[str, str]]:
    yield from ((command, form) for command, output in OUTPUTS.items() for form in output.formats)


def test_each_format_has_a_check() -> None:
    assert {form for _, form in cases()} == {*CHECKS}


@case_table("command, form", cases)
@pytest.mark.parametrize("is_sparse", [False, True])
def test_the_text_of_others_is_escaped(command: str, form: str, is_sparse: bool) -> None:
    harmless = pieces(command, form, MARK, is_sparse=is_sparse)
    for text in HOSTILE:
        CHECKS[form](pieces(command, form, text, is_sparse=is_sparse), harmless)
