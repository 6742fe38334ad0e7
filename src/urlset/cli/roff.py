"""Manual pages in roff: text escaped for the macros of man(7)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from textwrap import wrap

_ESCAPES = {
    "\\": r"\e",
    # What terminals and readers would otherwise get as typographic characters.
    "-": r"\-",
    "'": r"\(aq",
    "`": r"\(ga",
    "^": r"\(ha",
    "~": r"\(ti",
    '"': r"\(dq",
}

WIDTH = 78
"""Columns of a line of the source."""

_END = re.compile(r"(?<=\.) (?=[A-Z\\])")
_CODE = re.compile(r"`([^`]+)`")


def literal(text: str) -> str:
    """Return text that is shown exactly as it is: option names, commands, URLs."""
    return "".join(_ESCAPES.get(char, char if char.isascii() else rf"\[u{ord(char):04X}]") for char in text)


def bold(text: str) -> str:
    """Return literal text in bold."""
    return rf"\fB{literal(text)}\fR"


def italic(text: str) -> str:
    """Return literal text in italics, which terminals underline."""
    return rf"\fI{literal(text)}\fR"


def prose(text: str) -> Iterator[str]:
    """Return the lines of a paragraph, a new one for each sentence; text in backticks is bold."""
    parts = _CODE.split(" ".join(text.split()))
    escaped = "".join(bold(part) if number % 2 else literal(part) for number, part in enumerate(parts))
    for sentence in _END.split(escaped):
        for each in wrap(sentence, WIDTH, break_long_words=False, break_on_hyphens=False):
            yield shown(each)


def shown(line: str) -> str:
    """Return a line of escaped text that roff does not take for a request, whatever it starts with."""
    return rf"\&{line}" if line.startswith((".", "'")) else line
