"""The HTTP cache on disk: response bodies with the validators for conditional requests.

An entry is one file: a line with the version and the hash of the next line, a line of JSON with the hash of the body,
and the body. It is written to a temporary file and then renamed, so that concurrent runs see either the old or the new
entry. Hashes are checked before anything is used; a damaged entry is removed and fetched again.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import asdict

from urlset.files.structured import decode_json

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

VERSION = b"urlset-cache-1"
MAX_BYTES = 1024 * 1024 * 1024
"""Maximum size of the cache. Beyond it, the least recently used entries are removed."""
MAX_ENTRY_BYTES = MAX_BYTES // 4
KEPT_IN_MEMORY = 8 * 1024 * 1024
"""Bodies larger than this many bytes are returned as an open file."""
LONGEST_HEAD = 128 * 1024
CHECKED_AFTER = 64 * 1024 * 1024
"""Bytes written after which the size of the cache is checked. It is also checked at the end of a run that wrote."""
PIECE = 1024 * 1024
PARTIAL = ".partial"
"""Ending of the temporary files."""
SECONDS_TO_WRITE = 3600
"""Age in seconds after which a temporary file was left by a killed run."""

KEPT_HEADERS = (
    "content-type", "content-encoding", "content-disposition", "content-language", "etag", "last-modified",
    "cache-control", "x-robots-tag", "link", "server",
)  # fmt: skip
"""The only headers that are stored, so that no credentials get into the cache."""


class CacheDamagedError(Exception):
    """An entry is damaged."""


class CacheEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """The facts of a cached body.

    Attributes:
        size: Its size without Content-Encoding, in bytes.
        wire_bytes: Its size as received.
        content_encoding: The Content-Encoding that was decoded.
    """

    url: str
    status: int
    headers: dict[str, str]
    size: int
    sha256: str
    wire_bytes: int
    content_encoding: str | None

    @property
    def conditions(self) -> list[tuple[str, str]]:
        """The headers that request the body only if it has changed."""
        names = (("etag", "If-None-Match"), ("last-modified", "If-Modified-Since"))
        return [(condition, self.headers[name]) for name, condition in names if name in self.headers]


@dataclass(frozen=True, slots=True)
class CacheInfo:
    """The size of a cache."""

    folder: Path
    entries: int
    bytes: int


def key_of(*parts: str) -> str:
    """Return the key of an entry, from everything that the response depends on."""
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogateescape")).hexdigest()


class Cache:
    """A cache in a directory. If the disk fails, the run is slower but does not fail.

    Args:
        folder: The directory; it is created with the first entry.
    """

    def __init__(self, folder: Path, max_bytes: int = MAX_BYTES) -> None:
        self.folder = folder / "http"
        self._max_bytes = max_bytes
        self._written_bytes = 0

    def find(self, key: str) -> CacheEntry | None:
        """Return the facts of an entry, if it exists and its head is valid. The body is not read yet."""
        try:
            with self._path(key).open("rb") as file:
                return _read_head(file)
        except OSError:
            return None
        except CacheDamagedError:
            self.remove(key)
            return None

    def load(self, key: str, entry: CacheEntry) -> bytes | IO[bytes] | None:
        """Return the body of an entry; None if it has changed or is gone."""
        try:
            file = self._path(key).open("rb")
        except OSError:
            return None
        try:
            if _read_head(file).sha256 != entry.sha256:
                # Another run has replaced the entry.
                file.close()
                return None
            begin = file.tell()
            if entry.size <= KEPT_IN_MEMORY:
                content = file.read(entry.size + 1)
                file.close()
                if len(content) != entry.size or hashlib.sha256(content).hexdigest() != entry.sha256:
                    raise CacheDamagedError
                self._touch(key)
                return content
            if _hash_of(file) != entry.sha256:
                raise CacheDamagedError
            file.seek(begin)
        except (CacheDamagedError, OSError):
            file.close()
            self.remove(key)
            return None
        self._touch(key)
        return file

    def store(self, key: str, entry: CacheEntry, content: bytes | IO[bytes]) -> None:
        """Store a body. A file is left at its start."""
        if entry.size > min(MAX_ENTRY_BYTES, self._max_bytes // 4):
            return
        path = self._path(key)
        partial = path.with_name(f"{path.name}.{secrets.token_hex(6)}{PARTIAL}")
        head = json.dumps(asdict(entry), sort_keys=True).encode()
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with partial.open("xb") as file:
                file.write(b"%s %s\n%s\n" % (VERSION, hashlib.sha256(head).hexdigest().encode(), head))
                if isinstance(content, bytes):
                    file.write(content)
                else:
                    content.seek(0)
                    shutil.copyfileobj(content, file, PIECE)
                    content.seek(0)
            partial.replace(path)
        except OSError:
            # The disk is full or read-only. The response is still available.
            with suppress(OSError):
                partial.unlink(missing_ok=True)
            return
        self._written_bytes += entry.size
        if self._written_bytes > CHECKED_AFTER:
            self.shrink()

    def remove(self, key: str) -> None:
        with suppress(OSError):
            self._path(key).unlink(missing_ok=True)

    def shrink(self) -> None:
        """Remove what killed runs left, and the least recently used entries if the cache is too large.

        Then, a fifth of the maximum is free.
        """
        self._written_bytes = 0
        files = []
        total = 0
        for path in self._files():
            with suppress(OSError):
                state = path.stat()
                if path.suffix == PARTIAL and state.st_mtime < time.time() - SECONDS_TO_WRITE:
                    path.unlink()
                    continue
                files.append((state.st_mtime, state.st_size, path))
                total += state.st_size
        if total <= self._max_bytes:
            return
        for _, size, path in sorted(files):
            if total <= self._max_bytes * 4 // 5:
                return
            with suppress(OSError):
                path.unlink()
                total -= size

    def close(self) -> None:
        """End a run: shrink the cache if something was written."""
        if self._written_bytes:
            self.shrink()

    def info(self) -> CacheInfo:
        entries = size = 0
        for path in self._files():
            with suppress(OSError):
                size += path.stat().st_size
                entries += path.suffix == ".entry"
        return CacheInfo(self.folder.parent, entries, size)

    def clear(self) -> CacheInfo:
        """Remove all entries, and return how much there was. Other files in the directory stay.

        Raises:
            OSError: An entry cannot be removed.
        """
        info = self.info()
        for path in self._files():
            path.unlink(missing_ok=True)
        folders = [path for path in self.folder.glob("*") if path.is_dir()]
        for folder in [*folders, self.folder]:
            # Another run may be writing to it.
            with suppress(OSError):
                folder.rmdir()
        return info

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.entry"

    def _files(self) -> Iterator[Path]:
        yield from self.folder.glob("??/*.entry")
        yield from self.folder.glob(f"??/*{PARTIAL}")

    def _touch(self, key: str) -> None:
        with suppress(OSError):
            os.utime(self._path(key))


def _read_head(file: IO[bytes]) -> CacheEntry:
    """Return the head of an entry, if it is undamaged. The file is then at the start of the body."""
    version, _, digest = file.readline(256).rstrip(b"\n").partition(b" ")
    head = file.readline(LONGEST_HEAD).rstrip(b"\n")
    if version != VERSION or hashlib.sha256(head).hexdigest().encode() != digest:
        raise CacheDamagedError
    try:
        return decode_json(head, CacheEntry)
    except ValueError:
        raise CacheDamagedError from None


def _hash_of(file: IO[bytes]) -> str:
    return hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]
