"""Images by their first bytes: each format, truncated anywhere, and other files."""

from __future__ import annotations

import struct

import pytest

from urlset.probe.pictures import Picture, picture_of


def segment(marker: int, body: bytes) -> bytes:
    return bytes([0xFF, marker]) + struct.pack(">H", len(body) + 2) + body


FRAME = struct.pack(">BHHB", 8, 90, 120, 3) + bytes(9)
EXIF = segment(0xE1, b"Exif\0\0" + segment(0xC0, struct.pack(">BHHB", 8, 1, 1, 3)) * 3)
TABLES = segment(0xC4, bytes(30)) + segment(0xDB, bytes(65))
VP8 = b"\x30\x01\x00\x9d\x01\x2a" + struct.pack("<HH", 640 | 1 << 14, 360)
ISPE = b"\0\0\0\x14ispe\0\0\0\0"

PICTURES = {
    "png": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", 640, 360), Picture("png", 640, 360)),
    "gif": (b"GIF87a" + struct.pack("<HH", 16, 17), Picture("gif", 16, 17)),
    "jpeg": (b"\xff\xd8" + segment(0xE0, b"JFIF\0") + TABLES + segment(0xC0, FRAME), Picture("jpeg", 120, 90)),
    "jpeg, progressive, with a small one in Exif": (
        b"\xff\xd8" + EXIF + b"\xff" + segment(0xC2, FRAME),
        Picture("jpeg", 120, 90),
    ),
    "jpeg without a frame": (b"\xff\xd8\xff\xd9", Picture("jpeg")),
    "jpeg that is broken": (b"\xff\xd8\xff\xe0\0\x04abcd", Picture("jpeg")),
    "webp": (b"RIFF\0\0\0\0WEBPVP8 \0\0\0\0" + VP8, Picture("webp", 640, 360)),
    "webp, lossless": (
        b"RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f" + struct.pack("<I", 119 | 89 << 14),
        Picture("webp", 120, 90),
    ),
    "webp, extended": (
        b"RIFF\0\0\0\0WEBPVP8X\0\0\0\0" + bytes(4) + (119).to_bytes(3, "little") + (89).to_bytes(3, "little"),
        Picture("webp", 120, 90),
    ),
    "avif, a grid": (
        b"\0\0\0\x1cftypavif" + ISPE + struct.pack(">II", 64, 64) + ISPE + struct.pack(">II", 120, 90),
        Picture("avif", 120, 90),
    ),
    "bmp, upside down": (b"BM" + bytes(16) + struct.pack("<ii", 32, -16), Picture("bmp", 32, 16)),
    "svg": (b"\xef\xbb\xbf<?xml version='1.0'?>\n<!-- a > b -->\n<!DOCTYPE svg>\n<svg width='10'>", Picture("svg")),
}

NONE = {
    "nothing": b"",
    "a page": b"<!doctype html><svg></svg>",
    "text that names it": b"svg PNG GIF89a",
    "something like it": b"<svgx>",
    "a comment without an end": b"<!-- <svg>",
    "a sound": b"RIFF\0\0\0\0WAVEfmt ",
    "a video": b"\0\0\0\x1cftypisom",
}


@pytest.mark.parametrize("name", PICTURES)
def test_format_and_size(name: str) -> None:
    data, expected = PICTURES[name]
    assert picture_of(data) == expected
    assert picture_of(data + bytes(100)) == expected


@pytest.mark.parametrize("name", PICTURES)
def test_truncated_image_has_no_size_or_the_right_one(name: str) -> None:
    data, expected = PICTURES[name]
    for end in range(len(data)):
        found = picture_of(data[:end])
        if found is not None and found.width is not None and expected.format != "avif":
            assert found == expected


@pytest.mark.parametrize("name", NONE)
def test_not_an_image(name: str) -> None:
    assert picture_of(NONE[name]) is None


def test_many_comments_take_linear_time() -> None:
    assert picture_of(b"<!---->" * 30_000 + b"<html>") is None
