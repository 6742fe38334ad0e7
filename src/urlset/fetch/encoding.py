"""Content-Encoding: undone piece by piece within a bound. A gzip file is no such encoding and stays as it is."""

from __future__ import annotations

import sys
import zlib
from typing import TYPE_CHECKING, Protocol

from urlset.gunzip import Gunzip, inflated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

ACCEPTED = "gzip, deflate, br, zstd"
"""Header Accept-Encoding: all that can be undone."""

MOST_LAYERS = 3
"""Encodings one around the other, at most: more are nobody's intention."""

PIECE = 256 * 1024
"""Bytes that one step puts out, at most, so that a bomb is noticed before it has gone off."""

ZSTD_WINDOW = 23
"""Binary logarithm of the largest window in bytes that a sender may ask for: 8 MiB, as RFC 9659 has it."""


class EncodingError(Exception):
    """A body is not in the encoding that its header says; the text says what is wrong, with the encoding's name."""


class Layer(Protocol):
    """Undoes one encoding."""

    def feed(self, data: bytes) -> Iterator[bytes]:
        """What these bytes stand for, in pieces of a bounded size.

        Raises:
            EncodingError: They are not in this encoding.
        """
        ...

    @property
    def is_complete(self) -> bool:
        """Whether the encoding is at an end where it may be."""
        ...


class Gzip:
    """RFC 1952."""

    def __init__(self) -> None:
        self._layer = Gunzip(PIECE)

    def feed(self, data: bytes) -> Iterator[bytes]:
        """As `Layer.feed`."""
        try:
            yield from self._layer.feed(data)
        except zlib.error:
            raise EncodingError("its Content-Encoding is called gzip, but it is none, or damaged") from None

    @property
    def is_complete(self) -> bool:
        """As `Layer.is_complete`."""
        return self._layer.is_complete


class Deflate:
    """RFC 9110 means zlib's format; many servers send the bare stream without its header, and so both are read."""

    def __init__(self) -> None:
        self._stream: zlib._Decompress | None = None
        self._head = b""

    def feed(self, data: bytes) -> Iterator[bytes]:
        """As `Layer.feed`."""
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
            yield from inflated(self._stream, data, PIECE)
        except zlib.error:
            raise EncodingError("its Content-Encoding is called deflate, but it is none, or damaged") from None

    @property
    def is_complete(self) -> bool:
        """As `Layer.is_complete`."""
        return not self._head if self._stream is None else self._stream.eof


class Brotli:
    """RFC 7932."""

    def __init__(self) -> None:
        import brotli

        self._stream = brotli.Decompressor()
        self._error = brotli.error
        self._began = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        """As `Layer.feed`."""
        self._began = self._began or bool(data)
        while not self._stream.is_finished():
            try:
                piece = self._stream.process(data, output_buffer_limit=PIECE)
            except self._error:
                raise EncodingError("its Content-Encoding is called brotli, but it is none, or damaged") from None
            if not piece:
                return
            yield piece
            data = b""

    @property
    def is_complete(self) -> bool:
        """As `Layer.is_complete`."""
        return bool(self._stream.is_finished()) or not self._began


class Zstd:
    """RFC 8878: one frame or several."""

    def __init__(self) -> None:
        if sys.version_info >= (3, 14):
            from compression import zstd
        else:
            from backports import zstd

        def begin() -> zstd.ZstdDecompressor:
            return zstd.ZstdDecompressor(options={zstd.DecompressionParameter.window_log_max: ZSTD_WINDOW})

        self._begin = begin
        self._error = zstd.ZstdError
        self._stream = begin()
        self._began = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        """As `Layer.feed`."""
        while data or not (self._stream.needs_input or self._stream.eof):
            if self._stream.eof:
                self._stream = self._begin()
            self._began = True
            try:
                piece = self._stream.decompress(data, max_length=PIECE)
            except self._error:
                raise EncodingError("its Content-Encoding is called zstd, but it is none, or damaged") from None
            if piece:
                yield piece
            data = self._stream.unused_data if self._stream.eof else b""

    @property
    def is_complete(self) -> bool:
        """As `Layer.is_complete`."""
        return bool(self._stream.eof) or not self._began


LAYERS: dict[str, Callable[[], Layer]] = {
    "gzip": Gzip,
    "x-gzip": Gzip,
    "deflate": Deflate,
    "br": Brotli,
    "zstd": Zstd,
}


class Decoder:
    """Undoes what a header Content-Encoding says, in the reverse order of its names.

    A name that is no encoding (`identity`, `utf-8`, `none`) is passed over, as browsers do.

    Args:
        header: The value of the header; None without one.
        bound: Bytes that an encoding inside another may bring, at most.

    Attributes:
        undone: The encodings that are undone, as the header would name them; None if there are none.
    """

    def __init__(self, header: str | None, bound: int) -> None:
        named = [name.strip().lower() for name in (header or "").split(",")]
        names = [name for name in named if name in LAYERS]
        if len(names) > MOST_LAYERS:
            raise EncodingError(f"it has {len(names)} encodings one around the other")
        self._bound = bound
        self.undone = ", ".join(names) or None
        self._brought = 0
        self._layers = [LAYERS[name]() for name in reversed(names)]

    def feed(self, data: bytes) -> Iterable[bytes]:
        """What these bytes stand for, in pieces of a bounded size.

        Raises:
            EncodingError: They are not in the encoding.
        """
        pieces: Iterable[bytes] = (data,)
        for layer in self._layers:
            pieces = self._through(layer, pieces)
        return pieces

    def _through(self, layer: Layer, pieces: Iterable[bytes]) -> Iterator[bytes]:
        for piece in pieces:
            for result in layer.feed(piece):
                yield result
                self._brought += len(result)
                # Whoever reads stops at the bound of the body; this is for what is inflated only to be inflated again.
                if self._brought > self._bound * len(self._layers) + PIECE:
                    raise EncodingError(f"its encodings inflate to more than {self._bound:,} bytes on the way")

    @property
    def is_complete(self) -> bool:
        """Whether every encoding is at its end, once the last byte is fed."""
        return all(layer.is_complete for layer in self._layers)
