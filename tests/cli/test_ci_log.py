"""Nothing that a stranger wrote is a command for the runner of a CI system, on either stream, in any format."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cases import case_table

from urlset.report.formats import OUTPUTS
from urlset.text.ci_log import RUNNERS, no_command

Cli = Callable[..., Any]

NAMES = ("##vso[task.setvariable variable=z]z.xml", "##[error]z.xml", "::error::z.xml", "##teamcity[message]z.xml")
LOCS = ("##vso[a.b]c", "##[group]c", "::set-env name=A::b", "##teamcity[a]", "  ::error::x")
SITEMAP = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{}</urlset>'
COMMAND = re.compile(r"(?:^|\r)\s*::|##\w*\[", re.MULTILINE)

SELECT = ("--select", "LOC,MOD")
"""Rules whose findings show what was planted."""

COMMANDS: dict[str, tuple[str, ...]] = {
    "validate": ("validate", ".", *SELECT),
    "statistics": ("validate", ".", *SELECT, "--statistics"),
    "inspect": ("inspect", "."),
    "urls": ("diff", "empty", ".", "--urls", "all"),
    "diff": ("diff", "empty", "."),
    "fix": ("fix", ".", "--dry-run"),
    "robots": ("robots", "::error::z.xml"),
    "sql": ("sql", "SELECT loc, '\r::error::y' AS x FROM urls", "."),
    "audit": ("audit", ".", *SELECT, "--no-pages", "--no-store"),
    "config": ("config",),
}
FORMS = {f"{name} {form}": (arguments, form) for name, arguments in COMMANDS.items() for form in OUTPUTS[name].formats}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("planted")
    (folder / "empty").mkdir()
    entries = "".join(f"<url><loc>{loc}</loc><lastmod>{loc}</lastmod></url>" for loc in LOCS)
    for name in NAMES:
        (folder / name).write_text(SITEMAP.format(entries))
    (folder / "##vso[dangling]z.xml").symlink_to("nowhere")
    return folder


@pytest.fixture
def runner(monkeypatch: pytest.MonkeyPatch) -> str:
    for name in RUNNERS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(RUNNERS[0], "true")
    return RUNNERS[0]


@pytest.mark.sampled(20)
@case_table("command, form", FORMS)
def test_output(
    command: tuple[str, ...], form: str, folder: Path, runner: str, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    done = cli(*command, "--format", form, "--no-config")
    assert done.code in (0, 1, 3), done.text
    lines = [line for line in done.out.splitlines() if not (form == "github" and line.startswith("::"))]
    assert COMMAND.findall("\n".join(lines)) == []
    assert re.findall(r"##\w*\[", done.out) == []
    assert COMMAND.findall(done.err) == []
    assert ("unchanged if you write it to a file" in done.err) is (r"\u0023#" in done.out or r"\u003a:" in done.out)


def test_json_parses_to_what_it_was(folder: Path, runner: str, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    command = ("sql", "SELECT DISTINCT loc FROM urls ORDER BY loc", ".", "--format", "json")
    in_log = cli(*command).out
    monkeypatch.delenv(runner)
    plain = cli(*command).out
    assert in_log != plain
    assert json.loads(in_log) == json.loads(plain)


@pytest.mark.parametrize("arguments", [("validate", "##vso[x]"), ("--##vso[x]",), ("validate", "--##[x]")])
def test_usage_errors(arguments: tuple[str, ...], runner: str, cli: Cli) -> None:
    done = cli(*arguments)
    assert done.code in (2, 3)
    assert COMMAND.findall(done.out + done.err) == []


def test_tracebacks(runner: str, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("x\n::error::y ##vso[a.b]c")

    monkeypatch.setattr("urlset.pipeline.validate.validate", fail)
    done = cli("--traceback", "validate", "a.xml")
    assert done.code == 4
    assert "Traceback" in done.err
    assert COMMAND.findall(done.err) == []


DOCUMENTS = {
    "a comment": SITEMAP.format("<!-- ##vso[task.complete]x -->"),
    "a comment of lines": SITEMAP.format("<!--\n::error::x -->"),
}


@case_table("document", DOCUMENTS)
def test_documents_are_refused(document: str, runner: str, cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text(document)
    done = cli("fix", str(tmp_path / "a.xml"))
    assert done.code == 3
    assert done.out == ""
    assert "would take as a command; write it to a file" in done.err
    assert cli("fix", str(tmp_path / "a.xml"), "-o", str(tmp_path / "b.xml")).code in (0, 1)


@pytest.mark.parametrize("name", RUNNERS)
def test_each_runner(name: str, runner: str, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(runner)
    assert "##vso[x]" in cli("validate", "##vso[x]").out
    monkeypatch.setenv(name, "true")
    assert r"\u0023#vso[x]" in cli("validate", "##vso[x]").out


def test_a_file_gets_it_unchanged(folder: Path, runner: str) -> None:
    """Only a process has a standard output that is a file."""
    with (folder.parent / "out.csv").open("wb") as file:
        command = [sys.executable, "-m", "urlset", "sql", "SELECT '##[group]' AS a", NAMES[2], "--format", "csv"]
        done = subprocess.run(command, stdout=file, stderr=subprocess.PIPE, cwd=folder, check=True)
    assert (folder.parent / "out.csv").read_text() == "a\n##[group]\n"
    assert done.stderr == b""


def test_no_module_writes_past_the_one_place() -> None:
    """Nothing else in the commands writes to a stream."""
    package = Path(sys.modules["urlset.cli"].__file__ or "").parent
    found = {
        path.name
        for path in package.rglob("*.py")
        if re.search(r"(?<!console\.)\bprint\(|sys\.std(out|err)\.(buffer\.)?write|\becho\(", path.read_text("utf-8"))
    }
    assert found == {"output.py", "main.py"}


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("::error::x", r"\u003a:error::x"),
        ("   ::set-env name=a::b", r"   \u003a:set-env name=a::b"),
        ("a\n::x\r::y", "a\n\\u003a:x\r\\u003a:y"),
        ("a ##[error]x", r"a \u0023#[error]x"),
        ("a ##VSO[task]x", r"a \u0023#VSO[task]x"),
        ("sitemap.xml:1:2: http://[::1]/", "sitemap.xml:1:2: http://[::1]/"),
        ("## Heading", "## Heading"),
    ],
)
def test_a_log_holds_no_command(line: str, shown: str) -> None:
    assert no_command(line) == shown
