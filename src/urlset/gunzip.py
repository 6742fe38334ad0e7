"""Gzip undone while bytes come, in pieces of a bounded size: one member or several, as RFC 1952 has it.

The core undoes gzip itself. This is for bytes that Python has to see: a Content-Encoding, what libxml2 is fed, a diff.
"""

from __future__ import annotations

import zlib
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

MAGIC = b"\x1f\x8b"
"""The first two bytes of each member."""

_WINDOW = 16 + zlib.MAX_WBITS


class Gunzip:
    """Undoes one layer of gzip. What follows the last member is no part of it and is passed over.

    Args:
        piece: Bytes given at once, at most, however far they were packed.
    """

    def __init__(self, piece: int) -> None:
        self._piece = piece
        self._stream = zlib.decompressobj(_WINDOW)
        self._head = b""
        self._began = False
        self._is_over = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Yields what these bytes stand for.

        Raises:
            zlib.error: They are not gzip, or damaged.
        """
        while data and not self._is_over:
            if self._stream.eof:
                data, self._head = self._head + data, b""
                if len(data) < len(MAGIC) and MAGIC.startswith(data):
                    self._head = data
                    return
                if not data.startswith(MAGIC):
                    self._is_over = True
                    return
                self._stream = zlib.decompressobj(_WINDOW)
            self._began = True
            yield from inflated(self._stream, data, self._piece)
            data = self._stream.unused_data

    @property
    def is_complete(self) -> bool:
        """Whether a member has ended here, or none began."""
        return self._stream.eof or not self._began


def inflated(stream: zlib._Decompress, data: bytes, piece: int) -> Iterator[bytes]:
    """Yields what the data brings of a stream of zlib, to its end or that of the data, in pieces of a bounded size."""
    while True:
        part = stream.decompress(data, piece)
        if part:
            yield part
        data = stream.unconsumed_tail
        # A full piece may have left more behind than the data that is still to be put in.
        if stream.eof or (not data and len(part) < piece):
            return


def gunzipped(data: bytes, most: int) -> bytes:
    """Returns what is in a gzip file, as far as it can be read and up to a number of bytes."""
    found = bytearray()
    # What came before a damage counts.
    with suppress(zlib.error):
        for part in Gunzip(most).feed(data):
            found += part
            if len(found) >= most:
                break
    return bytes(found[:most])
