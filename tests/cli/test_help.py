"""The help: short enough to read, complete on request, in color on a terminal only."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from urlset.cli.command import command_line_options, import_command
from urlset.cli.commands import COMMANDS, NAMES
from urlset.cli.help import MAX_LINES
from urlset.cli.main import main
from urlset.options.convert import record_of
from urlset.options.declare import Face, Panel, options_of

WIDEST = 100
"""Columns of a help text."""

LONGEST = 70
"""Lines of the help of `validate`."""

ESCAPE = "\x1b["


def help_of(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> list[str]:
    assert main(arguments) == 0
    return capsys.readouterr().out.splitlines()


def test_the_help_of_validate_fits_a_screen(capsys: pytest.CaptureFixture[str]) -> None:
    lines = help_of(["validate", "--help"], capsys)
    assert len(lines) <= LONGEST
    headings = [line.removesuffix(":") for line in lines if line.endswith(":") and not line.startswith(" ")]
    assert headings == ["Targets", "Rules", "Report", "Configuration", "Network", "Examples"]
    panels = [panel.value for panel in Panel]
    assert [one for one in panels if one in headings] == headings[:-1], "the order of panels is the same everywhere"
    firsts = {one: lines[lines.index(f"{one}:") + 1].split()[0] for one in headings[:-1]}
    assert firsts == {
        "Targets": "--discover",
        "Rules": "--select",
        "Report": "--format",
        "Configuration": "--config",
        "Network": "--rate",
    }


BELOW = ("coverage diff", "coverage import", "coverage inspect", "coverage impressions", "coverage sitemaps", "key new")
"""Commands below another one."""


@pytest.mark.parametrize("command", ["", *NAMES, *BELOW])
def test_no_line_is_wider_than_the_screen(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    lines = help_of([*command.split(), "--help"], capsys)
    lines += help_of(["help", *command.split()], capsys) if command else []
    assert [line for line in lines if len(line) > WIDEST] == []


@pytest.mark.parametrize("command", NAMES)
def test_the_whole_help_has_every_option_and_detail(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    short = help_of([command, "--help"], capsys)
    whole = help_of(["help", command, "--full"], capsys)
    spec = import_command(command).spec
    for each in options_of(spec.options):
        if Face.COMMAND_LINE in each.facts.faces and not each.facts.positional:
            name = f"--no-{each.key}" if each.default is True else f"--{each.key}"
            assert any(line[6:].split(" ")[0] == name for line in whole), name
            assert any(name in line for line in short), name
        elif each.is_setting and record_of(each.annotation) is None:
            assert any(
                line[6:].startswith(f"{each.spelling}=") or line[6:].startswith(f"{each.spelling}.") for line in whole
            )
            assert not any(line.strip().startswith(each.spelling) for line in short)
    listed = command_line_options(spec.options)
    shown = [each.key for each in listed if not (each.facts.rare or each.facts.positional)]
    assert len([*shown, "help"]) <= 30, "the help shows what people set; mark others as rare"
    words = " ".join(" ".join(whole).split())
    assert " ".join(spec.details.split()) in words
    assert all(" ".join(example.split()) in words for example in (*spec.examples, *spec.more_examples))


@pytest.mark.parametrize("command", NAMES)
def test_the_list_of_options_fits_two_screens_and_lacks_none(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    lines = help_of(["help", command], capsys)
    assert len(lines) <= MAX_LINES
    names, text = [line[6:].split(" ")[0] for line in lines], " ".join(" ".join(lines).split())
    declared = import_command(command)
    for option in declared.options:
        assert option.facts.positional or f"--{'no-' if option.default is True else ''}{option.key}" in names
    assert all(option.setting in text for option in declared.settings)


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        (("build", "--lastmod"), ("--lastmod FORMAT", "is the day", "Values: date, local-date", "build.lastmod")),
        (("build", "-o"), ("--out DIR",)),
        (("build", "obey-robots"), ("--no-obey-robots",)),
        (("build", "build.index"), ("--set build.index=WHEN", "Values: auto, always")),
        (("coverage", "diff", "format"), ("--format FORMAT",)),
    ],
)  # fmt: skip
def test_all_about_an_option(
    arguments: tuple[str, ...], shown: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    text = "\n".join(help_of(["help", *arguments], capsys))
    assert all(each in text for each in shown)


def test_an_option_that_a_command_lacks(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "build", "--lastmd"]) == 2
    assert "urlset build has no option '--lastmd'; did you mean 'lastmod'?" in capsys.readouterr().err


@pytest.mark.parametrize("panel", ["targets", "network", "following", "store", "output"])
def test_a_topic_has_every_option_of_its_panel(panel: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = "\n".join(help_of(["help", panel], capsys))
    for name in NAMES:
        command = import_command(name)
        assert all(each.spelling in text for each in command.settings if each.facts.panel.value.lower() == panel)
        for each in command.options:
            if each.facts.panel.value.lower() == panel and not each.facts.positional and name != "help":
                assert f"--{'no-' if each.default is True else ''}{each.key}" in text


@pytest.mark.parametrize("command", NAMES)
def test_the_help_names_topics_that_have_the_options(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = " ".join(" ".join(help_of([command, "--help"], capsys)).split())
    for topic, names in re.findall(r"See `urlset help (\w+)` for (--[\w-]+(?:, --[\w-]+)*)", text):
        listed = "\n".join(help_of(["help", topic], capsys))
        assert all(f"      {name}" in listed for name in names.split(", "))


def test_commands_are_grouped_by_job(capsys: pytest.CaptureFixture[str]) -> None:
    assert {title: list(commands) for title, commands in COMMANDS.items()} == {
        "Read": ["inspect", "validate", "check", "audit", "discover", "robots", "deploy-check", "logs"],
        "Write": ["build", "fix", "notify"],
        "Results": [
            "pages",
            "history",
            "diff",
            "lastmod",
            "report",
            "coverage",
            "monitor",
            "metrics",
            "prune",
            "ignore",
            "sql",
            "serve",
        ],
        "Reference": ["rules", "explain", "config", "cache", "skill", "mcp", "key", "help"],
    }
    lines = help_of(["--help"], capsys)
    places = [lines.index(f"{title}:") for title in COMMANDS]
    assert places == sorted(places)
    for place, commands in zip(places, COMMANDS.values(), strict=True):
        shown = [line.split()[0] for line in lines[place + 1 : place + 1 + len(commands)]]
        assert shown == list(commands)


def on_a_terminal(arguments: list[str], folder: Path, **variables: str) -> str:
    """What a command writes to a terminal."""
    import pty

    environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    environment |= {"TERM": "xterm", **variables}
    primary, secondary = pty.openpty()
    try:
        # The progress bar, on standard error, moves the cursor.
        command = [sys.executable, "-m", "urlset", *arguments]
        process = subprocess.Popen(command, stdout=secondary, stderr=subprocess.DEVNULL, env=environment, cwd=folder)
        os.close(secondary)
        found = b""
        # Linux reports the end of a terminal as an error.
        try:
            while piece := os.read(primary, 65_536):
                found += piece
        except OSError:
            pass
        process.wait(timeout=60)
    finally:
        os.close(primary)
    return found.decode()


HELP = [["--help"], ["validate", "--help"], ["help", "network"]]
REPORTS = [["validate", "sitemap.xml"], ["inspect", "sitemap.xml"], ["rules"]]

each_output = pytest.mark.parametrize("arguments", [*HELP, *REPORTS], ids=" ".join)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "sitemap.xml").write_text("<urlset><url><loc>/a</loc></url></urlset>")
    return tmp_path


@pytest.mark.sampled(2)
@pytest.mark.skipif(os.name == "nt", reason="Windows has no pseudo-terminals")
@each_output
def test_a_terminal_gets_color_unless_it_is_not_wanted(arguments: list[str], folder: Path) -> None:
    assert ESCAPE in on_a_terminal(arguments, folder)
    assert ESCAPE not in on_a_terminal(arguments, folder, NO_COLOR="1")
    if arguments[0] not in ("--help", "help"):
        assert ESCAPE not in on_a_terminal([*arguments, "--no-color"], folder)


@each_output
def test_what_is_no_terminal_gets_plain_text(
    arguments: list[str], folder: Path, cli: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    done = cli(*arguments)
    assert done.out
    assert ESCAPE not in done.text
