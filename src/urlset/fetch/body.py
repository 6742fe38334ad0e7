"""Read the body of a response piece by piece up to a limit, into memory or a temporary file."""

from __future__ import annotations

import hashlib
import tempfile
from typing import IO, TYPE_CHECKING

from urlset.fetch.encoding import Decoder

if TYPE_CHECKING:
    import asyncio

    from urlset.fetch.connection import Incoming

KEPT_IN_MEMORY = 8 * 1024 * 1024
"""Bodies larger than this many bytes go to a temporary file."""


class ChunkError(Exception):
    """The chunked encoding of a body is damaged."""


class Spool:
    """Bytes that are received in pieces: in memory, or in a temporary file if there are many."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._file: IO[bytes] | None = None
        self.size = 0

    def write(self, piece: bytes) -> None:
        self.size += len(piece)
        if self._file is not None:
            self._file.write(piece)
            return
        self._pieces.append(piece)
        if self.size > KEPT_IN_MEMORY:
            self._file = tempfile.TemporaryFile()  # noqa: SIM115 (read later, and closed with the answer)
            self._file.writelines(self._pieces)
            self._pieces = []

    def content(self) -> bytes | IO[bytes]:
        """Return the bytes, or a file at its start."""
        if self._file is None:
            return b"".join(self._pieces)
        self._file.seek(0)
        return self._file

    def close(self) -> None:
        if self._file is not None:
            self._file.close()


class Body:
    """The part of a body received so far, with its Content-Encoding decoded.

    Args:
        limit: Maximum bytes to keep. One more is kept, so that a reader sees that there was more.
        encoding: The Content-Encoding header.

    Raises:
        EncodingError: The header is invalid.
    """

    def __init__(self, limit: int, encoding: str | None) -> None:
        self._limit = limit
        self._decoder = Decoder(encoding, limit)
        self._spool = Spool()
        self.wire_bytes = 0

    @property
    def size(self) -> int:
        """Size of what was kept, in bytes."""
        return self._spool.size

    @property
    def is_too_large(self) -> bool:
        return self.size > self._limit

    @property
    def content_encoding(self) -> str | None:
        """The Content-Encoding that is decoded."""
        return self._decoder.encodings

    @property
    def is_complete(self) -> bool:
        """Whether the encoding, if there is one, is complete."""
        return self._decoder.is_complete

    async def read(self, response: Incoming) -> None:
        """Read to the end or just beyond the limit. If that fails, what was received is kept.

        Raises:
            EncodingError: The body is not in the encoding that the header declares.
        """
        _wake_when_closed(response)
        while data := await response.content.readany():
            self.wire_bytes += len(data)
            for piece in self._decoder.feed(data):
                self._keep(piece)
                if self.is_too_large:
                    return

    def _keep(self, piece: bytes) -> None:
        self._spool.write(piece[: self._limit + 1 - self.size])

    def content(self) -> bytes | IO[bytes]:
        """Return what was kept: bytes, or a file at its start."""
        return self._spool.content()

    def close(self) -> None:
        self._spool.close()


def _wake_when_closed(response: Incoming) -> None:
    """Stop waiting for the rest of a body when the connection has closed.

    aiohttp closes a connection at an invalid chunk, but leaves the reader of the body waiting for more.
    """
    content, protocol = response.content, response.protocol
    if content.is_eof() or "Transfer-Encoding" not in response.head.headers:
        return

    def wake(closed: asyncio.Future[None] | None) -> None:
        if closed is not None and not closed.cancelled():
            # Retrieve the exception, or asyncio reports it as never retrieved.
            closed.exception()
        if not content.is_eof() and content.exception() is None:
            content.set_exception(ChunkError())

    if protocol.closed is None:
        wake(None)
    else:
        protocol.closed.add_done_callback(wake)


def sha256_of(content: bytes | IO[bytes]) -> str:
    """Return the SHA-256 hash in hexadecimal. A file is left at its start."""
    if isinstance(content, bytes):
        return hashlib.sha256(content).hexdigest()
    content.seek(0)
    digest = hashlib.file_digest(content, "sha256").hexdigest()  # type: ignore[arg-type]
    content.seek(0)
    return digest
