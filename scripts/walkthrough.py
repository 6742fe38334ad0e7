"""Run the commands in a documentation page, and replace their output in the page with the current one.

In a page, a block ```` ```console ```` contains commands, each after `$ `, and the output of each below it, including
standard error. A command that ends with ` &` runs until the end of the page; its first line of output shows that it is
ready. A block with a title, such as ```` ```xml title="public/sitemap.xml" ````, is a file that is written before the
commands below it run. A page runs in a temporary folder that contains only the folder `examples`.

A command that fails is an error unless the page shows just that output.

A line `…` in the output replaces lines that are not shown. Such lines are kept as long as the lines around them still
match the output; otherwise the whole output replaces them.
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import urlset

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
ELLIPSIS = "…"
BACKGROUND = " &"

_BLOCK = re.compile(r"^```(?P<kind>\w+)(?: title=\"(?P<title>[^\"]+)\")?\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)


class CommandError(Exception):
    """A command of a page failed, or its output cannot be in the page; the message names the command."""


@dataclass(frozen=True, slots=True)
class Step:
    """A command of a page, and its output in the page."""

    command: str
    printed: tuple[str, ...]


def refreshed(text: str) -> str:
    """Return the page with the current output of its commands."""
    with tempfile.TemporaryDirectory(prefix="urlset-") as folder, contextlib.ExitStack() as background:
        place = Path(folder) / "site"
        shutil.copytree(ROOT / "examples", place / "examples")
        tools = Path(folder) / "bin"
        tools.mkdir()
        program = tools / "urlset"
        program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m urlset "$@"\n')
        program.chmod(0o755)
        environment = {
            "PATH": f"{tools}:{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin",
            # The commands run the same package that this script imports.
            "PYTHONPATH": str(Path(urlset.__file__).resolve().parent.parent),
            "HOME": folder,
            "COLUMNS": "100",
            "PYTHONUNBUFFERED": "1",
            "LC_ALL": "C.UTF-8",
        }
        return _BLOCK.sub(lambda block: _block(block, place, environment, background), text)


def _block(block: re.Match[str], place: Path, environment: dict[str, str], background: contextlib.ExitStack) -> str:
    if block["title"]:
        file = place / block["title"]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(block["body"], encoding="utf-8")
    if block["kind"] != "console":
        return block[0]
    lines = []
    for step in steps(block["body"]):
        if step.command.endswith(BACKGROUND):
            printed = _start(step.command.removesuffix(BACKGROUND), place, environment, background)
        else:
            printed = _run(step, place, environment)
        if any(line.startswith("```") for line in printed):
            raise CommandError(f"the output of {step.command!r} contains a fence, which would end its block")
        lines += [f"$ {step.command}", *printed]
    return "\n".join(["```console", *lines, "```"])


def steps(body: str) -> Iterator[Step]:
    """Return the commands of a block. A backslash at the end of a line continues a command."""
    command, printed = "", list[str]()
    for line in body.splitlines():
        if command.endswith("\\"):
            command += f"\n{line}"
        elif line.startswith("$ "):
            if command:
                yield Step(command, tuple(printed))
            command, printed = line.removeprefix("$ "), []
        else:
            printed.append(line)
    if command:
        yield Step(command, tuple(printed))


def _run(step: Step, place: Path, environment: dict[str, str]) -> tuple[str, ...]:
    """Return the output of a command.

    Raises:
        CommandError: It failed, and the page does not show that.
    """
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", step.command],
        cwd=place,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=60,
        check=False,
    )
    text = done.stdout.decode("utf-8")
    printed = _output(step, tuple(line.rstrip() for line in text.splitlines()))
    # With findings, urlset exits with 1; `head` ends what writes to it.
    usual = {0, 128 + signal.SIGPIPE, 1 if "urlset " in step.command else 0}
    if done.returncode not in usual and printed != step.printed:
        raise CommandError(f"{step.command!r} failed with exit status {done.returncode}:\n{text}")
    return printed


def _start(command: str, place: Path, environment: dict[str, str], background: contextlib.ExitStack) -> tuple[str, ...]:
    """Start a command that runs until the end of the page; return its first line of output."""
    process = subprocess.Popen(
        ["bash", "-c", command],
        cwd=place,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    background.enter_context(process)
    background.callback(os.killpg, process.pid, signal.SIGTERM)
    assert process.stdout is not None
    first = process.stdout.readline().decode("utf-8").rstrip()
    if not first:
        raise CommandError(f"{command!r} ended without output")
    return (first,)


def _output(step: Step, printed: tuple[str, ...]) -> tuple[str, ...]:
    return step.printed if ELLIPSIS in step.printed and fits(step.printed, printed) else printed


def fits(shown: tuple[str, ...], printed: tuple[str, ...]) -> bool:
    """Return whether output matches the shown lines, where a line `…` matches one or more lines."""
    if not shown:
        return not printed
    if shown[0] == ELLIPSIS:
        return any(fits(shown[1:], printed[taken:]) for taken in range(1, len(printed) + 1))
    return bool(printed) and shown[0] == printed[0] and fits(shown[1:], printed[1:])
