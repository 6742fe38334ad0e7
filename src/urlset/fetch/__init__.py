"""Fetch a source: its bytes, and facts about the fetch. The only package that knows HTTP and reads objects."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from urlset.errors import InputError, reason_of
from urlset.fetch.fetched_source import FetchedSource
from urlset.sources import BinaryFile, Source, SourceKind

if TYPE_CHECKING:
    from urlset.fetch.fetcher import Fetcher
    from urlset.options.verbs import ReadOptions


def read_bytes(content: bytes | str | BinaryFile | None, max_bytes: int) -> bytes:
    """Return the first `max_bytes` bytes of what the core would read; no bytes for None.

    Raises:
        OSError: The content cannot be read.
    """
    match content:
        case None:
            return b""
        case bytes():
            return content[:max_bytes]
        case str():
            with Path(content).open("rb") as file:
                return file.read(max_bytes)
        case _:
            return content.read(max_bytes)


def fetch(source: Source, options: ReadOptions, fetcher: Fetcher | None = None) -> FetchedSource:
    """Open a source.

    Args:
        fetcher: Fetches URLs; None if no source is a URL.

    Raises:
        InputError: The source cannot be read at all. An invalid document is not an error.
    """
    place = source.place
    match source.kind:
        case SourceKind.URL:
            assert fetcher is not None
            return _fetch_url(source, options, fetcher)
        case SourceKind.PATH:
            _check_file(source, Path(str(place)))
            return FetchedSource(str(place))
        case SourceKind.OBJECT:
            # Imported only for objects, as it also imports the cache.
            from urlset.fetch.objects import fetch_object

            return fetch_object(source, options)
        case SourceKind.STDIN:
            return FetchedSource(sys.stdin.buffer)
        case SourceKind.BYTES | SourceKind.FILE:
            assert isinstance(place, bytes | BinaryFile)
            return FetchedSource(place)


def _fetch_url(source: Source, options: ReadOptions, fetcher: Fetcher) -> FetchedSource:
    answer = fetcher.get(str(source.place), via=source.via, max_bytes=options.max_document_bytes)
    if answer.has_document:
        return answer.as_fetched()
    answer.close()
    raise InputError(source.name, answer.why_not)


def _check_file(source: Source, path: Path) -> None:
    """Open the file once, so that problems are reported before reading starts. Only the user can name a pipe."""
    name = source.name
    try:
        if not path.is_file() and path.exists() and not path.is_dir():
            if source.is_searched or source.found_by != "given":
                raise InputError(name, "is not a regular file")
            if path.is_fifo():
                # Its writer sends the content to the first reader only.
                return
        with path.open("rb"):
            return
    except FileNotFoundError:
        raise InputError(name, "no such file") from None
    except IsADirectoryError:
        raise InputError(name, "is a directory") from None
    except PermissionError:
        raise InputError(name, "permission denied") from None
    except (OSError, ValueError) as error:
        raise InputError(name, reason_of(error)) from None
