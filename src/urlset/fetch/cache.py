"""The cache on disk: bodies with what the server needs to say that they are still good.

An entry is one file: a line with its version and the hash of the next; a line of JSON that holds the hash of the body;
the body. It is written whole beside its place and then moved there, so that two runs at once see the old one or the
new one. Nothing in it is believed before its hash is right; what is damaged is removed, and fetched anew.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

VERSION = b"urlset-cache-1"
MOST_BYTES = 1024 * 1024 * 1024
"""Size of the cache, at most; beyond it what was not used for longest goes."""
MOST_ENTRY_BYTES = MOST_BYTES // 4
KEPT_IN_MEMORY = 8 * 1024 * 1024
"""Bodies above this many bytes are given as an open file."""
LONGEST_HEAD = 128 * 1024
CHECKED_AFTER = 64 * 1024 * 1024
"""Bytes written after which the size of the cache is looked at; it always is at the end of a run that wrote."""
PIECE = 1024 * 1024

KEPT_HEADERS = (
    "content-type", "content-encoding", "content-disposition", "content-language", "etag", "last-modified",
    "cache-control", "x-robots-tag", "link", "server",
)  # fmt: skip
"""Headers that are kept: a list of what may be, so that no secret gets in."""


class CacheDamagedError(Exception):
    """An entry is not what was written."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What is known of a body that is kept.

    Attributes:
        url: Where it came from.
        status: The HTTP status it came with.
        headers: Those of its headers that are kept.
        size: Its size without Content-Encoding, in bytes.
        sha256: Its hash.
        wire_bytes: Its size as received.
        content_encoding: What Content-Encoding was undone.
    """

    url: str
    status: int
    headers: Mapping[str, str]
    size: int
    sha256: str
    wire_bytes: int
    content_encoding: str | None

    @property
    def conditions(self) -> list[tuple[str, str]]:
        """Headers that ask for the body only if it is another one by now."""
        names = (("etag", "If-None-Match"), ("last-modified", "If-Modified-Since"))
        return [(condition, self.headers[name]) for name, condition in names if name in self.headers]


@dataclass(frozen=True, slots=True)
class CacheInfo:
    """What is in a cache."""

    folder: Path
    entries: int
    bytes: int


def default_folder() -> Path:
    """Where the cache is unless somebody says otherwise: URLSET_CACHE_DIR, or the platform's place for caches."""
    if given := os.environ.get("URLSET_CACHE_DIR"):
        return Path(given)
    from platformdirs import user_cache_path

    return user_cache_path("urlset", appauthor=False)


def key_of(*parts: str) -> str:
    """The key of an entry, from all that decides what the server answers."""
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogateescape")).hexdigest()


class Cache:
    """A cache in a folder. What fails on disk costs speed and nothing else.

    Args:
        folder: Where it is; it is made when the first entry is written.
        most_bytes: Its size, at most.
    """

    def __init__(self, folder: Path, most_bytes: int = MOST_BYTES) -> None:
        self.folder = folder / "http"
        self._most_bytes = most_bytes
        self._written = 0

    def find(self, key: str) -> Kept | None:
        """What is known of the entry, if there is one and its head is good; its body is not looked at yet."""
        try:
            with self._path(key).open("rb") as file:
                return _read_head(file)
        except OSError:
            return None
        except CacheDamagedError:
            self.remove(key)
            return None

    def load(self, key: str, kept: Kept) -> bytes | IO[bytes] | None:
        """The body of the entry that `kept` was found of; None if it is not there as it was any more."""
        try:
            file = self._path(key).open("rb")
        except OSError:
            return None
        try:
            if _read_head(file).sha256 != kept.sha256:
                # Another run has put a newer one there.
                file.close()
                return None
            begin = file.tell()
            if kept.size <= KEPT_IN_MEMORY:
                content = file.read(kept.size + 1)
                file.close()
                if len(content) != kept.size or hashlib.sha256(content).hexdigest() != kept.sha256:
                    raise CacheDamagedError
                self._used(key)
                return content
            if _hash_of(file) != kept.sha256:
                raise CacheDamagedError
            file.seek(begin)
        except (CacheDamagedError, OSError):
            file.close()
            self.remove(key)
            return None
        self._used(key)
        return file

    def store(self, key: str, kept: Kept, content: bytes | IO[bytes]) -> None:
        """Keeps a body; a file is left at its beginning."""
        if kept.size > min(MOST_ENTRY_BYTES, self._most_bytes // 4):
            return
        path = self._path(key)
        partial = path.with_name(f"{path.name}.{secrets.token_hex(6)}.partial")
        head = json.dumps(asdict(kept), sort_keys=True).encode()
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
            # A full or read-only disk: the answer is there all the same.
            with suppress(OSError):
                partial.unlink(missing_ok=True)
            return
        self._written += kept.size
        if self._written > CHECKED_AFTER:
            self.shrink()

    def remove(self, key: str) -> None:
        """Drops an entry."""
        with suppress(OSError):
            self._path(key).unlink(missing_ok=True)

    def shrink(self) -> None:
        """Drops what was not used for longest until a fifth of the allowed size is free, if it is exceeded."""
        self._written = 0
        files = []
        total = 0
        for path in self._files():
            with suppress(OSError):
                state = path.stat()
                files.append((state.st_mtime, state.st_size, path))
                total += state.st_size
        if total <= self._most_bytes:
            return
        for _, size, path in sorted(files):
            if total <= self._most_bytes * 4 // 5:
                return
            with suppress(OSError):
                path.unlink()
                total -= size

    def close(self) -> None:
        """Ends a run: the cache is brought to its size if something was written."""
        if self._written:
            self.shrink()

    def info(self) -> CacheInfo:
        """How much is in it."""
        entries = size = 0
        for path in self._files():
            with suppress(OSError):
                size += path.stat().st_size
                entries += path.suffix == ".entry"
        return CacheInfo(self.folder.parent, entries, size)

    def clear(self) -> CacheInfo:
        """Drops everything in it, and says what that was. Other files in the folder stay.

        Raises:
            OSError: Something cannot be removed.
        """
        info = self.info()
        for path in self._files():
            path.unlink(missing_ok=True)
        folders = [path for path in self.folder.glob("*") if path.is_dir()]
        for folder in [*folders, self.folder]:
            # Another run may be writing there.
            with suppress(OSError):
                folder.rmdir()
        return info

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.entry"

    def _files(self) -> Iterator[Path]:
        yield from self.folder.glob("??/*.entry")
        yield from self.folder.glob("??/*.partial")

    def _used(self, key: str) -> None:
        with suppress(OSError):
            os.utime(self._path(key))


def _read_head(file: IO[bytes]) -> Kept:
    """The head of an entry, if it is as it was written; the file is then at the beginning of the body."""
    version, _, digest = file.readline(256).rstrip(b"\n").partition(b" ")
    head = file.readline(LONGEST_HEAD).rstrip(b"\n")
    if version != VERSION or hashlib.sha256(head).hexdigest().encode() != digest:
        raise CacheDamagedError
    try:
        return Kept(**json.loads(head))
    except (ValueError, TypeError, RecursionError):
        raise CacheDamagedError from None


def _hash_of(file: IO[bytes]) -> str:
    return hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]
