"""The manual pages: every option and section, valid roff, and text that is shown as it was declared."""

from __future__ import annotations

import re
import shutil
import subprocess
from importlib import import_module
from pathlib import Path

import pytest
from tests.cases import case_table

from urlset.cli.command import Command
from urlset.cli.commands import COMMANDS, EXAMPLES, NAMES
from urlset.cli.main import main
from urlset.cli.roff import literal, prose, shown
from urlset.errors import ExitCode

SECTIONS = ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "EXAMPLES", "SEE ALSO"]

each_page = case_table("command", [None, *NAMES], ids=lambda name: name or "urlset")


def page_of(command: str | None, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["man", *filter(None, [command])]) == ExitCode.CLEAN
    return capsys.readouterr().out


def text_of(page: str) -> str:
    """The text of a page without requests, fonts, and escapes."""
    lines = [line for line in page.splitlines() if not line.startswith(".")]
    text = re.sub(r"\\f[BIR]|\\&", "", " ".join(lines))
    for escape, char in ((r"\-", "-"), (r"\(aq", "'"), (r"\(ga", "`"), (r"\(dq", '"'), (r"\(ti", "~"), (r"\(ha", "^")):
        text = text.replace(escape, char)
    text = re.sub(r"\\\[u([0-9A-F]{4,})\]", lambda found: chr(int(found[1], 16)), text)
    return " ".join(text.replace(r"\e", "\\").split())


@each_page
def test_a_page_has_every_section(command: str | None, capsys: pytest.CaptureFixture[str]) -> None:
    page = page_of(command, capsys)
    found = re.findall(r"^\.SH (.+)$", page, re.MULTILINE)
    assert [each for each in found if each != "COMMANDS"] == SECTIONS
    assert ("COMMANDS" in found) == (command is None)
    assert not re.search(r"^\.SH .+\n(?=\.SH|\Z)", page, re.MULTILINE), "a section is empty"
    assert page.isascii()
    pages = {"urlset(1)", *(f"urlset-{name}(1)" for name in NAMES)}
    listed = text_of(page.partition(".SH SEE ALSO\n")[2]).split(", ")
    assert sorted(listed) == sorted(pages - {"urlset(1)" if command is None else f"urlset-{command}(1)"})


@pytest.mark.parametrize("command", NAMES)
def test_a_page_has_every_option_and_text(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    page = page_of(command, capsys)
    text = text_of(page)
    spec = Command(command, import_module(f"urlset.cli.{command}").COMMAND)
    for each in spec.declared:
        if each.facts.positional:
            assert rf"\fI{literal(each.facts.metavar)}\fR" in page
        else:
            assert rf"\fB\-\-{literal(each.key)}\fR" in page
        for part in (each.facts.help, each.facts.more, each.facts.envvar):
            assert " ".join(part.replace("`", "").split()) in text, each.key
    for paragraph in (spec.spec.about, spec.spec.details, spec.spec.exit_status):
        assert " ".join(paragraph.replace("`", "").split()) in text
    assert all(" ".join(each.split()) in text for each in (*spec.spec.examples, *spec.spec.more_examples))
    [what] = [commands[command] for commands in COMMANDS.values() if command in commands]
    assert f"urlset-{command} - {what[0].lower()}{what[1:-1]} urlset {command} " in text


def test_the_page_of_urlset_has_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    text = text_of(page_of(None, capsys))
    for commands in COMMANDS.values():
        for name, what in commands.items():
            assert f"{name} {what} See urlset-{name}(1)." in text
    assert all(" ".join(each.split()) in text for each in EXAMPLES)
    assert "--version Show the version and exit" in text
    assert "130 Interrupted." in text


def test_a_line_of_text_is_no_request() -> None:
    assert list(prose(".TH is a request, 'as is this, and \\fB is a font")) == [
        r"\&.TH is a request, \(aqas is this, and \efB is a font"
    ]
    assert list(prose("Set `a\\b`. Then see…")) == [r"Set \fBa\eb\fR.", r"Then see\[u2026]"]
    long = f"{'x' * 77} .SH"
    assert list(prose(long)) == ["x" * 77, r"\&.SH"]
    assert shown("'x") == r"\&'x"
    assert literal("a-b \"c\" 'd' `e` ^f ~g") == r"a\-b \(dqc\(dq \(aqd\(aq \(gae\(ga \(haf \(tig"


def test_all_pages_are_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1790000000")
    folder = tmp_path / "share" / "man1"
    assert main(["man", "--write", str(folder)]) == ExitCode.CLEAN
    names = ["urlset.1", *(f"urlset-{name}.1" for name in NAMES)]
    assert capsys.readouterr() == ("", f"urlset: wrote {len(names)} manual pages to {folder}\n")
    assert sorted(each.name for each in folder.iterdir()) == sorted(names)
    assert (folder / "urlset-validate.1").read_text("ascii") == page_of("validate", capsys)
    assert '"2026-09-21"' in (folder / "urlset.1").read_text("ascii")
    before = {each.name: each.read_bytes() for each in folder.iterdir()}
    assert main(["man", "--write", str(folder)]) == ExitCode.CLEAN
    assert {each.name: each.read_bytes() for each in folder.iterdir()} == before


@pytest.mark.parametrize("command", ["groff", "mandoc", "man"])
def test_the_pages_are_valid_roff(command: str, tmp_path: Path) -> None:
    if shutil.which(command) is None:
        pytest.skip(f"{command} is not installed")
    assert main(["man", "--write", str(tmp_path)]) == ExitCode.CLEAN
    for path in sorted(tmp_path.iterdir()):
        arguments = {
            "groff": ["-ww", "-man", "-Tutf8", "-z"],
            "mandoc": ["-Tlint", "-Wwarning"],
            "man": ["--warnings=w", "-P", "cat", "-l"],
        }[command]
        done = subprocess.run([command, *arguments, path], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, ""), path.name
        if command == "mandoc":
            assert done.stdout == ""
        if command == "man":
            assert "EXIT STATUS" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["man", "validat"], "no such command 'validat'; did you mean 'validate'?"),
        (["man", "validate", "--write", "x"], "--write writes all pages; omit validate"),
    ],
)
def test_a_wrong_call_is_named(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == ExitCode.USAGE
    assert message in capsys.readouterr().err


def test_a_wrong_date_is_named(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "today")
    assert main(["man"]) == ExitCode.USAGE
    assert "SOURCE_DATE_EPOCH: must be a number of seconds, not 'today'" in capsys.readouterr().err


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    assert main(["man", "--write", str(tmp_path / "file" / "man1")]) == ExitCode.UNREADABLE
    assert "file/man1: cannot be created: " in capsys.readouterr().err
