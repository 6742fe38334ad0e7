"""The logs that targets name, and their content: decompressed, piece by piece, as far as it goes."""

from __future__ import annotations

import glob
import sys
import zlib
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from urlset.errors import InputError, UsageError, reason_of
from urlset.files.decompress import ZSTD_MAGIC, DamagedError, Zstd
from urlset.files.gunzip import MAGIC, Gunzip
from urlset.files.repository_links import LEADS_OUT, leads_out
from urlset.net.origin import origin_of
from urlset.objects.object_address import is_object
from urlset.objects.system import open_object
from urlset.sources.walk import files_below, is_hidden, objects_at
from urlset.text.masking import mask_target, mask_url

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.access_log import LogCompression

STDIN = "-"

PIECE = 1024 * 1024
"""Bytes to read at a time."""

STEP = 32 * 1024
"""Bytes to decompress at a time: as many before damaged data are lost."""


class LogFile(Struct, frozen=True):
    """A log.

    Attributes:
        name: Its path or URL, without credentials.
        place: The same as given; None for standard input.
        is_searched: Whether it was found in a directory or below a prefix, which may also have other files.
    """

    name: str
    place: str | None
    is_object: bool = False
    is_searched: bool = False

    @property
    def may_grow(self) -> bool:
        """Whether a server may still be writing to it, so that its last line may be incomplete."""
        return self.place is not None and not self.is_object


def logs_of(target: str) -> Iterator[LogFile]:
    """Yield the logs that a target names: one, all in a directory or below a prefix, or those that a pattern matches.

    Raises:
        InputError: There are no such logs, or they cannot be listed.
        MissingExtraError: An object store needs a package that is not installed.
        UsageError: It is a URL that logs are not read from.
    """
    if target == STDIN:
        yield LogFile("<stdin>", None)
    elif is_object(target):
        for url, _, is_searched in objects_at(target, lambda path: not is_hidden(path), "no objects below this prefix"):
            yield LogFile(mask_url(url), url, is_object=True, is_searched=is_searched)
    elif "://" in target and origin_of(target) is not None:
        raise UsageError(f"{mask_url(target)}: logs are not fetched over HTTP; download the log, or pipe it to `-`")
    elif Path(target).is_dir():
        for path in files_below(Path(target), Path.is_file, "no files in this directory"):
            yield LogFile(mask_target(str(path)), str(path), is_searched=True)
    elif Path(target).exists() or not glob.has_magic(target):
        yield LogFile(mask_target(target), target)
    else:
        paths = glob.iglob(target, recursive=True)  # noqa: PTH207 - the pattern may be absolute
        files = sorted(path for path in paths if Path(path).is_file())
        if not files:
            raise InputError(mask_target(target), "no file matches")
        planted = [path for path in files if leads_out(Path(path))]
        yield from (LogFile(mask_target(path), path) for path in files if path not in planted)
        if planted:
            raise InputError(mask_target(planted[0]), LEADS_OUT)


class _File(Protocol):
    def read(self, size: int, /) -> bytes: ...


class _Layer(Protocol):
    def feed(self, data: bytes) -> Iterator[bytes]: ...

    @property
    def is_complete(self) -> bool: ...


class LogContent:
    """The decompressed content of a log.

    Attributes:
        compression: Its compression.
        damage: Why the content ends early, as a phrase; None if it does not, or is not at its end yet.
    """

    def __init__(self, file: _File, name: str) -> None:
        self._file = file
        self._name = name
        self._head = self._read()
        while 0 < len(self._head) < len(ZSTD_MAGIC) and (data := self._read()):
            self._head += data
        self.compression: LogCompression = "none"
        self._layer: _Layer | None = None
        if self._head.startswith(MAGIC):
            self.compression, self._layer = "gzip", Gunzip(STEP)
        elif self._head.startswith(ZSTD_MAGIC):
            self.compression, self._layer = "zstd", Zstd(STEP)
        self.damage: str | None = None

    def pieces(self) -> Iterator[bytes]:
        """Yield the content; once.

        Raises:
            InputError: The log cannot be read.
        """
        data, self._head = self._head, b""
        if self._layer is not None:
            yield from self._decompress(data, self._layer)
            return
        while data:
            yield data
            data = self._read()

    def _decompress(self, data: bytes, layer: _Layer) -> Iterator[bytes]:
        buffer = bytearray()
        try:
            while data:
                for step in layer.feed(data):
                    buffer += step
                    if len(buffer) >= PIECE:
                        yield bytes(buffer)
                        buffer.clear()
                data = self._read()
        except (zlib.error, DamagedError):
            self.damage = f"{self.compression} data is damaged"
        else:
            if not layer.is_complete:
                self.damage = f"{self.compression} data is truncated"
        if buffer:
            yield bytes(buffer)

    def _read(self) -> bytes:
        try:
            return self._file.read(PIECE)
        except OSError as error:
            raise InputError(self._name, reason_of(error)) from None


@contextmanager
def open_log(log: LogFile) -> Iterator[LogContent]:
    """Open a log.

    Raises:
        InputError: It cannot be opened.
        MissingExtraError: An object store needs a package that is not installed.
    """
    if log.place is None:
        yield LogContent(sys.stdin.buffer, log.name)
    elif log.is_object:
        with open_object(log.place) as file:
            yield LogContent(file, log.name)
    else:
        try:
            local = Path(log.place).open("rb")  # noqa: SIM115 - closed below
        except OSError as error:
            raise InputError(log.name, reason_of(error)) from None
        with local:
            yield LogContent(local, log.name)
