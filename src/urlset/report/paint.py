"""Colors for terminals: a few roles, shown in the 16 colors that every theme defines, or without color."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import TypeAlias


class Role(StrEnum):
    """Role of a piece of text in a report; the value is its SGR parameters."""

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
    return text


def colored(text: str, role: Role) -> str:
    """Return the text in the color of its role. Untrusted text must be passed through `safe` first."""
    return f"\x1b[{role.value}m{text}\x1b[0m"
