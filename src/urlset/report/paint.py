"""Colour for terminals: a handful of roles, painted with the 16 colours that every theme defines, or not at all."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import TypeAlias


class Role(StrEnum):
    """What a piece of text is in a report, as the SGR parameters that show it."""

    ERROR = "1;31"
    WARNING = "1;33"
    INFO = "1;34"
    HINT = "1;36"
    GOOD = "1;32"
    HEADING = "1"
    PLACE = "36"
    FAINT = "2"


Paint: TypeAlias = Callable[[str, Role], str]


def plain(text: str, role: Role) -> str:  # noqa: ARG001 - the signature of a Paint
    """No colour."""
    return text


def coloured(text: str, role: Role) -> str:
    """The text in the colour of its role. Whatever comes from outside must be made `safe` first."""
    return f"\x1b[{role.value}m{text}\x1b[0m"
