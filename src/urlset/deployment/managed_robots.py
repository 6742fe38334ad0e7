"""Compare two robots.txt files by their lines, and find the block that a CDN manages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

_BEGIN = re.compile(rb"#\s*BEGIN\s+(.{1,60}?)\s+managed\s+content", re.IGNORECASE)
_END = re.compile(rb"#\s*END\s+(.{1,60}?)\s+managed\s+content", re.IGNORECASE)
"""The lines around what Cloudflare adds:
https://developers.cloudflare.com/bots/additional-configurations/managed-robots-txt/"""


class ManagedBlock(NamedTuple):
    """The lines that a CDN adds, from 1.

    Attributes:
        rest: The other lines.
    """

    operator: str
    first: int
    last: int
    rest: Sequence[bytes]

    @property
    def is_before(self) -> bool:
        """Whether it comes before the other lines."""
        return self.first == 1 or not any(directives(self.rest[: self.first - 1]))


def managed_block(text: bytes) -> ManagedBlock | None:
    """Return the block that a CDN added to a robots.txt; None without one."""
    lines = text.split(b"\n")
    first = next((number for number, line in enumerate(lines) if _BEGIN.match(line.strip())), None)
    if first is None:
        return None
    last = next((number for number, line in enumerate(lines) if number > first and _END.match(line.strip())), None)
    if last is None:
        return None
    match = _BEGIN.match(lines[first].strip())
    assert match is not None
    return ManagedBlock(match[1].decode("ascii", "replace"), first + 1, last + 1, [*lines[:first], *lines[last + 1 :]])


def directives(lines: Sequence[bytes]) -> list[bytes]:
    """Return the lines without comments, blank lines, and surrounding spaces."""
    without = (line.partition(b"#")[0].strip() for line in lines)
    return [line for line in without if line]
