"""The command as a process: what it imports, how it takes a closed pipe, a full disk, a poor terminal."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import pytest

from urlset.cli import commands
from urlset.cli.commands import NAMES
from urlset.cli.main import main
from urlset.cli.output import Output
from urlset.cli.progress_bar import PATIENCE, ProgressBar
from urlset.cli.show import Color
from urlset.report.paint import colored, plain
from urlset.text.progress import ProgressEvent

if TYPE_CHECKING:
    from collections.abc import Mapping

HEAVY = {"_duckdb", "aiohttp", "duckdb", "jinja2", "lxml", "numpy", "pandas", "polars", "pyarrow", "pydantic", "rich"}

WITH_PIPELINE = """
import sys, types
from itertools import count
from urlset.errors import Unreadable
from urlset.model.document import InspectedDocument, InspectReport
for name in ("urlset.pipeline", "urlset.pipeline.inspect"):
    sys.modules[name] = types.ModuleType(name)
document = {{"url": "é…", "kind": "urlset", "entries": 2, "lastmod_missing": 0}}
pipeline = sys.modules["urlset.pipeline.inspect"]
pipeline.iter_urls = lambda targets, options, *notes: (f"https://example.com/é{{n}}" for n in {numbers})
pipeline.inspect = lambda *_: InspectReport([InspectedDocument(document, (), (), [("2025", 1), ("2026", 2)])], ())
from urlset.cli.main import run
sys.argv = ["urlset", *{arguments}]
run()
"""


def start(
    arguments: list[str],
    numbers: str = "range(3)",
    stdout: int | BinaryIO = subprocess.PIPE,
    variables: Mapping[str, str] | None = None,
) -> subprocess.Popen[bytes]:
    script = WITH_PIPELINE.format(arguments=arguments, numbers=numbers)
    environment = {**os.environ, **(variables or {})}
    return subprocess.Popen([sys.executable, "-c", script], stdout=stdout, stderr=subprocess.PIPE, env=environment)


@pytest.mark.parametrize("arguments", [["--help"], ["-h"]])
def test_help_imports_nothing_heavy(arguments: list[str]) -> None:
    script = f"""
import sys
from urlset.cli.main import main
code = main({arguments})
print(*sorted({{name.partition(".")[0] for name in sys.modules}}), file=sys.stderr)
sys.exit(code)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("Usage: urlset [OPTIONS] COMMAND")
    assert "click" in done.stderr.split()
    assert not HEAVY & set(done.stderr.split())


NOT_FOR_HELP = {"importlib.resources", "json", "pathlib", "tempfile", "urlset.rules.rule", "zipfile"}
NOT_FOR_HELP_OF_A_COMMAND = {"importlib.resources", "json", "tempfile", "urlset.rules.rule", "urlset.tables"}
NOT_FOR_A_SMALL_FILE = {
    *(HEAVY - {"_duckdb"}), "asyncio", "csv", "difflib", "duckdb._relation", "email", "hashlib", "html",
    "importlib.metadata", "importlib.resources", "json", "secrets", "tomllib", "urlset.build",
    "urlset.model.discovery", "urlset.model.entry", "urlset.model.specification", "urlset.stages.baseline",
    "urlset.probe", "urlset.web.robots_txt", "urlset.rules.loc", "urlset.store", "urlset.fetch.client",
}  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "absent"),
    [
        (["--help"], NOT_FOR_HELP | {"msgspec"}),
        (["validate", "--help"], NOT_FOR_HELP_OF_A_COMMAND),
        (["validate", "a.xml"], NOT_FOR_A_SMALL_FILE),
        (["inspect", "a.xml"], NOT_FOR_A_SMALL_FILE | {"_duckdb", "tempfile", "urlset.rules.registry"}),
    ],
    ids=["--help", "validate --help", "validate", "inspect"],
)
def test_nothing_is_imported_in_vain(tmp_path: Path, arguments: list[str], absent: set[str]) -> None:
    sitemap = (
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://a.example/</loc></url></urlset>'
    )
    (tmp_path / "a.xml").write_text(sitemap)
    script = f"""
import os, sys
from urlset.cli.start import run
sys.argv = ["urlset", *{arguments}]
os._exit = lambda code: print(*sys.modules, file=sys.stderr)
run()
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert absent & set(done.stderr.split()) == set()


MODULES = {name.replace("-", "_") for name in NAMES}


@pytest.mark.skipif(os.name == "nt", reason="Windows has no fork")
def test_a_command_imports_no_other() -> None:
    # Each command runs in a child that has what all of them import.
    script = f"""
