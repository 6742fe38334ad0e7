"""Decompresses Zstandard and Brotli as streams, in pieces of limited size; `gunzip` does the same for gzip.

The core decompresses gzip files only. Files in these formats are decompressed here, between the source and the core.
"""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
"""The first bytes of each frame: RFC 8878, section 3.1.1."""

ZSTD_WINDOW = 23
"""Binary logarithm of the largest window that a sender may require: 8 MiB, as in RFC 9659."""

PIECE = 256 * 1024
"""Maximum bytes of input and of output per step, so that a decompression bomb is noticed in time."""

_TEXT = re.compile(rb"(\xef\xbb\xbf)?\s*(<|https?://)")
"""The start of a sitemap that is not compressed, whatever its name: Brotli data has no signature."""

DAMAGED = "damaged"


class DamagedError(Exception):
    """Bytes are not in the expected format."""


class Brotli:
    """RFC 7932. Bytes after the end of the stream are ignored.

    Args:
        piece: Maximum size of each piece of output, in bytes.
    """

    def __init__(self, piece: int = PIECE) -> None:
        import brotli

        self._piece = piece
        self._stream = brotli.Decompressor()
        self._error = brotli.error
        self._began = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Decompress bytes, and yield the output.

        Raises:
            DamagedError: The bytes are not Brotli.
        """
        self._began = self._began or bool(data)
        while not self._stream.is_finished():
            try:
                piece = self._stream.process(data, output_buffer_limit=self._piece)
            except self._error:
                raise DamagedError from None
            if not piece:
                return
            yield piece
            data = b""

    @property
    def is_complete(self) -> bool:
        """Whether the stream is complete, or has not begun."""
        return bool(self._stream.is_finished()) or not self._began


class Zstd:
    """RFC 8878: one or more frames.

    Args:
        piece: Maximum size of each piece of output, in bytes.
    """

    def __init__(self, piece: int = PIECE) -> None:
        if sys.version_info >= (3, 14):
            from compression import zstd
        else:
            from backports import zstd

        def begin() -> zstd.ZstdDecompressor:
            return zstd.ZstdDecompressor(options={zstd.DecompressionParameter.window_log_max: ZSTD_WINDOW})

        self._piece = piece
        self._begin = begin
        self._error = zstd.ZstdError
        self._stream = begin()
        self._began = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Decompress bytes, and yield the output.

        Raises:
            DamagedError: The bytes are not Zstandard, or require a window larger than 8 MiB.
        """
        while data or not (self._stream.needs_input or self._stream.eof):
            if self._stream.eof:
                self._stream = self._begin()
            self._began = True
            try:
                piece = self._stream.decompress(data, max_length=self._piece)
            except self._error:
                raise DamagedError from None
            if piece:
                yield piece
            data = self._stream.unused_data if self._stream.eof else b""

    @property
    def is_complete(self) -> bool:
        """Whether the last frame is complete, or none has begun."""
        return bool(self._stream.eof) or not self._began


class _File(Protocol):
    def read(self, size: int, /) -> bytes: ...


class DecompressedFile:
    """The content of a compressed file, as a file.

    Attributes:
        compression: The name of the format: `zstd` or `br`.
        wire_bytes: Bytes of the compressed file that were read so far.
        damage: Why the content ends early, as a sentence without a full stop; None if it does not.
    """

    def __init__(self, file: _File, head: bytes, compression: str, *, hashed: bool) -> None:
        import hashlib

        self.compression = compression
        self.wire_bytes = 0
        self.damage: str | None = None
        self._hash = hashlib.sha256() if hashed else None
        self._layer = Zstd() if compression == "zstd" else Brotli()
        self._pieces = self._all_pieces(file, head)
        self._remaining = memoryview(b"")

    @property
    def sha256(self) -> str | None:
        """The SHA-256 of the compressed file as far as it was read; None if not requested."""
        return None if self._hash is None else self._hash.hexdigest()

    def read(self, size: int, /) -> bytes:
        while not self._remaining:
            piece = next(self._pieces, None)
            if piece is None:
                return b""
            self._remaining = memoryview(piece)
        part, self._remaining = self._remaining[:size], self._remaining[size:]
        return bytes(part)

    def begins(self, head: bytes) -> bool:
        """Decompress the first piece, and return whether the file, which begins with `head`, is in the format."""
        self._remaining = memoryview(next(self._pieces, b""))
        is_wrong = self.damage is not None and self.damage.endswith(DAMAGED)
        return bool(self._remaining) or not is_wrong or self.wire_bytes > len(head)

    def _all_pieces(self, file: _File, data: bytes) -> Iterator[bytes]:
        try:
            while data:
                self.wire_bytes += len(data)
                if self._hash is not None:
                    self._hash.update(data)
                yield from self._layer.feed(data)
                data = file.read(PIECE)
        except DamagedError:
            self.damage = f"{self.compression} data is {DAMAGED}"
            return
        if not self._layer.is_complete:
            self.damage = f"{self.compression} data is truncated"


class Peeked:
    """A file of which the first bytes were read already."""

    def __init__(self, head: bytes, file: _File) -> None:
        self._head = memoryview(head)
        self._file = file

    def read(self, size: int, /) -> bytes:
        if self._head:
            piece, self._head = self._head[:size], self._head[size:]
            return bytes(piece)
        return self._file.read(size)


def decompress(file: _File, name: str, *, hashed: bool) -> DecompressedFile | Peeked:
    """Return the content of a file: decompressed if it is Zstandard or Brotli, and unchanged otherwise.

    Zstandard is detected by its signature. Brotli has none, so it is tried if the name ends in `.br`.

    Args:
        file: The file, at its start.
        name: Its name, or its URL without the query.
        hashed: Whether to compute the SHA-256 of a compressed file.

    Raises:
        OSError: The file cannot be read.
    """
    head = file.read(PIECE)
    while 0 < len(head) < len(ZSTD_MAGIC) and (more := file.read(PIECE)):
        head += more
    if head.startswith(ZSTD_MAGIC):
        compression = "zstd"
    elif head and name.lower().endswith(".br") and not _TEXT.match(head):
        compression = "br"
    else:
        return Peeked(head, file)
    content = DecompressedFile(file, head, compression, hashed=hashed)
    # The core reports bytes that cannot be decompressed as what they are.
    return content if content.begins(head) else Peeked(head, file)


def may_be_compressed(path: Path, name: str) -> bool:
    """Return whether a file may have to be decompressed here: by its first bytes or its name.

    What is not a regular file, such as a pipe, can only be read once, so this cannot be known.

    Raises:
        OSError: The file cannot be read.
    """
    if not path.is_file() or name.lower().endswith(".br"):
        return True
    with path.open("rb") as file:
        return file.read(len(ZSTD_MAGIC)) == ZSTD_MAGIC
