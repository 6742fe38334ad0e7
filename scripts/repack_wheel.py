"""Complete the wheels that maturin left in a folder, and compress them with Zopfli, which makes them 3 % smaller.

Usage: python scripts/repack_wheel.py FOLDER
"""

from __future__ import annotations

import sys
import zipfile
import zlib
from pathlib import Path
from unittest.mock import patch

import zopfli.zlib

import backend

HEADER, CHECKSUM = 2, 4
"""Bytes around the Deflate stream in the zlib format."""


class Compressor:
    """Compresses a member as a whole, with the interface of `zlib.compressobj`."""

    def __init__(self, *_: object) -> None:
        self._data = bytearray()

    def compress(self, data: bytes) -> bytes:
        """Take data; nothing is returned before the end."""
        self._data += data
        return b""

    def flush(self) -> bytes:
        """Return the compressed data."""
        packed: bytes = zopfli.zlib.compress(bytes(self._data), numiterations=1)
        return packed[HEADER:-CHECKSUM]


def repack(wheel: Path) -> None:
    """Compress the members of a wheel again."""
    packed = wheel.with_suffix(".part")
    # zipfile has no public way to compress with anything but zlib.
    with (
        patch("zipfile._get_compressor", Compressor),
        zipfile.ZipFile(wheel) as old,
        zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for member in old.infolist():
            new.writestr(member, old.read(member))
    check_equal(wheel, packed)
    before, after = wheel.stat().st_size, packed.stat().st_size
    packed.replace(wheel)
    print(f"{wheel.name}: {before:,} to {after:,} bytes")


def check_equal(old: Path, new: Path) -> None:
    """Check that two archives have the same members with the same bytes and attributes."""
    with zipfile.ZipFile(old) as first, zipfile.ZipFile(new) as second:
        for one, other in zip(first.infolist(), second.infolist(), strict=True):
            same = (one.filename, one.date_time, one.external_attr) == (
                other.filename,
                other.date_time,
                other.external_attr,
            )
            if not same or first.read(one) != second.read(other):
                raise zlib.error(f"{one.filename} changed")


if __name__ == "__main__":
    for path in sorted(Path(sys.argv[1]).glob("*.whl")):
        backend.complete(path)
        repack(path)
