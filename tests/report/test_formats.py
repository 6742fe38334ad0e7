"""The table of formats: every renderer is in it, all have one signature, and commands offer what it has."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from tests.cases import case_table

import urlset
from urlset.cli.check import CheckFormat
from urlset.cli.coverage import CoverageFormat
from urlset.cli.inspect import InspectFormat
from urlset.cli.lastmod import DatesFormat
from urlset.cli.outputs import ENDINGS, NAMES, PARQUET
from urlset.cli.pages import PagesFormat
from urlset.cli.robots import RobotsFormat
from urlset.cli.show import Format
from urlset.cli.sql import RowsFormat
from urlset.model.report import Report
from urlset.report.formats import OUTPUTS, Form, render, renderer
from urlset.report.json_outputs import OneOrMore, Output
from urlset.report.style import Style

PACKAGE = Path(urlset.__file__).parent
RENDERER = re.compile(r"^def ([a-z]\w*)\(\w+: .*, style: Style = Style\(\)\) -> Iterator\[str\]:", re.MULTILINE)
RENDERERS = sorted({name for output in OUTPUTS.values() for name in output.formats.values()})

OFFERED: dict[str, set[str]] = {
    "validate": {*Form},
    "audit": {*Form},
    "logs": {*Form},
    "statistics": {Form.TEXT, Form.JSON, Form.JSONL, Form.CSV, Form.MARKDOWN, Form.NONE},
    "check": {*CheckFormat},
    "sql": {*RowsFormat} - {PARQUET},  # no text: the engine writes it
    "urls": {Form.TEXT, Form.JSONL, Form.CSV},
    "redirects": {Form.TEXT, Form.JSONL, Form.CSV},
    "page": {*Format, "llm"},
    "pages": {*PagesFormat},
    "inspect": {*InspectFormat},
    "key": {*Format},
    "monitor": {*Format},
    "key new": {*Format},
    "check --clients": {*CheckFormat},
    "robots": {*RobotsFormat},
    "robots --policy": {*Format},
    "robots --write-policy": {*Format},
    "deploy-check": {*Form, "pr"},
    "agents": {*Format},
    "diff": {*Format, "pr", "llm", "github"},
    "lastmod": {*DatesFormat},
    "coverage": {*CoverageFormat},
    "coverage --clock": {*CoverageFormat},
    "coverage diff": {*Format},
    "coverage import": {*Format},
    "coverage inspect": {*Format},
    "coverage impressions": {*Format},
    "coverage sitemaps": {*Format},
    **{
        command: {*Format}
        for command in (
            "discover",
            "fix",
            "build",
            "notify",
            "history",
            "rules",
            "config",
            "cache",
        )
    },
}
"""What --format of each command takes."""

WITHOUT_FORMAT = {
    "check": {"badge"},
    "explain": {"text"},
    "mcp page": {"llm"},
    "report": {"html"},
}
"""Formats that an option of their own, or the command itself, asks for."""


def model_of(name: str, of_command: str) -> str:
    """Return the type of what a renderer takes: of JSON, the result of the command if it names no other."""
    render = renderer(name)
    match getattr(render, "__self__", None):
        case Output() as output:
            cls = output.of.rpartition(":")[2] or of_command
            return f"Sequence[{cls}]" if output.listed or isinstance(output, OneOrMore) else cls
        case table:
            of = render if table is None else table.of
            return str(next(iter(inspect.signature(of).parameters.values())).annotation)


@case_table("name", RENDERERS)
def test_a_renderer_has_the_one_signature(name: str) -> None:
    render = renderer(name)
    _, style = inspect.signature(render).parameters.values()
    assert (style.name, style.annotation, style.default) == ("style", "Style", Style())
    assert inspect.signature(render).return_annotation == "Iterator[str]"
    assert inspect.isgeneratorfunction(render)


@case_table("command", [*OUTPUTS])
def test_renderers_take_the_class_of_the_table(command: str) -> None:
    output = OUTPUTS[command]
    module, _, name = output.of.partition(":")
    assert getattr(import_module(f"urlset.{module}"), name).__module__ == f"urlset.{module}"
    # These take what a public function returns, and what the command adds to it or streams.
    expected = {"BuildReport": "BuildResult", "QueryReport": "QueryResult"}.get(name, name)
    taken = {model_of(renderer, expected) for renderer in output.formats.values()}
    # The list of pages is a query, too.
    assert taken - ({"QueryResult"} if command == "pages" else set()) == {
        f"Sequence[{expected}]" if output.several else expected
    }


def test_every_renderer_is_in_the_table() -> None:
    functions = {
        f"{'.'.join(path.relative_to(PACKAGE).with_suffix('').parts)}:{name}".removesuffix(":render")
        for path in PACKAGE.rglob("*.py")
        for name in RENDERER.findall(path.read_text(encoding="utf-8"))
    }
    assert functions - {"report.formats"} == {name for name in RENDERERS if "." not in name.partition(":")[2]}


def test_commands_offer_what_the_table_has() -> None:
    in_table = {command: {*output.formats} - WITHOUT_FORMAT.get(command, set()) for command, output in OUTPUTS.items()}
    # The formats of these are those of `validate`; of some they make more.
    for command in ("audit", "logs", "deploy-check"):
        in_table[command] |= {*OUTPUTS["validate"].formats}
    assert {command: forms for command, forms in in_table.items() if forms} == OFFERED


def test_files_have_the_formats_of_validate() -> None:
    assert {*NAMES} == {*OUTPUTS["validate"].formats, PARQUET} - {"none"}
    assert {*ENDINGS.values()} <= {*NAMES}


@pytest.mark.parametrize("form", OUTPUTS["validate"].formats)
def test_a_piece_does_not_end_its_line(form: str, faulty: Report) -> None:
    pieces = render("validate", form, faulty)
    assert isinstance(pieces, Iterator)
    assert [piece for piece in pieces if piece.endswith("\n")] == []


def test_ascii_only_is_what_unicode_is_not() -> None:
    assert Style().ascii_only is False
    assert Style(unicode=False).ascii_only is True
