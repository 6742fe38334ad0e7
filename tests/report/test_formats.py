"""The table of formats: every renderer is in it, all have one signature, and commands offer what it has."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
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
from urlset.cli.show import Format
from urlset.cli.sql import RowsFormat
from urlset.model.report import Report
from urlset.report.formats import FORMATS, RESULTS, SEVERAL, Form, render, renderer
from urlset.report.json_objects import OneOrMore, Output
from urlset.report.style import Style

PACKAGE = Path(urlset.__file__).parent
RENDERER = re.compile(r"^def ([a-z]\w*)\(\w+: .*, style: Style = Style\(\)\) -> Iterator\[str\]:", re.MULTILINE)
RENDERERS = sorted({name for forms in FORMATS.values() for name in forms.values()})

OFFERED: dict[str, set[str]] = {
    "validate": {*Form},
    "audit": {*Form},
    "logs": {*Form},
    "statistics": {Form.TEXT, Form.JSON, Form.JSONL, Form.CSV, Form.MARKDOWN, Form.NONE},
    "check": {*CheckFormat},
    "sql": {*RowsFormat} - {PARQUET},  # no text: the engine writes it
    "urls": {Form.TEXT, Form.JSONL, Form.CSV},
    "redirects": {Form.TEXT, Form.JSONL, Form.CSV},
    "page": {*Format},
    "pages": {*PagesFormat},
    "inspect": {*InspectFormat},
    "key": {*Format},
    "monitor": {*Format},
    "key new": {*Format},
    "check --clients": {*CheckFormat},
    "robots --policy": {*Format},
    "agents": {*Format},
    "diff": {*Format, "pr", "llm"},
    "lastmod": {*DatesFormat},
    "coverage": {*CoverageFormat},
    "coverage import": {*Format},
    "coverage inspect": {*Format},
    "coverage sitemaps": {*Format},
    **{
        command: {*Format}
        for command in (
            "discover",
            "robots",
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

WITHOUT_FORMAT = {"check": {"badge"}, "mcp page": {"llm"}, "report": {"html"}}
"""Formats that an option of their own, or the command itself, asks for."""


def model_of(name: str) -> str:
    """Return the type of what a renderer takes."""
    render = renderer(name)
    match getattr(render, "__self__", None):
        case Output() as output:
            cls = output.of.rpartition(".")[2]
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


def test_renderers_of_one_command_take_the_same() -> None:
    for command, forms in FORMATS.items():
        models = {model_of(name) for name in forms.values()}
        assert len(models - {"QueryResult"}) <= 1, command


def test_results_are_what_renderers_take() -> None:
    for result, command in RESULTS.items():
        taken = {"build": "BuildResult", "sql": "QueryResult"}.get(command, result)
        expected = f"Sequence[{taken}]" if command in SEVERAL else taken
        assert {model_of(name) for name in FORMATS[command].values()} == {expected}, result


def test_every_renderer_is_in_the_table() -> None:
    functions = {
        f"{'.'.join(path.relative_to(PACKAGE).with_suffix('').parts)}:{name}".removesuffix(":render")
        for path in PACKAGE.rglob("*.py")
        for name in RENDERER.findall(path.read_text(encoding="utf-8"))
    }
    assert functions - {"report.formats"} == {name for name in RENDERERS if "." not in name.partition(":")[2]}


def test_commands_offer_what_the_table_has() -> None:
    in_table = {command: {*forms} - WITHOUT_FORMAT.get(command, set()) for command, forms in FORMATS.items()}
    # The formats of these are those of `validate`; of some they make more.
    for command in ("audit", "logs"):
        in_table[command] |= {*FORMATS["validate"]}
    assert {command: forms for command, forms in in_table.items() if forms} == OFFERED


def test_files_have_the_formats_of_validate() -> None:
    assert {*NAMES} == {*FORMATS["validate"], PARQUET} - {"none"}
    assert {*ENDINGS.values()} <= {*NAMES}


@pytest.mark.parametrize("form", FORMATS["validate"])
def test_a_piece_does_not_end_its_line(form: str, faulty: Report) -> None:
    pieces = render("validate", form, faulty)
    assert isinstance(pieces, Iterator)
    assert [piece for piece in pieces if piece.endswith("\n")] == []


def test_ascii_only_is_what_unicode_is_not() -> None:
    assert Style().ascii_only is False
    assert Style(unicode=False).ascii_only is True
