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

from urlset.errors import InputError, reason_of
from urlset.files.bounded import read_file
from urlset.text.sizes import MiB, size

if TYPE_CHECKING:
    from pathlib import Path

MAX_ARCHIVE_BYTES = 16 * MiB
"""Maximum size of an archive; an export of Search Console has at most 1,000 URLs."""

MAX_CSV_BYTES = 128 * MiB
"""Maximum size of a CSV file."""

MAX_UNPACKED = 32 * MiB
"""Maximum size of everything in an archive after decompression: 1,000 URLs of 2,048 characters take 2 MiB."""

MAX_ROWS = 1_000_000
"""Maximum number of rows of a file, empty ones included: about as many as a sheet of Excel has. Each takes at least 80
bytes of memory, and two bytes of the file."""

MAX_CELLS = 8_000_000
"""Maximum number of cells of a file."""

MAX_MEMBERS = 100
"""Maximum number of members of an archive; an export has three to six."""

_ZIP = b"PK\x03\x04"
_ZIP_ENTRY = b"PK\x01\x02"
_EXCEL = re.compile(rb"spreadsheetml")
_METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError, ValueError)
"""The exceptions of `zipfile` for archives that are damaged, encrypted, or packed by other methods."""

_DELIMITERS = (",", ";", "\t")
"""What separates cells. Excel writes semicolons where the comma is in numbers, and tabs in UTF-16."""

_HEAD = 64 * 1024
"""Bytes in which the header ends."""

_KANA = re.compile("[ぁ-ヿ]")
_QUOTED = re.compile('"[^"]*"')
_SEPARATOR = re.compile(r"sep=(.)\r?\n")
"""A first line by which Excel knows the separator."""


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
        content = read_file(path, MAX_CSV_BYTES)
    except OSError as error:
        raise InputError(str(path), f"cannot be read: {reason_of(error)}") from None
    if not content.startswith(_ZIP):
        return (_Reader(path).table(content),), False
    if len(content) > MAX_ARCHIVE_BYTES:
        raise InputError(str(path), f"is an archive of more than {size(MAX_ARCHIVE_BYTES)}; exports are much smaller")
    reader = _Reader(path)
    return tuple(reader.table(member) for member in _members(content, path)), True


def _members(content: bytes, path: Path) -> list[bytes]:
    """Return the contents of the members of an archive that are not empty."""
    # Counted before the directory is read, which takes memory for each entry.
    if content.count(_ZIP_ENTRY) > MAX_MEMBERS:
        raise InputError(str(path), f"has more than {MAX_MEMBERS} members; exports have at most six")
    contents, budget = [], MAX_UNPACKED
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for info in archive.infolist():
                if info.compress_type not in _METHODS or info.flag_bits & 1:
                    raise InputError(str(path), "is an encrypted archive, or uses an unusual compression")
                with archive.open(info) as member:
                    data = member.read(budget + 1)
                if len(data) > budget:
                    raise InputError(str(path), f"has more than {size(MAX_UNPACKED)} after decompression")
                budget -= len(data)
                if data:
                    contents.append(data)
    except _BROKEN as error:
        raise InputError(str(path), f"is a damaged ZIP file: {reason_of(error)}") from None
    if any(_EXCEL.search(data[:4096]) for data in contents):
        raise InputError(str(path), "is an Excel workbook; in Search Console, choose Export, and then Download CSV")
    return contents


class _Reader:
    """Reads the tables of a file, which together have at most `MAX_ROWS` and `MAX_CELLS`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._rows = 0
        self._cells = 0

    def table(self, content: bytes) -> CsvTable:
        """Return a table.

        Raises:
            InputError: It is not CSV, or has too many rows or cells.
        """
        encoding = _encoding(content)
        if encoding is None:
            raise InputError(str(self._path), "is not a CSV file in UTF-8")
        delimiter, skipped = _delimiter(content, encoding)
        filled: list[tuple[str, ...]] = []
        try:
            # Decoded in pieces: a text of all lines takes up to four times as much memory as the file.
            text = io.TextIOWrapper(io.BytesIO(content), encoding, newline="")
            text.read(skipped)
            for row in csv.reader(text, delimiter=delimiter, strict=True):
                self._count(row)
                cells = tuple(cell.strip() for cell in row)
                if any(cells):
                    filled.append(cells)
        except csv.Error as error:
            raise InputError(str(self._path), f"is not a valid CSV file: {error}") from None
        return CsvTable(filled[0], tuple(filled[1:])) if filled else CsvTable((), ())

    def _count(self, row: list[str]) -> None:
        self._rows += 1
        self._cells += len(row)
        for number, limit, what in ((self._rows, MAX_ROWS, "rows"), (self._cells, MAX_CELLS, "cells")):
            if number > limit:
                raise InputError(str(self._path), f"has more than {limit:,} {what}; split it into several files")


def _encoding(content: bytes) -> str | None:
    """Return the encoding of a CSV file; None if it is not text in any of those that exports have."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16" if _decoded(content, "utf-16") is not None else None
    text = _decoded(content, "utf-8-sig")
    if text is not None:
        return "utf-8-sig"
    # Excel writes that of Windows. Nearly all bytes are text in the European one, but Japanese has kana.
    japanese = _decoded(content, "cp932")
    if japanese is not None and _KANA.search(japanese):
        return "cp932"
    return "cp1252" if _decoded(content, "cp1252") is not None else None


def _decoded(content: bytes, encoding: str) -> str | None:
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text


def _delimiter(content: bytes, encoding: str) -> tuple[str, int]:
    """Return what separates the cells of a table, and the number of characters before its header."""
    start = content[:_HEAD].decode(encoding, "ignore")
    if match := _SEPARATOR.match(start):
        return match[1], match.end()
    header = _QUOTED.sub("", start.lstrip("\r\n").split("\n", 1)[0])
    return max(_DELIMITERS, key=header.count), 0
