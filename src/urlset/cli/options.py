"""Options that several commands share."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

DEFAULT_STORE = Path("urlset.duckdb")
"""The store that is meant where none is named."""


def file_or_stdout(path: Path | None) -> Path | None:
    """Return the file to write to; None, standard output, for `-`."""
    return None if path == Path("-") else path


def only_file(path: Path | None) -> Path | None:
    """Return the file to write to.

    Raises:
        BadParameter: It is `-`, and standard output gets something else.
    """
    if path == Path("-"):
        raise typer.BadParameter("standard output is already in use; give the name of a file")
    return path


class Colour(StrEnum):
    """When to colour the output."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


class Format(StrEnum):
    """Forms of output that every command has."""

    TEXT = "text"
    JSON = "json"


Targets = Annotated[
    list[str],
    typer.Argument(metavar="TARGET", help="Files, folders, http(s) URLs, or - for standard input.", show_default=False),
]

ColourOption = Annotated[
    Colour,
    typer.Option(
        "--color", metavar="WHEN", help="Colour the text: auto (on a terminal, unless NO_COLOR), always, never."
    ),
]

ReportOption = Annotated[
    Path | None,
    typer.Option(
        "--report",
        metavar="FILE.html",
        callback=only_file,
        help="Also write a page to look at in a browser: one file, which asks nobody for anything.",
        show_default=False,
    ),
]
