"""The body of an answer: read piece by piece up to its bound, in memory or in a temporary file."""

from __future__ import annotations

import tempfile
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    import aiohttp

KEPT_IN_MEMORY = 8 * 1024 * 1024
"""Bodies above this many bytes go to a temporary file."""


class Body:
    """What has come of a body.

    Attributes:
        wire_bytes: Size as received, in bytes.
        size: Size of what is kept, in bytes.
    """

    def __init__(self, bound: int) -> None:
        self._bound = bound
        self._pieces: list[bytes] = []
        self._file: IO[bytes] | None = None
        self.wire_bytes = 0
        self.size = 0

    @property
    def is_too_large(self) -> bool:
        """Whether it goes beyond its bound; one byte more than the bound is kept, so that a reader sees it, too."""
        return self.size > self._bound

    async def read(self, response: aiohttp.ClientResponse) -> None:
        """Reads to the end or just beyond the bound; what has come stays if that fails."""
        async for piece in response.content.iter_any():
            self.wire_bytes += len(piece)
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
        """What is kept: bytes, or a file from its beginning."""
        if self._file is None:
            return b"".join(self._pieces)
        self._file.seek(0)
        return self._file

    def close(self) -> None:
        """Drops it."""
        if self._file is not None:
            self._file.close()
