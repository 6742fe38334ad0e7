"""Find the blocks of a robots.txt that a program writes between two comments. No I/O: bytes in, line numbers out.

Cloudflare puts its managed block before the file of the site, at the edge of its network:
<https://developers.cloudflare.com/bots/additional-configurations/managed-robots-txt/>.
"""

from __future__ import annotations

import re
from typing import Annotated

from msgspec import Struct

from urlset.model.fields import PositiveInt, about

MAX_BLOCKS = 100
"""Blocks to read of one file. Our choice."""

LINE = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n|\Z)")
"""A line with its ending, as the core counts lines."""

_MARK = re.compile(rb"\s*#\s*(BEGIN|END)\s+(Cloudflare Managed content|urlset policy)\b", re.IGNORECASE)
_WRITERS = {b"cloudflare managed content": "Cloudflare", b"urlset policy": "urlset"}


class ManagedBlock(Struct, frozen=True):
    """Lines that a program writes."""

    writer: Annotated[str, about("What writes them: `Cloudflare` or `urlset`.")]
    first: Annotated[PositiveInt, about("The line of the comment that begins the block.")]
    last: Annotated[PositiveInt | None, about("The line of the comment that ends it; None if there is none.")]

    def has(self, line: int | None) -> bool:
        """Return whether a line is in the block; a block without an end has none."""
        return line is not None and self.last is not None and self.first <= line <= self.last


def managed_blocks(content: bytes) -> tuple[ManagedBlock, ...]:
    r"""Return the blocks that programs write, in the order of the file.

    A second beginning before the end starts another block, and an end without a beginning is ignored.

    Example:
        >>> managed_blocks(b"# BEGIN Cloudflare Managed content\nUser-agent: *\n# END Cloudflare Managed Content\n")
        (ManagedBlock(writer='Cloudflare', first=1, last=3),)
    """
    if b"#" not in content:
        return ()
    blocks: list[ManagedBlock] = []
    for number, line in enumerate(LINE.findall(content.removeprefix(b"\xef\xbb\xbf")), start=1):
        if (mark := _MARK.match(line)) is None:
            continue
        writer = _WRITERS[mark[2].lower()]
        if mark[1].upper() == b"BEGIN" and len(blocks) < MAX_BLOCKS:
            blocks.append(ManagedBlock(writer, number, None))
        elif blocks and blocks[-1].writer == writer and blocks[-1].last is None:
            blocks[-1] = ManagedBlock(writer, blocks[-1].first, number)
    return tuple(blocks)


def writer_of(blocks: tuple[ManagedBlock, ...], line: int | None) -> str | None:
    """Return what writes a line, if it is in a block that is not of the site itself."""
    return next((block.writer for block in blocks if block.writer != "urlset" and block.has(line)), None)
