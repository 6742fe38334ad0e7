"""Streaming gzip decompression with the reader's rules: detected by content, up to twice, limited per chunk."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

from urlset.files.gunzip import MAGIC, Gunzip

if TYPE_CHECKING:
    from collections.abc import Iterator

PIECE = 64 * 1024
"""Maximum size of a decompressed chunk."""


class Inflate:
    """Decompresses chunks; data that is not compressed passes through unchanged.

    Attributes:
        damage: A description of damaged compression; None if it is not damaged.
    """

    def __init__(self, layers: int = 2) -> None:
        self.damage: str | None = None
        self._inner = Inflate(layers - 1) if layers > 1 else None
        self._head: bytes | None = b""
        self._stream: Gunzip | None = None

    def __call__(self, piece: bytes) -> Iterator[bytes]:
        if self._head is not None:
            self._head += piece
            if len(self._head) < len(MAGIC):
                return
            piece, self._head = self._head, None
            self._stream = Gunzip(PIECE) if piece.startswith(MAGIC) else None
        if self._stream is None:
            yield piece
            return
        for part in self._inflate(piece):
            yield from [part] if self._inner is None else self._inner(part)
            self.damage = self.damage or (self._inner.damage if self._inner else None)

    def finish(self) -> Iterator[bytes]:
        """Yield the remaining content after the last chunk."""
        if self._head:
            yield self._head
        if self._stream is not None and not self._stream.is_complete:
            self.damage = self.damage or "The gzip stream is truncated"
        if self._stream is not None and self._inner is not None:
            yield from self._inner.finish()
            self.damage = self.damage or self._inner.damage

    @property
    def has_ended(self) -> bool:
        """Return whether the compressed stream ends here."""
        return self._stream is not None and self._stream.is_complete

    def _inflate(self, piece: bytes) -> Iterator[bytes]:
        if self._stream is None or self.damage is not None:
            return
        try:
            yield from self._stream.feed(piece)
        except zlib.error:
            self.damage = "The gzip stream is damaged from here on"
