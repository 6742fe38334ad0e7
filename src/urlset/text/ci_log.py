"""Logs of CI systems, in which the runner takes some lines as commands: to set variables, mask text, or end steps.

Text from sitemaps, file names, and responses must not give such commands. What is written to standard output or
standard error passes through `no_command` and `check_bytes`, whatever its format.
"""

from __future__ import annotations

import io
import os
import re
import stat
from typing import IO

from urlset.errors import OutputError

RUNNERS = ("GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION")
"""Environment variables of the CI systems whose runners read commands: GitHub Actions and compatible ones, Azure
Pipelines, TeamCity."""

# GitHub: `::` at the start of a line, even after whitespace, and `##[` anywhere; a carriage return also ends a line.
# https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
_AT_START = re.compile(r"(?:^|(?<=\r))([^\S\n]*+)::", re.MULTILINE)
# Azure Pipelines: `##vso[` and `##[`; TeamCity: `##teamcity[`.
# https://learn.microsoft.com/azure/devops/pipelines/scripts/logging-commands
# https://www.jetbrains.com/help/teamcity/service-messages.html
_ANYWHERE = re.compile(r"##(?=\w*\[)")

_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]|\r(?!\n)")


def is_log(stream: IO[str]) -> bool:
    """Return whether what is written to a stream gets into the log of a CI system; a redirection to a file does not."""
    if not any(os.environ.get(name) for name in RUNNERS):
        return False
    try:
        return not stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
    except (io.UnsupportedOperation, OSError):
        return True


def no_command(text: str, *, is_commands: bool = False) -> str:
    r"""Return lines without text that a runner would take as a command; JSON that holds them parses back unchanged.

    Args:
        text: One or more lines, or a part of one from its start on.
        is_commands: Whether the lines are commands themselves, with `::` at their start.
    """
    if "::" in text and not is_commands:
        text = _AT_START.sub(r"\1\\u003a:", text)
    return _ANYWHERE.sub(r"\\u0023#", text) if "##" in text else text


def check_bytes(content: bytes, stream: IO[str]) -> None:
    """Check that a document can be written to a stream unchanged.

    Raises:
        OutputError: A terminal would interpret it, or the runner of a CI system.
    """
    if stream.isatty():
        try:
            is_text = _CONTROLS.search(content.decode("utf-8")) is None
        except UnicodeDecodeError:
            is_text = False
        if not is_text:
            raise OutputError("the document is not plain text, and a terminal could not show it; write it to a file")
    elif is_log(stream) and no_command(text := content.decode("latin-1")) != text:
        raise OutputError(
            "the document has text that the runner of this CI system would take as a command; write it to a file"
        )
