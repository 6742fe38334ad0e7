"""Options that several commands share."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from urlset.config import DEFAULT_MAX_INFLATED, FetchOptions, ReadOptions


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

MaxBytes = Annotated[
    int,
    typer.Option(
        "--max-bytes", metavar="BYTES", min=1, help="Read no more than this of a document, counted after decompression."
    ),
]

Timeout = Annotated[
    float, typer.Option("--timeout", metavar="SECONDS", min=0.001, help="Give up a request after this time.")
]

DEFAULT_TIMEOUT = 30.0


def read_options(max_bytes: int = DEFAULT_MAX_INFLATED, timeout: float = DEFAULT_TIMEOUT) -> ReadOptions:
    """The options on reading as the pipeline takes them."""
    return ReadOptions(max_inflated=max_bytes, fetch=FetchOptions(timeout=timeout))
