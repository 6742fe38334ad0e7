"""Formats the message of an example: the template of a rule with the values of a row."""

from __future__ import annotations

from datetime import datetime
from string import Formatter
from typing import TYPE_CHECKING

from msgspec import Struct

from urlset.text.safe import shorten
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from collections.abc import Mapping

DASH = "–"
"""Text for a missing value."""

LONGEST_VALUE = 200
"""Longest value in a message, in characters; the example's `value` is not shortened."""


LONGEST_TEXT = 1_000
"""Longest value that is text of urlset's own (`{about:whole}`), with the most important part at its end."""


class _Part(Struct, frozen=True):
    """Literal text, followed by a named value with its format specification."""

    literal: str
    name: str | None
    specification: str


class Template(Struct, frozen=True):
    """The parsed example template of a rule.

    `{entries}` is the value as text, `{entries:,}` uses a format specification, and `{entries:URL|URLs}` is the number
    with its noun: `1 URL`, `1,204 URLs`. `{about:whole}` is text of urlset's own, such as a cause with its evidence,
    which is not shortened like a value. Attributes and indexes are not supported. Values are never parsed as
    templates, so braces in them are harmless.
    """

    parts: tuple[_Part, ...]

    @classmethod
    def parse(cls, text: str) -> Template:
        """Parse a template.

        Raises:
            ValueError: A brace is unbalanced, or a placeholder is not a plain name.
        """
        parts = []
        for literal, name, specification, conversion in Formatter().parse(text):
            if name is not None and (conversion is not None or not name.isidentifier()):
                raise ValueError(f"placeholder {{{name}}} is not a plain name")
            parts.append(_Part(literal, name, specification or ""))
        return cls(tuple(parts))

    @property
    def names(self) -> tuple[str, ...]:
        """The distinct names in the template, in order."""
        return tuple(dict.fromkeys(part.name for part in self.parts if part.name is not None))

    def fill(self, row: Mapping[str, object]) -> str:
        """Return the template filled with the values of a row; KeyError if the row lacks a name."""
        parts = []
        for part in self.parts:
            parts.append(part.literal)
            if part.name is not None:
                parts.append(_format(row[part.name], part.specification))
        return "".join(parts)


def _format(value: object, specification: str) -> str:
    if "|" in specification:
        singular, _, plural = specification.partition("|")
        if isinstance(value, int):
            return quantity(value, singular, plural)
        return f"{_format(value, ',')} {singular if value == 1 else plural}"
    if value is None:
        return DASH
    if specification == "whole":
        return shorten(as_text(value), LONGEST_TEXT)
    if specification and not isinstance(value, (list, datetime)):
        try:
            return shorten(format(value, specification), LONGEST_VALUE)
        except (ValueError, TypeError):
            # The specification is for numbers, but the value is not a number: show it without formatting.
            return shorten(as_text(value), LONGEST_VALUE)
    return shorten(as_text(value), LONGEST_VALUE)


def as_text(value: object) -> str:
    """Return a value as text: dates in ISO 8601 with `Z`, lists with commas, whole numbers without `.0`."""
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
