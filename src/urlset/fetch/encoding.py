"""Decode Content-Encoding piece by piece within a limit. A gzip file is not a Content-Encoding and stays as it is."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Protocol

from urlset.files.decompress import Brotli, DamagedError, Zstd
from urlset.files.gunzip import Gunzip, inflate
from urlset.text.sizes import limit_size

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

ACCEPTED = "gzip, deflate, br, zstd"
"""The Accept-Encoding header: every encoding that can be decoded."""

MAX_LAYERS = 3
"""Maximum number of nested encodings; no server sends more on purpose."""

PIECE = 256 * 1024
"""Maximum bytes of output per step, so that a decompression bomb is noticed in time."""


class EncodingError(Exception):
    """A body is not in the encoding that its header declares. The message names the encoding and the problem."""


class Layer(Protocol):
    def feed(self, data: bytes) -> Iterator[bytes]:
        """Yield the decoded bytes, in pieces of limited size.

        Raises:
            EncodingError: The bytes are not in this encoding.
        """
        ...

    @property
    def is_complete(self) -> bool:
        """Whether the input may end here."""
        ...


class Gzip:
    """RFC 1952."""

    def __init__(self) -> None:
        self._layer = Gunzip(PIECE)

    def feed(self, data: bytes) -> Iterator[bytes]:
        try:
            yield from self._layer.feed(data)
        except zlib.error:
            raise EncodingError("Content-Encoding is gzip, but the body is not valid gzip") from None

    @property
    def is_complete(self) -> bool:
        return self._layer.is_complete


class Deflate:
    """RFC 9110 requires the zlib format. Many servers send the raw stream without its header, so both are accepted."""

    def __init__(self) -> None:
        self._stream: zlib._Decompress | None = None
        self._head = b""

    def feed(self, data: bytes) -> Iterator[bytes]:
        if self._stream is None:
            self._head += data
            if len(self._head) < 2:
                return
            data = self._head
            is_zlib = data[0] & 0x0F == 8 and int.from_bytes(data[:2], "big") % 31 == 0
            self._stream = zlib.decompressobj(wbits=15 if is_zlib else -15)
        if self._stream.eof:
            return
        try:
            yield from inflate(self._stream, data, PIECE)
        except zlib.error:
            raise EncodingError("Content-Encoding is deflate, but the body is not valid deflate") from None

    @property
    def is_complete(self) -> bool:
        return not self._head if self._stream is None else self._stream.eof


class OtherDecoder:
    """RFC 7932 (Brotli) and RFC 8878 (Zstandard)."""

    def __init__(self, name: str, layer: Brotli | Zstd) -> None:
        self._name = name
        self._layer = layer

    def feed(self, data: bytes) -> Iterator[bytes]:
        try:
            yield from self._layer.feed(data)
        except DamagedError:
            raise EncodingError(f"Content-Encoding is {self._name}, but the body is not valid {self._name}") from None

    @property
    def is_complete(self) -> bool:
        return self._layer.is_complete


LAYERS: dict[str, Callable[[], Layer]] = {
    "gzip": Gzip,
    "x-gzip": Gzip,
    "deflate": Deflate,
    "br": lambda: OtherDecoder("br", Brotli(PIECE)),
    "zstd": lambda: OtherDecoder("zstd", Zstd(PIECE)),
}


class Decoder:
    """Decodes the encodings that a Content-Encoding header lists, in reverse order.

    Names that are not encodings (`identity`, `utf-8`, `none`) are ignored, as in browsers.

    Args:
        header: The value of the header; None without one.
        limit: Maximum bytes that a nested encoding may inflate to.

    Attributes:
        names: The encodings that are decoded, as in the header; None if nothing is decoded.
    """

    def __init__(self, header: str | None, limit: int) -> None:
        encodings = [name.strip().lower() for name in (header or "").split(",")]
        names = [name for name in encodings if name in LAYERS]
        if len(names) > MAX_LAYERS:
            raise EncodingError(f"Content-Encoding has {len(names)} layers, more than {MAX_LAYERS}")
        self._limit = limit
        self.encodings = ", ".join(names) or None
        self._inflated_bytes = 0
        self._layers = [LAYERS[name]() for name in reversed(names)]

    def feed(self, data: bytes) -> Iterable[bytes]:
        """Return the decoded bytes, in pieces of limited size.

        Raises:
            EncodingError: The bytes are not in the declared encoding.
        """
        pieces: Iterable[bytes] = (data,)
        for layer in self._layers:
            pieces = self._through(layer, pieces)
        return pieces

    def _through(self, layer: Layer, pieces: Iterable[bytes]) -> Iterator[bytes]:
        for piece in pieces:
            for result in layer.feed(piece):
                yield result
                self._inflated_bytes += len(result)
                # The reader stops at the limit on the body. This limits what is inflated only to be inflated again.
                if self._inflated_bytes > self._limit * len(self._layers) + PIECE:
                    raise EncodingError(f"nested Content-Encoding inflates to more than {limit_size(self._limit)}")

    @property
    def is_complete(self) -> bool:
        """Whether every encoding is complete, once the last byte has been fed."""
        return all(layer.is_complete for layer in self._layers)
