"""The CSV tables of a file: the file itself, or the members of a ZIP archive, whose names are not used.

A file comes from anywhere. Its size, the number of its members, and what they decompress to are limited, and nothing is
written to disk.
"""

from __future__ import annotations

import csv
import io
import re
import zipfile
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from urlset.bounded import read_whole
from urlset.errors import InputError, reason_of
from urlset.sizes import MiB, size

if TYPE_CHECKING:
    from pathlib import Path

MOST_OF_ARCHIVE = 16 * MiB
"""Maximum size of an archive; an export of Search Console has at most 1,000 URLs."""

MOST_OF_CSV = 128 * MiB
"""Maximum size of a CSV file, and of everything in an archive after decompression."""

MOST_MEMBERS = 100
"""Maximum number of members of an archive; an export has three to six."""

_ZIP = b"PK\x03\x04"
_ZIP_ENTRY = b"PK\x01\x02"
_EXCEL = re.compile(rb"spreadsheetml")
_METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError, ValueError)
"""What `zipfile` raises for archives that are damaged, encrypted, or packed by other methods."""

_ENCODINGS = ("utf-8-sig", "cp932")
"""UTF-8 with or without a byte order mark, and the encoding of Japanese Windows."""


@dataclass(frozen=True, slots=True)
class CsvTable:
    """A table: its header, and its rows without empty ones."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def tables_in(path: Path) -> tuple[tuple[CsvTable, ...], bool]:
    """Return the tables of a file, and whether it is an archive.

    Raises:
        InputError: The file cannot be read, or is neither CSV nor an archive of CSV files.
    """
    try:
        content = read_whole(path, MOST_OF_CSV)
    except OSError as error:
        raise InputError(str(path), f"cannot be read: {reason_of(error)}") from None
    if not content.startswith(_ZIP):
        return (_table(content, path),), False
    if len(content) > MOST_OF_ARCHIVE:
        raise InputError(str(path), f"is an archive of more than {size(MOST_OF_ARCHIVE)}; exports are much smaller")
    return tuple(_table(member, path) for member in _members(content, path)), True


def _members(content: bytes, path: Path) -> list[bytes]:
    """Return the contents of the members of an archive that are not empty."""
    # Counted before the directory is read, which takes memory for each entry.
    if content.count(_ZIP_ENTRY) > MOST_MEMBERS:
        raise InputError(str(path), f"has more than {MOST_MEMBERS} members; exports have at most six")
    found, left = [], MOST_OF_CSV
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for info in archive.infolist():
                if info.compress_type not in _METHODS or info.flag_bits & 1:
                    raise InputError(str(path), "is an encrypted archive, or uses an unusual compression")
                with archive.open(info) as member:
                    data = member.read(left + 1)
                if len(data) > left:
                    raise InputError(str(path), f"has more than {size(MOST_OF_CSV)} after decompression")
                left -= len(data)
                if data:
                    found.append(data)
    except _BROKEN as error:
        raise InputError(str(path), f"is a damaged ZIP file: {reason_of(error)}") from None
    if any(_EXCEL.search(data[:4096]) for data in found):
        raise InputError(str(path), "is an Excel workbook; in Search Console, choose Export, and then Download CSV")
    return found


def _table(content: bytes, path: Path) -> CsvTable:
    text = _text(content)
    if text is None:
        raise InputError(str(path), "is not a CSV file in UTF-8")
    try:
        rows = [tuple(cell.strip() for cell in row) for row in csv.reader(io.StringIO(text, newline=""), strict=True)]
    except csv.Error as error:
        raise InputError(str(path), f"is not a valid CSV file: {error}") from None
    filled = [row for row in rows if any(row)]
    return CsvTable(filled[0], tuple(filled[1:])) if filled else CsvTable((), ())


def _text(content: bytes) -> str | None:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        encodings: tuple[str, ...] = ("utf-16",)
    else:
        encodings = _ENCODINGS
    for encoding in encodings:
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        return None if "\0" in text else text
    return None
