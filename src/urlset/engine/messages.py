"""The message of one example: a rule's template filled with a row, whatever the row holds."""

from __future__ import annotations

from datetime import datetime
from string import Formatter
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Mapping

DASH = "–"
"""Stands for an absent value."""

LONGEST_VALUE = 200
"""Longest value shown in a message, in characters; the example's `value` keeps the whole."""


class _Part(Struct, frozen=True):
    """Literal text, then a named value with its format specification."""

    literal: str
    name: str | None
    specification: str


class Template(Struct, frozen=True):
    """A rule's example template, taken apart once.

    Only plain names stand in a template: no attributes, no indexes. A value is never read as a template itself,
    so braces in it are harmless.
    """

    parts: tuple[_Part, ...]

    @classmethod
    def parse(cls, text: str) -> Template:
        """Takes a template apart.

        Raises:
            ValueError: A brace is unbalanced, or a placeholder is no plain name.
        """
        parts = []
        for literal, name, specification, conversion in Formatter().parse(text):
            if name is not None and (conversion is not None or not name.isidentifier()):
                raise ValueError(f"placeholder {{{name}}} is no plain name")
            parts.append(_Part(literal, name, specification or ""))
        return cls(tuple(parts))

    @property
    def names(self) -> tuple[str, ...]:
        """The names that stand in the template, each once, in order."""
        return tuple(dict.fromkeys(part.name for part in self.parts if part.name is not None))

    def fill(self, row: Mapping[str, object]) -> str:
        """The template with the row's values in it; KeyError if the row lacks a name."""
        filled = []
        for part in self.parts:
            filled.append(part.literal)
            if part.name is not None:
                filled.append(_shown(row[part.name], part.specification))
        return "".join(filled)


def _shown(value: object, specification: str) -> str:
    if value is None:
        return DASH
    if specification and not isinstance(value, (list, datetime)):
        try:
            return _shortened(format(value, specification))
        except (ValueError, TypeError):
            # The specification is for numbers and the value is none: better shown plainly than not at all.
            return _shortened(as_text(value))
    return _shortened(as_text(value))


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST_VALUE else text[: LONGEST_VALUE - 1] + "…"


def as_text(value: object) -> str:
    """A value of a row as text: dates in ISO 8601 with `Z`, lists with commas, whole numbers without `.0`."""
    match value:
        case str():
            return value
        case bool():
            return "true" if value else "false"
        case float():
            return f"{value:.15g}"
        case datetime():
            return value.isoformat(timespec="auto") + ("Z" if value.tzinfo is None else "")
        case list() | tuple():
            return ", ".join(DASH if item is None else as_text(item) for item in value)
        case _:
            return str(value)