import os, sys
import urlset.cli.main
for command in {[None, *NAMES]}:
    if os.fork() == 0:
        urlset.cli.main.main([command, "--help"] if command else ["--help"])
        print(command, *sys.modules, file=sys.stderr, flush=True)
        os._exit(0)
    os.wait()
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    lines = [line.split() for line in done.stderr.splitlines()]
    assert [line[0] for line in lines] == ["None", *NAMES]
    for command, *modules in lines:
        imported = {name.removeprefix("urlset.cli.") for name in modules if name.startswith("urlset.cli.")}
        assert imported & MODULES == ({command.replace("-", "_")} - {"None"}), command
        assert command != "None" or "urlset.options.declare" not in modules


@pytest.mark.parametrize("command", NAMES)
def test_every_command_explains_itself(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "--help"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith(f"Usage: urlset {command} ")
    assert f"\nExamples:\n  urlset {command}" in shown
    assert "-h, --help" in shown
    assert "completion" not in shown


def test_every_module_with_a_command_is_listed() -> None:
    folder = Path(commands.__file__).parent
    with_command = {path.stem for path in folder.glob("*.py") if "\nCOMMAND = " in path.read_text(encoding="utf-8")}
    assert with_command == MODULES


def test_a_slip_is_told_what_was_meant(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["biuld"]) == 2
    assert "no such command 'biuld'; did you mean 'build'?" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "expected"),
    [("urlset va", ["validate"]), ("urlset validate --prof", ["--profile"]), ("urlset ", [*NAMES])],
)
def test_commands_and_options_are_completed(words: str, expected: list[str]) -> None:
    asked = {"_URLSET_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    command = [sys.executable, "-c", "from urlset.cli.main import run; run()"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, **asked})
    assert [line.partition(",")[2] for line in done.stdout.splitlines()] == expected


def test_version(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.metadata.version", {"urlset": "7.8.9"}.__getitem__)
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == "urlset 7.8.9\n"


def test_python_m_urlset_is_the_command() -> None:
    done = subprocess.run([sys.executable, "-m", "urlset"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "Usage: urlset" in done.stderr


def test_a_closed_pipe_ends_the_run_quietly() -> None:
    with start(["inspect", "x", "--urls"], numbers="count()") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == "https://example.com/é0\n".encode()
        process.stdout.close()
        assert process.wait(timeout=20) == 0
        assert process.stderr.read() == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_said_in_one_line() -> None:
    with Path("/dev/full").open("wb") as full, start(["inspect", "x"], stdout=full) as process:
        _, error = process.communicate(timeout=20)
        assert process.returncode == 3
        assert error == b"urlset: output cannot be written: no space left on device\n"


def test_an_encoding_that_lacks_the_characters_ends_nothing() -> None:
    ascii_only = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    for arguments, expected in (
        (["inspect", "x", "--urls"], b"https://example.com/\\xe90\n"),
        (["inspect", "x", "--format", "json"], b'"url": "\\u00e9\\u2026"'),
        (["inspect", "x"], b"\\xe9...\n"),
        (["inspect", "x"], b"2026  2  ##########"),
    ):
        with start(arguments, variables=ascii_only) as process:
            out, error = process.communicate(timeout=20)
        assert expected in out
        assert (process.returncode, error) == (0, b"")


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("when", "no_color", "term", "expected"),
    [
        (Color.AUTO, None, "xterm", colored),
        (Color.AUTO, "", "xterm", colored),
        (Color.AUTO, "1", "xterm", plain),
        (Color.AUTO, None, "dumb", plain),
        (Color.NEVER, None, "xterm", plain),
        (Color.ALWAYS, "1", "dumb", colored),
    ],
)
def test_colour_on_a_terminal(
    when: Color, no_color: str | None, term: str, expected: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    if no_color is not None:
        monkeypatch.setenv("NO_COLOR", no_color)
    monkeypatch.setenv("TERM", term)
    assert Output(when, Terminal()).paint is expected


def test_a_bar_appears_on_a_terminal_when_work_is_long(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr(sys, "stderr", terminal)
    with ProgressBar() as progress:
        progress(ProgressEvent(1, 3, "early.xml"))
        assert terminal.getvalue() == ""
        later = time.monotonic() + PATIENCE
        monkeypatch.setattr("urlset.cli.progress_bar.time.monotonic", lambda: later)
        progress(ProgressEvent(2, 3, "[red]\x1b[2Jlate.xml", urls=1_204, bytes=3_145_728))
    assert "2/3" in terminal.getvalue()
    assert "1,204 URLs, 3 MiB, " in terminal.getvalue()
    assert "URLs/s" in terminal.getvalue()
    assert "left: " in terminal.getvalue()
    assert r"[red]\u{1b}[2Jlate.xml" in terminal.getvalue()


def test_no_bar_in_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr("urlset.cli.progress_bar.PATIENCE", 0)
    with ProgressBar() as progress:
        progress(ProgressEvent(1, 3, "early.xml"))
    assert stream.getvalue() == ""
