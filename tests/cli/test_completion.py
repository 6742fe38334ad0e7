"""Completion in the shells themselves: what TAB offers, and what it writes into the command line."""

from __future__ import annotations

import os
import re
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from urlset.cli.commands import NAMES
from urlset.report.formats import Form
from urlset.rules.registry import all_rules

URLS = sorted(each.code for each in all_rules() if each.code.startswith("LOC0"))
FORMATS = sorted(form.value for form in Form)

CASES: dict[str, list[str]] = {
    "urlset val": ["validate"],
    "urlset validate --fo": ["--format"],
    "urlset validate --format ": FORMATS,
    "urlset validate --format j": ["json", "jsonl", "junit"],
    "urlset explain LOC0": URLS,
    "urlset explain loc00": [code for code in URLS if code < "LOC010"],
    "urlset validate --select MOD,LOC00": [f"MOD,{code}" for code in URLS if code < "LOC010"],
    "urlset help expl": ["explain"],
    "urlset validate --set network.re": ["network.read-timeout="],
    "urlset help net": ["network"],
    "urlset cache ": ["clear", "info"],
    "urlset coverage in": ["inspect"],
    "urlset coverage inspect --pr": ["--property", "--proxy"],
    "urlset ": sorted(NAMES),
}
"""Command lines, and what TAB offers at their end."""


ESCAPES = re.compile(r"\x1b(\[[0-9;?>=]*[A-Za-z]|\][^\x07]*\x07|[=>])|[\r\x07\x0f]")

each_case = pytest.mark.parametrize("line", CASES)


def needs(shell: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(shell) is None, reason=f"{shell} is not installed")


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Variables with an `urlset` on the path, which completes, and otherwise writes its arguments to a file."""
    command = tmp_path / "bin" / "urlset"
    command.parent.mkdir()
    command.write_text(
        f'#!/bin/sh\nif [ -n "$_URLSET_COMPLETE" ]; then exec {sys.executable} -m urlset "$@"; fi\n'
        f'echo "$@" > {tmp_path}/called.new; mv {tmp_path}/called.new {tmp_path}/called\n'
    )
    command.chmod(0o755)
    return {
        **os.environ,
        "PATH": f"{command.parent}:{os.environ['PATH']}",
        "HOME": str(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path),
        "XDG_DATA_HOME": str(tmp_path),
        "ZDOTDIR": str(tmp_path),
        "TERM": "xterm",
    }


class Terminal:
    """A shell on a terminal of 200 columns and 200 rows, with completion set up."""

    def __init__(self, command: list[str], setup: str, environment: dict[str, str], folder: Path) -> None:
        import fcntl
        import pty
        import struct
        import termios

        self._primary, secondary = pty.openpty()
        fcntl.ioctl(secondary, termios.TIOCSWINSZ, struct.pack("HHHH", 200, 200, 0, 0))
        self._process = subprocess.Popen(
            command, stdin=secondary, stdout=secondary, stderr=secondary, env=environment, cwd=folder,
            start_new_session=True,
        )  # fmt: skip
        os.close(secondary)
        self.type(f"{setup}; echo READ''Y\n")
        self.wait_for("READY")

    def type(self, text: str) -> None:
        os.write(self._primary, text.encode())

    def wait_for(self, *expected: str) -> str:
        """Return what the shell has written since the last call, once it has all of these words."""
        found, deadline = "", time.monotonic() + 60
        while time.monotonic() < deadline:
            if select.select([self._primary], [], [], 0.1)[0]:
                found = ESCAPES.sub(" ", found + os.read(self._primary, 65_536).decode(errors="replace"))
            if set(expected) <= set(found.split()):
                return found
        raise AssertionError(f"{set(expected) - set(found.split())} not in {found}")

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._primary)


def called(folder: Path) -> str:
    """The arguments that `urlset` was called with."""
    deadline = time.monotonic() + 60
    while not (folder / "called").exists():
        assert time.monotonic() < deadline, "urlset was not called"
        time.sleep(0.05)
    return (folder / "called").read_text().strip()


BASH = ["bash", "--norc", "--noprofile", "-i"]
BASH_SETUP = """bind 'set show-all-if-ambiguous on'; eval "$(_URLSET_COMPLETE=bash_source urlset)" """
ZSH = ["zsh", "-f", "-i"]
ZSH_SETUP = """autoload -Uz compinit; compinit -u -D; LISTMAX=1000; eval "$(_URLSET_COMPLETE=zsh_source urlset)" """


@pytest.mark.sampled(4)
@needs("bash")
@each_case
def test_bash_offers(line: str, environment: dict[str, str]) -> None:
    words = line.split(" ")
    script = f"""eval "$(_URLSET_COMPLETE=bash_source urlset)"
COMP_WORDS=({" ".join(word or "''" for word in words)}); COMP_CWORD={len(words) - 1}
_urlset_completion urlset
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True, env=environment)
    assert sorted(done.stdout.split()) == CASES[line]


@needs("fish")
@each_case
def test_fish_offers(line: str, environment: dict[str, str]) -> None:
    script = f"_URLSET_COMPLETE=fish_source urlset | source; complete -C '{line}'"
    done = subprocess.run(["fish", "-c", script], capture_output=True, text=True, check=True, env=environment)
    assert sorted(each.partition("\t")[0] for each in done.stdout.splitlines()) == CASES[line]
    if line == "urlset explain LOC0":
        described = dict(each.split("\t") for each in done.stdout.splitlines())
        assert described == {each.code: each.message for each in all_rules() if each.code in URLS}


@pytest.mark.parametrize(
    ("command", "setup"),
    [pytest.param(BASH, BASH_SETUP, marks=needs("bash")), pytest.param(ZSH, ZSH_SETUP, marks=needs("zsh"))],
    ids=["bash", "zsh"],
)
def test_a_terminal_offers_and_completes(
    command: list[str], setup: str, environment: dict[str, str], tmp_path: Path
) -> None:
    terminal = Terminal(command, setup, environment, tmp_path)
    try:
        for line in ("urlset validate --format ", "urlset explain LOC0"):
            terminal.type(f"{line}\t")
            shown = terminal.wait_for(*CASES[line])
            assert "MOD001" not in shown
            terminal.type("\x15")
        for line, expected in (("urlset val", "validate"), ("urlset validate --fo", "validate --format")):
            terminal.type(f"{line}\t\n")
            assert called(tmp_path) == expected
            (tmp_path / "called").unlink()
    finally:
        terminal.close()
