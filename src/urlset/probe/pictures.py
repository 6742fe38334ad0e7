"""Read format, width, and height of an image from its first bytes, without decoding it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterator

HEAD_BYTES = 256 * 1024
"""Bytes of an image that are enough to find its size, whatever metadata comes first."""

# JPEG frame headers. C4, C8, and CC are in the same range but are not frame headers.
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_STANDALONE = frozenset({0x01, *range(0xD0, 0xDA)})
_PROLOGUE = {b"<?xml": b"?>", b"<!--": b"-->", b"<!DOCTYPE": b">"}
"""What may precede the root element of an XML document, and how each part ends."""


class Picture(Struct, frozen=True):
    """An image.

    Attributes:
        format: png, jpeg, gif, webp, avif, bmp, or svg.
        width: Width in pixels; None if the first bytes do not contain it, as in SVG.
        height: Height in pixels; None in the same cases.
    """

    format: str
    width: int | None = None
    height: int | None = None


def picture_of(data: bytes) -> Picture | None:
    """Return the image that starts with these bytes; None if the format is unknown.

    Example:
        >>> picture_of(b"GIF89a" + bytes([64, 0, 32, 0]))
        Picture(format='gif', width=64, height=32)
    """
    if data[:8] == b"\x89PNG\r\n\x1a\n":
        return Picture("png", *_pair(data, 16, 4, "big"))
    if data[:6] in (b"GIF87a", b"GIF89a"):
        return Picture("gif", *_pair(data, 6, 2, "little"))
    if data[:3] == b"\xff\xd8\xff":
        return Picture("jpeg", *_jpeg(data))
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return Picture("webp", *_webp(data))
    if data[4:12] in (b"ftypavif", b"ftypavis"):
        return Picture("avif", *_avif(data))
    if data[:2] == b"BM" and len(data) >= 26:
        width, height = (int.from_bytes(data[at : at + 4], "little", signed=True) for at in (18, 22))
        return Picture("bmp", width, abs(height))
    return Picture("svg") if _is_svg(data) else None


def _is_svg(data: bytes) -> bool:
    at = 3 if data[:3] == b"\xef\xbb\xbf" else 0
    while True:
        while data[at : at + 1].isspace():
            at += 1
        end = next((end for begin, end in _PROLOGUE.items() if data.startswith(begin, at)), None)
        if end is None:
            return data[at : at + 4] == b"<svg" and not data[at + 4 : at + 5].isalnum()
        position = data.find(end, at)
        if position < 0:
            return False
        at = position + len(end)


def _pair(data: bytes, at: int, size: int, order: str) -> tuple[int, int] | tuple[None, None]:
    """Return two consecutive numbers."""
    if len(data) < at + 2 * size:
        return None, None
    big = order == "big"
    first, second = (int.from_bytes(data[here : here + size], "big" if big else "little") for here in (at, at + size))
    return first, second


def _jpeg(data: bytes) -> tuple[int, int] | tuple[None, None]:
    at = 2
    while at + 4 <= len(data):
        if data[at] != 0xFF:
            return None, None
        marker = data[at + 1]
        if marker == 0xFF:  # Padding.
            at += 1
        elif marker in _STANDALONE:
            at += 2
        elif marker in _FRAMES:
            height, width = _pair(data, at + 5, 2, "big")
            return (None, None) if height is None or width is None else (width, height)
        else:
            at += 2 + max(2, int.from_bytes(data[at + 2 : at + 4], "big"))
    return None, None


def _webp(data: bytes) -> tuple[int, int] | tuple[None, None]:
    kind = data[12:16]
    if kind == b"VP8X" and len(data) >= 30:
        width, height = (int.from_bytes(data[at : at + 3], "little") for at in (24, 27))
        return width + 1, height + 1
    if kind == b"VP8L" and len(data) >= 25:
        bits = int.from_bytes(data[21:25], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8 " and len(data) >= 30:
        width, height = (int.from_bytes(data[at : at + 2], "little") for at in (26, 28))
        return width & 0x3FFF, height & 0x3FFF
    return None, None


def _avif(data: bytes) -> tuple[int, int] | tuple[None, None]:
    """Return the size of the largest image in the file, because a grid contains tiles besides the whole image."""
    sizes = list(_extents(data))
    return max(sizes, key=lambda size: size[0] * size[1]) if sizes else (None, None)


def _extents(data: bytes) -> Iterator[tuple[int, int]]:
    at = data.find(b"ispe")
    while at >= 0:
        width, height = _pair(data, at + 8, 4, "big")
        if width is not None and height is not None:
            yield width, height
        at = data.find(b"ispe", at + 4)
