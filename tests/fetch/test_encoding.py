"""Content-Encoding: decoded in pieces of any size, within the limit, and never beyond its end."""

from __future__ import annotations

import gzip
import sys
import zlib
from collections.abc import Callable

import brotli
import pytest
from hypothesis import given
from hypothesis import strategies as st

from urlset.fetch.encoding import PIECE, Decoder, EncodingError

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd


def raw_deflate(data: bytes) -> bytes:
    stream = zlib.compressobj(wbits=-15)
    return stream.compress(data) + stream.flush()


ENCODERS: dict[str, tuple[str, Callable[[bytes], bytes]]] = {
    "gzip": ("gzip", gzip.compress),
    "zlib": ("deflate", zlib.compress),
    "raw": ("deflate", raw_deflate),
    "br": ("br", brotli.compress),
    "zstd": ("zstd", zstd.compress),
}
BOMB = 20_000_000


def decoded(decoder: Decoder, data: bytes, step: int) -> bytes:
    pieces = [data[begin : begin + step] for begin in range(0, len(data), step)]
    return b"".join(b"".join(decoder.feed(piece)) for piece in pieces)


@given(name=st.sampled_from(sorted(ENCODERS)), body=st.binary(max_size=3_000), step=st.integers(1, 2_000))
def test_any_body_in_pieces_of_any_size(name: str, body: bytes, step: int) -> None:
    header, encode = ENCODERS[name]
    decoder = Decoder(header, 10_000)
    assert decoded(decoder, encode(body), step) == body
    assert decoder.is_complete
    assert decoder.encodings == header


@given(names=st.lists(st.sampled_from(sorted(ENCODERS)), min_size=2, max_size=3), body=st.binary(max_size=500))
def test_nested_encodings_are_decoded_from_last_to_first(names: list[str], body: bytes) -> None:
    data = body
    for name in names:
        data = ENCODERS[name][1](data)
    decoder = Decoder(", ".join(ENCODERS[name][0] for name in names), 10_000)
    assert decoded(decoder, data, 100) == body


@pytest.mark.parametrize("name", sorted(ENCODERS))
def test_truncation_is_noticed(name: str) -> None:
    header, encode = ENCODERS[name]
    whole = encode(bytes(range(256)) * 100)
    decoder = Decoder(header, 100_000)
    decoded(decoder, whole[:-3], 50)
    assert not decoder.is_complete


@pytest.mark.parametrize("name", sorted(ENCODERS))
def test_decompression_bomb_is_decoded_in_small_pieces(name: str) -> None:
    header, encode = ENCODERS[name]
    seen = 0
    for piece in Decoder(header, BOMB).feed(encode(bytes(BOMB))):
        # The Brotli decoder may exceed the requested size by one block.
        assert len(piece) <= 2 * PIECE
        seen += len(piece)
    assert seen == BOMB


def test_nested_decompression_bomb_is_stopped() -> None:
    bomb = gzip.compress(gzip.compress(bytes(BOMB)))
    with pytest.raises(EncodingError, match="inflates to more than 1,000 bytes"):
        decoded(Decoder("gzip, gzip", 1_000), bomb, 64 * 1024)


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        (None, None), ("", None), ("identity", None), ("UTF-8", None), ("none", None), ("GZIP", "gzip"),
        (" x-gzip ", "x-gzip"), ("gzip, identity", "gzip"), ("br,gzip", "br, gzip"), ("compress", None),
    ],
)  # fmt: skip
def test_which_names_are_encodings(header: str | None, expected: str | None) -> None:
    assert Decoder(header, 1).encodings == expected


@pytest.mark.parametrize("header", ["gzip", "br", "zstd", "deflate"])
def test_empty_body_is_complete(header: str) -> None:
    decoder = Decoder(header, 1)
    assert b"".join(decoder.feed(b"")) == b""
    assert decoder.is_complete


def test_several_frames() -> None:
    assert decoded(Decoder("zstd", 1_000), zstd.compress(b"one") + zstd.compress(b"two"), 4) == b"onetwo"
    gzipped = gzip.compress(b"one") + gzip.compress(b"two") + b"\0\0\0"
    assert decoded(Decoder("gzip", 1_000), gzipped, 4) == b"onetwo"


def test_too_large_window_is_rejected() -> None:
    options: dict[int, int] = {
        zstd.CompressionParameter.window_log: 27,
        zstd.CompressionParameter.enable_long_distance_matching: 1,
    }
    stream = zstd.ZstdCompressor(options=options)
    data = stream.compress(bytes(1_000)) + stream.flush()
    with pytest.raises(EncodingError, match="zstd"):
        decoded(Decoder("zstd", 10_000), data, 100)
