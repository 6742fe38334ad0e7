"""Gzip undone while bytes come, as the reader undoes it: by content, once or twice, within a bound on each piece."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

from urlset.gunzip import MAGIC, Gunzip

if TYPE_CHECKING:
    from collections.abc import Iterator

PIECE = 64 * 1024
"""Bytes given at once, at most, however far they were packed."""


class Inflate:
    """Takes pieces, gives pieces; what is not packed goes through as it is.

    Attributes:
        damage: What is wrong with the packing, as a sentence; None if nothing is.
    """

    def __init__(self, layers: int = 2) -> None:
        self.damage: str | None = None
        self._inner = Inflate(layers - 1) if layers > 1 else None
        self._head: bytes | None = b""
        self._stream: Gunzip | None = None

    def __call__(self, piece: bytes) -> Iterator[bytes]:
        """What a piece holds."""
        if self._head is not None:
            self._head += piece
            if len(self._head) < len(MAGIC):
                return
            piece, self._head = self._head, None
            self._stream = Gunzip(PIECE) if piece.startswith(MAGIC) else None
        if self._stream is None:
            yield piece
            return
        for part in self._inflated(piece):
            yield from [part] if self._inner is None else self._inner(part)
            self.damage = self.damage or (self._inner.damage if self._inner else None)

    def finish(self) -> Iterator[bytes]:
        """What is left when there are no more pieces."""
        if self._head:
            yield self._head
        if self._stream is not None and not self._stream.is_complete:
            self.damage = self.damage or "The gzip stream ends before its end"
        if self._stream is not None and self._inner is not None:
            yield from self._inner.finish()
            self.damage = self.damage or self._inner.damage

    @property
    def has_ended(self) -> bool:
        """Whether the packing says that the document ends here."""
        return self._stream is not None and self._stream.is_complete

    def _inflated(self, piece: bytes) -> Iterator[bytes]:
        if self._stream is None or self.damage is not None:
            return
        try:
            yield from self._stream.feed(piece)
        except zlib.error:
            self.damage = "The gzip stream is damaged from here on"
