"""Turns the targets of the user into sources. Folders and object stores are listed; no files are opened."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias, TypeGuard, runtime_checkable

from urlset.errors import UsageError
from urlset.objects.object_address import is_object
from urlset.sources.bare_hosts import SITEMAP_SUFFIXES, uncompressed_name, url_of
from urlset.sources.walk import files_below, is_hidden, objects_at
from urlset.text.masking import mask_target, mask_url

if TYPE_CHECKING:
    from urlset.net.origin import Origin


@runtime_checkable
class BinaryFile(Protocol):
    """An object to read bytes from: an open file, a response body, a pipe."""

    def read(self, size: int, /) -> bytes:
        """Return at most `size` bytes, or none at the end."""
        ...


Target: TypeAlias = "str | os.PathLike[str] | bytes | bytearray | memoryview | BinaryFile"
"""A target to read: a path, an HTTP(S) URL, the URL of an object or a glob in an object store, `-` for standard input,
bytes, or a file object in binary mode."""


class SourceKind(StrEnum):
    """The origin of the bytes of a source."""

    URL = "url"
    PATH = "path"
    OBJECT = "object"
    STDIN = "stdin"
    BYTES = "bytes"
    FILE = "file"


@dataclass(frozen=True, slots=True)
class Source:
    """One document to read.

    Attributes:
        name: Its name in reports: the URL or path as given, or `<stdin>`, `<bytes>`, `<file>`.
        place: The URL or path (also of an object), the bytes, or the object to read from; None for standard input.
        site_path: For a file or object, its path below the given folder, or its name, with a leading slash; otherwise
            None.
        is_searched: Whether it was found in a folder or below a prefix, rather than given by name.
        is_robots: Whether it is a robots.txt rather than a sitemap.
        depth: Number of indexes above it.
        found_by: How it was found: given, robots, well-known, html-link, http-header, or index.
        parent_id: The number of the document that lists it, if one does.
        parent_ordinal: The entry of that document.
        line: Line of that entry, from 1.
        col: Column of that entry, in code points from 1.
        via: The origin of the document that lists it; None if the user named it, or a local file lists it.
        lastmod: lastmod of that entry, as written.
    """

    kind: SourceKind
    name: str
    place: str | bytes | BinaryFile | None = None
    site_path: str | None = None
    is_searched: bool = False
    is_robots: bool = False
    depth: int = 0
    found_by: str = "given"
    parent_id: int | None = None
    parent_ordinal: int | None = None
    line: int | None = None
    col: int | None = None
    via: Origin | None = None
    lastmod: str | None = None

    @property
    def is_called_sitemap(self) -> bool:
        """Whether its name says that it is a sitemap, whatever its content."""
        return "sitemap" in Path(self.name).name.lower()


def as_targets(targets: Target | Iterable[Target]) -> list[Target]:
    """Return one or more targets as a list.

    Raises:
        UsageError: One of them is not a target.
    """
    if _is_target(targets):
        return [targets]
    if not isinstance(targets, Iterable):
        raise UsageError(f"cannot read from {type(targets).__name__}; give a path, a URL, bytes, or a binary file")
    several: list[Target] = []
    for target in targets:
        if not _is_target(target):
            raise UsageError(f"cannot read from {type(target).__name__}; give a path, a URL, bytes, or a binary file")
        several.append(target)
    return several


def _is_target(value: object) -> TypeGuard[Target]:
    if isinstance(value, io.TextIOBase):
        raise UsageError("cannot read from a file in text mode; open it in binary mode ('rb')")
    return isinstance(value, str | os.PathLike | bytes | bytearray | memoryview | BinaryFile)


def sources_of(target: Target) -> Iterator[Source]:
    """Yield the sources of a target: a single one, or every sitemap in a folder or below a prefix, sorted by path.

    Raises:
        InputError: A folder or prefix cannot be listed, or has no file that could be a sitemap, or a glob matches
            nothing.
        MissingExtraError: An object store needs a package that is not installed.
        UsageError: The URL of an object is invalid.
    """
    if isinstance(target, bytes | bytearray | memoryview):
        yield Source(SourceKind.BYTES, "<bytes>", bytes(target))
    elif isinstance(target, str | os.PathLike):
        yield from _sources_of(os.fspath(target))
    else:
        name = getattr(target, "name", None)
        yield Source(SourceKind.FILE, name if isinstance(name, str) else "<file>", target)


def _sources_of(target: str) -> Iterator[Source]:
    if target == "-":
        yield Source(SourceKind.STDIN, "<stdin>")
    elif is_object(target):
        yield from _in_object_store(target)
    elif (url := url_of(target)) is not None:
        yield Source(SourceKind.URL, mask_url(url), url)
    elif Path(target).is_dir():
        yield from _in_folder(Path(target))
    else:
        yield Source(SourceKind.PATH, mask_target(target), target, site_path=f"/{Path(target).name}")


def _in_object_store(target: str) -> Iterator[Source]:
    reason_if_empty = "no object below it has the name of a sitemap"
    for url, path, is_searched in objects_at(target, is_wanted, reason_if_empty):
        yield Source(SourceKind.OBJECT, mask_url(url), url, f"/{path}", is_searched=is_searched)


def _in_folder(folder: Path) -> Iterator[Source]:
    for path in files_below(folder, lambda path: is_wanted(path.name), no_files_message()):
        site_path = f"/{path.relative_to(folder).as_posix()}"
        yield Source(SourceKind.PATH, str(path), str(path), site_path, is_searched=True)


def is_wanted(path: str) -> bool:
    """Return whether a file of a folder is read: one with the extension of a sitemap that is not hidden."""
    return not is_hidden(path) and uncompressed_name(path).endswith(SITEMAP_SUFFIXES)


def no_files_message() -> str:
    """Return what is wrong with a folder in which no file is read."""
    suffixes = (*SITEMAP_SUFFIXES, *(f"{suffix}.gz" for suffix in SITEMAP_SUFFIXES[:2]))
    return f"no file in this directory ends in {', '.join(suffixes)}"
