"""Undoing gzip: members, what follows them, bounds on what is given at once."""

from __future__ import annotations

import gzip
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urlset.files.gunzip import Gunzip, gunzip_bytes
from urlset.schema.inflate import Inflate

BODIES = st.lists(st.binary(max_size=300) | st.just(b"a" * 5_000), min_size=1, max_size=3)


@given(
    BODIES, st.sampled_from([b"", b"\0\0\0", b"\x1f", b"\x1fx", b"trailing"]), st.integers(1, 700), st.integers(1, 99)
)
def test_members_come_whole_however_the_bytes_are_cut(bodies: list[bytes], after: bytes, step: int, piece: int) -> None:
    packed = b"".join(map(gzip.compress, bodies)) + after
    layer = Gunzip(piece)
    parts = [part for at in range(0, len(packed), step) for part in layer.feed(packed[at : at + step])]
    assert b"".join(parts) == b"".join(bodies)
    assert all(len(part) <= piece for part in parts)
    assert layer.is_complete


def test_a_stream_that_is_cut_is_not_complete() -> None:
    layer = Gunzip(100)
    assert layer.is_complete
    assert b"".join(layer.feed(gzip.compress(b"abc" * 100)[:-1])) == b"abc" * 100
    assert not layer.is_complete


def test_a_stream_that_is_cut_gives_all_of_its_content() -> None:
    # zlib has taken all bytes when the first pieces come, and has more of them.
    assert b"".join(Gunzip(10).feed(gzip.compress(b"a" * 5_000)[:-9])) == b"a" * 5_000


def test_what_is_no_gzip_is_an_error_of_zlib() -> None:
    with pytest.raises(zlib.error):
        list(Gunzip(100).feed(b"no gzip"))


def test_what_was_read_before_a_damage_counts() -> None:
    packed = gzip.compress(b"abc" * 100)
    assert gunzip_bytes(packed + b"\x1f\x8bdamaged", 1_000) == b"abc" * 100
    assert gunzip_bytes(packed, 10) == b"abcabcabca"
    assert gunzip_bytes(b"no gzip", 10) == b""


def test_libxml2_is_fed_a_member_whose_magic_came_in_two_pieces() -> None:
    first = gzip.compress(b"<urlset>")
    packed = first + gzip.compress(b"</urlset>")
    inflate = Inflate()
    at = len(first) + 1
    assert b"".join([*inflate(packed[:at]), *inflate(packed[at:]), *inflate.finish()]) == b"<urlset></urlset>"
