"""Reads objects of object stores piece by piece, and keeps them in the cache under their ETags."""

from __future__ import annotations

import time
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any

from urlset.errors import InputError
from urlset.fetch.body import Spool, sha256_of
from urlset.fetch.cache import Cache, CacheEntry, key_of
from urlset.fetch.fetched_source import FetchedSource
from urlset.files.user_folders import cache_folder
from urlset.objects.object_address import parts_of
from urlset.objects.system import call, file_system, readable, timeouts

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from typing import IO

    from urlset.options.verbs import ReadOptions
    from urlset.sources import Source

PIECE = 4 * 1024 * 1024
"""Bytes to request at a time."""

SLACK = 128 * 1024
"""Bytes beyond twice the limit on a document to read, so that the core sees that there are more: see its decoder."""

VERSIONS = ("ETag", "etag")
"""Names under which file systems give the ETag of an object."""

MODIFIED = ("LastModified", "last_modified", "updated", "mtime", "created")
"""Names under which file systems give the time of the last change, as a datetime or text."""


def fetch_object(source: Source, options: ReadOptions) -> FetchedSource:
    """Read an object, or take it from the cache if its ETag is that of the cached one.

    Raises:
        InputError: It cannot be read to the end within the time limit.
        MissingExtraError: The object store needs a package that is not installed.
        UsageError: The URL is invalid.
    """
    url = str(source.place)
    parts_of(url)
    system, path = file_system(url, timeouts(url, options.connect_timeout, options.read_timeout, options.retries))
    began = time.perf_counter()
    with readable(source.name):
        reading = _Reading(system, path, source.name, began + options.timeout)
        info = reading.info()
        version, size = _first_fact(info, VERSIONS), int(info.get("size") or 0)
        http_cache = _cache(options.cache_dir or cache_folder()) if options.cache and version else None
        content = None
        if http_cache is not None:
            key = key_of("object", url)
            entry = http_cache.find(key)
            if entry is not None and entry.headers.get("etag") == version and entry.wire_bytes == size:
                content = http_cache.load(key, entry)
        if content is None:
            content = reading.body(size, 2 * options.max_document_bytes + SLACK, version)
            if http_cache is not None and size <= 2 * options.max_document_bytes:
                entry = CacheEntry(url, 200, {"etag": version}, size, sha256_of(content), size, None)
                http_cache.store(key, entry, content)
    facts: dict[str, object] = {"etag": version or None, "last_modified": _first_fact(info, MODIFIED) or None}
    in_memory = len(content) if isinstance(content, bytes) else size
    elapsed = (time.perf_counter() - began) * 1000
    return FetchedSource(content, facts, is_ours=True, elapsed_ms=elapsed, size=in_memory)


class _Reading:
    """Reads one object within a time limit."""

    def __init__(self, system: object, path: str, name: str, until: float) -> None:
        self._system = system
        self._path = path
        self._name = name
        self._deadline = until

    def _call(self, method: str, **named: Any) -> Any:
        seconds = self._deadline - time.perf_counter()
        if seconds <= 0:
            raise TimeoutError
        return call(self._system, method, self._path, seconds=seconds, **named)

    def info(self) -> Mapping[str, Any]:
        info: Mapping[str, object] = self._call("info")
        if info.get("type") == "directory":
            raise InputError(self._name, "is a prefix, not an object; end it with / to read the sitemaps below it")
        return info

    def body(self, size: int, max_bytes: int, version: str) -> bytes | IO[bytes]:
        """Return the bytes of the object, or the first `max_bytes` of them.

        Raises:
            InputError: It was replaced in the meantime, so that pieces of two versions may be mixed.
        """
        spool = Spool()
        try:
            length = min(size, max_bytes)
            while spool.size < length:
                piece = self._call("cat_file", start=spool.size, end=min(spool.size + PIECE, length))
                if not piece:
                    break
                spool.write(piece)
            is_same = spool.size <= PIECE or _first_fact(self.info(), VERSIONS) == version
            if spool.size < length or not is_same:
                raise InputError(self._name, "the object changed while it was read; try again")
        except BaseException:
            spool.close()
            raise
        return spool.content()


@cache
def _cache(folder: Path) -> Cache:
    return Cache(folder)


def _first_fact(info: Mapping[str, object], names: tuple[str, ...]) -> str:
    """Return the first of some facts as text, or an empty text without them."""
    value = next((info[name] for name in names if info.get(name)), "")
    return value.isoformat() if isinstance(value, datetime) else str(value)
