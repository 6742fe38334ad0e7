"""Decompresses gzip as a stream, in pieces of limited size, with one or more members (RFC 1952).

The core decompresses gzip itself. This is for bytes that Python needs: a Content-Encoding, input for libxml2, a diff.
"""

from __future__ import annotations

import zlib
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import gzip
    from collections.abc import Iterator
    from io import BufferedReader
    from pathlib import Path

MAGIC = b"\x1f\x8b"
"""The first two bytes of each member."""

READ_ERRORS = (OSError, EOFError, zlib.error)
"""Errors of reading what `open_file` returns: from the system, at the end of truncated gzip, and at damaged gzip."""

_WINDOW = 16 + zlib.MAX_WBITS

BLOCK = 16 * 1024
"""Compressed bytes to pass to zlib at once: after each piece of output, it copies those that it did not take yet."""


class Gunzip:
    """Decompresses one layer of gzip. Bytes after the last member are ignored.

    Args:
        piece: Maximum size of each piece of output, in bytes, whatever the compression ratio.
    """

    def __init__(self, piece: int) -> None:
        self._piece = piece
        self._stream = zlib.decompressobj(_WINDOW)
        self._head = b""
        self._began = False
        self._is_over = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Decompress bytes, and yield the output.

        Raises:
            zlib.error: The bytes are not gzip, or are damaged.
        """
        for start in range(0, len(data), BLOCK):
            yield from self._feed(data[start : start + BLOCK])

    def _feed(self, data: bytes) -> Iterator[bytes]:
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
            yield from inflate(self._stream, data, self._piece)
            data = self._stream.unused_data

    @property
    def is_complete(self) -> bool:
        """Whether the last member is complete, or no member has begun."""
        return self._stream.eof or not self._began


def inflate(stream: zlib._Decompress, data: bytes, piece: int) -> Iterator[bytes]:
    """Decompress data to its end or to the end of the zlib stream, and yield the output in pieces of limited size."""
    while True:
        part = stream.decompress(data, piece)
        if part:
            yield part
        data = stream.unconsumed_tail
        # After a full piece, the stream may have more output even if there is no more input.
        if stream.eof or (not data and len(part) < piece):
            return


def gunzip_bytes(data: bytes, max_bytes: int) -> bytes:
    """Return the content of a gzip file up to `max_bytes` bytes, or up to the first damaged byte."""
    content = bytearray()
    # Keep the content before the damage.
    with suppress(zlib.error):
        for part in Gunzip(max_bytes).feed(data):
            content += part
            if len(content) >= max_bytes:
                break
    return bytes(content[:max_bytes])


def open_file(path: Path) -> gzip.GzipFile | BufferedReader:
    """Open a file, gzipped or not. Reading it raises `READ_ERRORS`."""
    import gzip

    with path.open("rb") as file:
        is_gzip = file.read(2) == MAGIC
    return gzip.open(path) if is_gzip else path.open("rb")
