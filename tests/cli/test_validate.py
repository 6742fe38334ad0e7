"""`urlset validate`: options reach the pipeline, its report is shown, and the exit code says how it ended."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import urlset
from urlset.engine.rule_sql import EngineError
from urlset.errors import InputError, Unreadable, UsageError
from urlset.model.finding import Finding
from urlset.options.reporting import FailOn
from urlset.options.verbs import ValidateOptions
from urlset.report.formats import OUTPUTS, Form
from urlset.rules.rule import Severity

Cli = Callable[..., Any]
MakeFinding = Callable[..., Finding]


def test_options_reach_the_pipeline(cli: Cli, pipeline: Any) -> None:
    rules = ("--select", "LOC,xml001", "--select", "DUP", "--ignore", "loc003", "--fail-on", "warning")
    cli("validate", "a.xml", "-", *rules, "--max-examples", "3", "--max-document-bytes", "1000", "--timeout", "2.5")
    assert pipeline.targets == ["a.xml", "-"]
    assert pipeline.asked(ValidateOptions) == ValidateOptions(
        select=("LOC", "XML001", "DUP"),
        ignore=("LOC003",),
        max_examples=3,
        max_document_bytes=1000,
        timeout=2.5,
    )
    assert pipeline.options.fail_on is FailOn.WARNING


def test_defaults_are_those_of_the_options(cli: Cli, pipeline: Any) -> None:
    cli("validate", "a.xml")
    assert pipeline.asked(ValidateOptions) == ValidateOptions()
    assert pipeline.options.fail_on is FailOn.ERROR


def test_text_is_the_default(cli: Cli, pipeline: Any, make_finding: MakeFinding) -> None:
    pipeline.findings = [make_finding()]
    done = cli("validate", "sitemap.xml")
    assert done.out.splitlines()[:3] == [
        "error[TST001] test-rule: Something is wrong",
        "  sitemap.xml:3:10: wrong é …",
        "      https://example.com/é",
    ]
    assert "Found 1 error in 1 document (1 URL)." in done.out
    assert done.err == ""


def test_concise(cli: Cli, pipeline: Any, make_finding: MakeFinding) -> None:
    pipeline.findings = [make_finding()]
    done = cli("validate", "sitemap.xml", "--format", "concise")
    assert done.out == "sitemap.xml:3:10: TST001 test-rule wrong é …\n"


def test_json(cli: Cli, pipeline: Any, make_finding: MakeFinding, gone: Unreadable) -> None:
    pipeline.findings, pipeline.unreadable = [make_finding()], [gone]
    report = json.loads(cli("validate", "sitemap.xml", "--format", "json").out)
    assert report["summary"]["errors"] == 1
    assert report["findings"][0]["examples"][0]["value"] == "é"
    assert report["unreadable"] == [{"target": "gone.xml", "reason": "no such file"}]


@pytest.mark.parametrize("form", [*Form])
def test_every_format(form: str, cli: Cli, pipeline: Any, make_finding: MakeFinding) -> None:
    pipeline.findings = [make_finding()]
    done = cli("validate", "sitemap.xml", "--format", form)
    assert done.code == 1
    assert done.err == ""
    assert ("TST001" in done.out) is (form != "none")


@pytest.mark.parametrize(
    ("written", "words"), [("jso", "did you mean 'json'?"), ("?", "must be one of text, concise, json,")]
)
def test_an_unknown_format_is_said(written: str, words: str, cli: Cli, pipeline: Any) -> None:
    done = cli("validate", "sitemap.xml", "--format", written)
    assert done.code == 2
    assert words in done.err


def test_outputs_beside_standard_output(cli: Cli, pipeline: Any, make_finding: MakeFinding, tmp_path: Path) -> None:
    pipeline.findings = [make_finding(Severity.WARNING)]
    outputs = (
        "--output",
        f"{tmp_path}/a.sarif",
        "--output",
        f"junit:{tmp_path}/b",
        "--output",
        f"{tmp_path}/c.parquet",
    )
    done = cli("validate", "sitemap.xml", "--format", "concise", "--fail-on", "warning", *outputs)
    assert done.code == 1
    assert done.out == "sitemap.xml:3:10: TST001 test-rule wrong é …\n"
    assert json.loads((tmp_path / "a.sarif").read_text(encoding="utf-8"))["version"] == "2.1.0"
    assert "<failure" in (tmp_path / "b").read_text(encoding="utf-8")
    assert (tmp_path / "c.parquet").read_bytes().startswith(b"PAR1")


@pytest.mark.parametrize(("output", "code"), [("report.png", 2), ("no/such/folder/a.csv", 3)])
def test_a_wrong_output_is_said_before_the_work(output: str, code: int, cli: Cli, pipeline: Any) -> None:
    done = cli("validate", "sitemap.xml", "--output", output)
    assert done.code == code
    assert output in done.err
    assert pipeline.targets == []


@pytest.mark.parametrize(
    ("severity", "fail_on", "code"),
    [
        (None, "info", 0),
        (Severity.ERROR, "error", 1),
        (Severity.ERROR, "never", 0),
        (Severity.WARNING, "error", 0),
        (Severity.WARNING, "warning", 1),
        (Severity.INFO, "warning", 0),
        (Severity.INFO, "info", 1),
        (Severity.HINT, "info", 0),
    ],
)
def test_findings_decide_the_exit_code(
    severity: Severity | None, fail_on: str, code: int, cli: Cli, pipeline: Any, make_finding: MakeFinding
) -> None:
    pipeline.findings = [make_finding(severity)] if severity else []
    assert cli("validate", "sitemap.xml", "--fail-on", fail_on).code == code


def test_an_unreadable_target_outweighs_findings(
    cli: Cli, pipeline: Any, make_finding: MakeFinding, gone: Unreadable
) -> None:
    pipeline.findings, pipeline.unreadable = [make_finding()], [gone]
    done = cli("validate", "gone.xml", "sitemap.xml")
    assert done.code == 3
    assert (done.err, done.out.count("no such file")) == ("", 1), "both streams are read: it is said once"
    assert "could not read gone.xml: no such file\n" in done.out
    assert "TST001" in done.out


def test_a_target_that_tries_to_forge_a_line_does_not(cli: Cli, pipeline: Any) -> None:
    pipeline.unreadable = [Unreadable("a\nurlset: all is well\x1b[2J", "no such file")]
    assert "could not read a\\nurlset: all is well\\u{1b}[2J: no such file\n" in cli("validate", "x").out
    assert cli("validate", "x", "--format", "json").err == "urlset: a\\nurlset: all is well\\u{1b}[2J: no such file\n"


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (UsageError("no rule's code begins with 'QQQ'"), 2, "urlset: no rule's code begins with 'QQQ'\n"),
        (InputError("x.xml", "permission denied"), 3, "urlset: x.xml: permission denied\n"),
        (EngineError("LOC003", "no column"), 4, "internal error: rule LOC003 cannot be run: no column"),
        (
            ZeroDivisionError("1/0"),
            4,
            "internal error: ZeroDivisionError: 1/0; run again with --traceback and report it",
        ),
        (KeyboardInterrupt(), 130, ""),
    ],
)
def test_errors_end_in_one_line(error: BaseException, code: int, line: str, cli: Cli, pipeline: Any) -> None:
    pipeline.error = error
    done = cli("validate", "x")
    assert done.code == code
    assert line in done.err
    assert done.err.count("\n") == (1 if line else 0)
    assert done.out == ""


@pytest.mark.parametrize("way", ["option", "environment"])
def test_a_fault_shows_its_traceback_when_asked(
    way: str, cli: Cli, pipeline: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipeline.error = ZeroDivisionError("1/0")
    if way == "environment":
        monkeypatch.setenv("URLSET_DEBUG", "1")
    done = cli(*(["--traceback"] if way == "option" else []), "validate", "x")
    assert done.code == 4
    assert "Traceback (most recent call last)" in done.err


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["validate"],
        ["valdate", "x"],
        ["validate", "x", "--no-such-option"],
        ["validate", "x", "--fail-on", "sometimes"],
        ["validate", "x", "--format", "xml"],
        ["validate", "x", "--max-examples", "-1"],
        ["validate", "x", "--max-document-bytes", "0"],
        ["validate", "x", "--timeout", "0"],
    ],
)
def test_misuse_exits_with_2(arguments: list[str], cli: Cli, pipeline: Any) -> None:
    done = cli(*arguments)
    assert done.code == 2
    assert done.err != ""
    assert pipeline.targets == []


@pytest.mark.parametrize(
    ("when", "variables", "colored"),
    [("always", {"NO_COLOR": "1"}, True), ("never", {}, False), ("auto", {}, False)],
)
def test_colour(
    when: str,
    variables: dict[str, str],
    colored: bool,
    cli: Cli,
    pipeline: Any,
    make_finding: MakeFinding,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    pipeline.findings = [make_finding()]
    assert ("\x1b[" in cli("validate", "x", "--color", when).out) is colored


def test_hints_are_full_with_verbose_and_in_files(cli: Cli, tmp_path: Path) -> None:
    sitemap, output = tmp_path / "sitemap.xml", tmp_path / "report.txt"
    sitemap.write_text('<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"/>')
    run = ["validate", str(sitemap), "--no-config", "--select", "XML012"]
    short = cli(*run, "--output", str(output))
    assert "hint[XML012]" not in short.out
    assert short.out.rstrip().endswith("1 hint: XML012; use -v to show it.")
    assert "hint[XML012]" in output.read_text()
    assert "hint[XML012]" in cli(*run, "-v").out


def test_hints_that_help_nobody_are_shown_on_demand(cli: Cli, tmp_path: Path) -> None:
    sitemap = tmp_path / "sitemap.xml"
    sitemap.write_text(
        '<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" '
        'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">'
        "<url><loc>https://example.com/</loc><lastmod>2020-01-01</lastmod><priority>0.5</priority></url></urlset>"
    )
    run = ["validate", str(sitemap), "--no-config"]
    codes = ("HNT003", "MOD011", "STR022")
    assert not any(code in cli(*run).out for code in codes)
    assert cli(*run).out.startswith("No findings in 1 document")
    in_full = cli(*run, "-v").out
    assert all(f"hint[{code}]" in in_full for code in codes)
    assert "Found 3 hints in 1 document" in in_full
    sitemap.write_text(sitemap.read_text().replace("<priority>", "<changefreq>daily</changefreq><priority>"))
    assert "1 hint: HNT005; use -v to show it, and 3 that rarely matter: HNT003, MOD011, STR022." in cli(*run).out
    sitemap.write_text(sitemap.read_text().replace("<changefreq>daily</changefreq>", ""))
    assert all(code in cli(*run, "--format", "json").out for code in codes)
    # What a run asks for, or fails on, is named.
    assert "1 hint: MOD011; use -v to show it." in cli(*run, "--select", "MOD011").out
    failed = cli(*run, "--fail-on", "hint")
    assert failed.code == 1
    assert "3 hints: HNT003, MOD011, STR022; use -v to show them." in failed.out


@pytest.mark.sampled(1)
@pytest.mark.parametrize("form", OUTPUTS["validate"].formats)
def test_the_text_names_the_command_that_checks_pages(form: str, cli: Cli, tmp_path: Path) -> None:
    sitemap, output = tmp_path / "sitemap.xml", tmp_path / "report.txt"
    sitemap.write_text("<urlset><url><loc>https://example.com/</loc></url></urlset>")
    done = cli("validate", str(sitemap), "--format", form, "--output", str(output))
    assert "urlset audit" in done.out.splitlines()[-1] if form == "text" else "urlset audit" not in done.out
    assert "urlset audit" not in done.err + output.read_text()
    assert "urlset audit" not in cli("audit", str(sitemap), "--no-store", "--no-pages", "--format", form).out


@pytest.mark.parametrize("form", OUTPUTS["statistics"].formats)
def test_statistics_are_counts_instead_of_findings(form: str, cli: Cli, tmp_path: Path) -> None:
    sitemap, output = tmp_path / "sitemap.xml", tmp_path / "counts.out"
    sitemap.write_text("<urlset><url><loc>/a</loc></url><url><loc>/b</loc></url></urlset>")
    run = ["validate", str(sitemap), "--no-config", "--statistics", "--select", "LOC001", "--format", form]
    done = cli(*run, "--output", f"{'csv' if form == 'none' else form}:{output}")
    assert done.code == 1
    assert ("LOC001" in done.out) is (form != "none")
    assert "LOC001" in output.read_text()
    assert "/a" not in done.out + output.read_text()
    report = urlset.validate(sitemap, select=["LOC001"])
    assert [(one.rule.code, one.places, one.documents) for one in report.statistics] == [("LOC001", 2, 1)]


@pytest.mark.parametrize(
    "more",
    [["--format", form] for form in OUTPUTS["validate"].formats if form not in OUTPUTS["statistics"].formats]
    + [["--output", name] for name in ("report.sarif", "report.xml", "report.parquet", "github:log.txt")],
    ids=" ".join,
)
def test_statistics_refuse_formats_without_a_place_for_them(more: list[str], cli: Cli, pipeline: Any) -> None:
    done = cli("validate", "x", "--statistics", *more)
    assert done.code == 2
    assert pipeline.targets == []
    assert (
        "lists single findings and has no place for counts per rule; use text, json, jsonl, csv, or markdown"
        in done.err
    )


def test_statistics_report_unreadable_targets(cli: Cli, pipeline: Any, gone: Unreadable) -> None:
    pipeline.unreadable = [gone]
    done = cli("validate", "x", "--statistics")
    assert (done.code, done.err) == (3, "urlset: gone.xml: no such file\n")
