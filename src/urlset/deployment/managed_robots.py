"""Compare two robots.txt files by their lines, and find the block that a CDN manages."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from urlset.web.managed_blocks import managed_blocks

if TYPE_CHECKING:
    from collections.abc import Sequence


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
    """Return the block that a CDN added to a robots.txt with line feeds; None without one."""
    lines = text.split(b"\n")
    for block in managed_blocks(text):
        if block.writer != "urlset" and block.last is not None:
            return ManagedBlock(
                block.writer, block.first, block.last, [*lines[: block.first - 1], *lines[block.last :]]
            )
    return None


def directives(lines: Sequence[bytes]) -> list[bytes]:
    """Return the lines without comments, blank lines, and surrounding spaces."""
    without = (line.partition(b"#")[0].strip() for line in lines)
    return [line for line in without if line]
