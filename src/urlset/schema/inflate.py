"""Gzip undone while bytes come, as the reader undoes it: by content, once or twice, within a bound on each piece."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

PIECE = 64 * 1024
"""Bytes given at once, at most, however far they were packed."""

_MAGIC = b"\x1f\x8b"
_GZIP = 16 + zlib.MAX_WBITS


class Inflate:
    """Takes pieces, gives pieces; what is not packed goes through as it is.

    Attributes:
        damage: What is wrong with the packing, as a sentence; None if nothing is.
    """

    def __init__(self, layers: int = 2) -> None:
        self.damage: str | None = None
        self._inner = Inflate(layers - 1) if layers > 1 else None
        self._head: bytes | None = b""
        self._stream: zlib._Decompress | None = None

    def __call__(self, piece: bytes) -> Iterator[bytes]:
        """What a piece holds."""
        if self._head is not None:
            self._head += piece
            if len(self._head) < len(_MAGIC):
                return
            piece, self._head = self._head, None
            self._stream = zlib.decompressobj(_GZIP) if piece.startswith(_MAGIC) else None
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
        if self._stream is not None and not self._stream.eof:
            self.damage = self.damage or "The gzip stream ends before its end"
        if self._stream is not None and self._inner is not None:
            yield from self._inner.finish()
            self.damage = self.damage or self._inner.damage

    @property
    def has_ended(self) -> bool:
        """Whether the packing says that the document ends here."""
        return self._stream is not None and self._stream.eof

    def _inflated(self, piece: bytes) -> Iterator[bytes]:
        while piece and self._stream is not None and self.damage is None:
            if self._stream.eof:
                # Another member may follow (RFC 1952, 2.2); anything else is no part of the document.
                if not piece.startswith(_MAGIC):
                    return
                self._stream = zlib.decompressobj(_GZIP)
            try:
                part = self._stream.decompress(piece, PIECE)
            except zlib.error:
                self.damage = "The gzip stream is damaged from here on"
                return
            piece = self._stream.unconsumed_tail or self._stream.unused_data
            if part:
                yield part
            elif not self._stream.eof:
                return
