"""The body of an answer: read piece by piece up to its bound, in memory or in a temporary file."""

from __future__ import annotations

import hashlib
import tempfile
from typing import IO, TYPE_CHECKING

from urlset.fetch.encoding import Decoder

if TYPE_CHECKING:
    import asyncio

    import aiohttp

KEPT_IN_MEMORY = 8 * 1024 * 1024
"""Bodies above this many bytes go to a temporary file."""


class ChunkError(Exception):
    """The chunks of a body are damaged."""


class Body:
    """What has come of a body, without its Content-Encoding.

    Args:
        bound: How many bytes are kept, at most; one more is, so that a reader sees that there was more.
        encoding: The header Content-Encoding.

    Attributes:
        wire_bytes: Size as received, in bytes.
        size: Size of what is kept, in bytes.

    Raises:
        EncodingError: The header makes no sense.
    """

    def __init__(self, bound: int, encoding: str | None) -> None:
        self._bound = bound
        self._decoder = Decoder(encoding, bound)
        self._pieces: list[bytes] = []
        self._file: IO[bytes] | None = None
        self.wire_bytes = 0
        self.size = 0

    @property
    def is_too_large(self) -> bool:
        """Whether it goes beyond its bound."""
        return self.size > self._bound

    @property
    def undone(self) -> str | None:
        """The Content-Encoding that is undone."""
        return self._decoder.undone

    @property
    def is_complete(self) -> bool:
        """Whether its encoding, if it has one, is at its end."""
        return self._decoder.is_complete

    async def read(self, response: aiohttp.ClientResponse) -> None:
        """Reads to the end or just beyond the bound; what has come stays if that fails.

        Raises:
            EncodingError: The body is not in the encoding that its header says.
        """
        _wake_when_closed(response)
        async for data in response.content.iter_any():
            self.wire_bytes += len(data)
            for piece in self._decoder.feed(data):
                self._keep(piece)
                if self.is_too_large:
                    return

    def _keep(self, piece: bytes) -> None:
        piece = piece[: self._bound + 1 - self.size]
        self.size += len(piece)
        if self._file is not None:
            self._file.write(piece)
            return
        self._pieces.append(piece)
        if self.size > KEPT_IN_MEMORY:
            self._file = tempfile.TemporaryFile()  # noqa: SIM115 (it is read later, and closed with the answer)
            self._file.writelines(self._pieces)
            self._pieces = []

    def content(self) -> bytes | IO[bytes]:
        """What is kept: bytes, or a file at its beginning."""
        if self._file is None:
            return b"".join(self._pieces)
        self._file.seek(0)
        return self._file

    def close(self) -> None:
        """Drops it."""
        if self._file is not None:
            self._file.close()


def _wake_when_closed(response: aiohttp.ClientResponse) -> None:
    """Ends the wait for the rest of a body when the connection is gone.

    aiohttp closes a connection at a chunk that is none, but leaves whoever reads the body waiting for more.
    """
    protocol = None if response.connection is None else response.connection.protocol
    if protocol is None or "Transfer-Encoding" not in response.headers:
        return
    content = response.content

    def wake(closed: asyncio.Future[None] | None) -> None:
        if closed is not None and not closed.cancelled():
            # Asked for, so that it is not reported as an error that nobody looked at.
            closed.exception()
        if not content.is_eof() and content.exception() is None:
            content.set_exception(ChunkError())

    if protocol.closed is None:
        wake(None)
    else:
        protocol.closed.add_done_callback(wake)


def sha256_of(content: bytes | IO[bytes]) -> str:
    """The hash of a body, in hexadecimal; a file is left at its beginning."""
    if isinstance(content, bytes):
        return hashlib.sha256(content).hexdigest()
    content.seek(0)
    digest = hashlib.file_digest(content, "sha256").hexdigest()  # type: ignore[arg-type]
    content.seek(0)
    return digest
