"""The frontier: the documents that are still to be read. Each is read once, level by level, within limits.

Sitemap indexes list more sitemaps, and a site may list the same sitemap twice, itself, its parent, or an endless number
of new ones. Therefore, every URL is remembered, and depth, documents, and bytes are limited. Each document that is not
followed is recorded as a cut, which rules report, so that nothing is skipped silently.
"""

from __future__ import annotations

import dataclasses
from enum import StrEnum
from pathlib import Path, PurePosixPath
from threading import Lock
from typing import TYPE_CHECKING
from urllib.parse import unquote

from msgspec import Struct, structs

from urlset import _core
from urlset.files.repository_links import leads_out
from urlset.net.origin import document_origin, origin_of
from urlset.net.urlparts import join_url, split_url
from urlset.sources.bare_hosts import is_url
from urlset.sources.targets import Source, SourceKind, is_wanted
from urlset.text.masking import mask_url

if TYPE_CHECKING:
    from collections.abc import Iterable

    from urlset.options.following import FollowingOptions


class CutKind(StrEnum):
    """The reason why a document that an index lists was not read, or not read again."""

    SELF = "self"
    """The index lists itself, or something that redirects to it."""
    CYCLE = "cycle"
    """It is an index above this one, or redirects to such an index."""
    REPEATED = "repeated"
    """It was already read, because another index lists it or something redirects to it."""
    FILE = "file"
    """It is a file that was named, or found in a directory that was."""
    DEPTH = "depth-limit"
    """It exceeds the depth limit."""
    DOCUMENTS = "document-limit"
    """The limit on the number of documents was reached."""
    BYTES = "byte-limit"
    """The limit on the total size was reached."""


class ListedDocument(Struct, frozen=True):
    """A document as listed in an index or a robots.txt.

    Attributes:
        ordinal: The entry that lists it.
        loc: The URL as written.
        line: Line of that entry, from 1.
        col: Column of that entry, in code points from 1.
        lastmod: lastmod of that entry, as written.
    """

    ordinal: int
    loc: str
    line: int | None = None
    col: int | None = None
    lastmod: str | None = None


class Cut(Struct, frozen=True):
    """Listed documents that were not read, with the reason: a row of `tables.CUTS`.

    Attributes:
        kind: The reason.
        document_id: The document that lists it.
        ordinal: The entry of that document, or the first of several.
        line: Line of that entry, from 1.
        col: Column of that entry, in code points from 1.
        url: The listed URL.
        count: Number of entries that it represents: may be several if a limit was reached.
        duplicate_of: The number of the document that was read instead; None if a limit was reached.
    """

    kind: CutKind
    document_id: int
    ordinal: int
    line: int | None
    col: int | None
    url: str
    count: int = 1
    duplicate_of: int | None = None

    def as_row(self) -> dict[str, object]:
        return {**structs.asdict(self), "kind": self.kind.value}


class Frontier:
    """The documents of a run in reading order: those that were given, then level by level those that they list.

    Documents are numbered in the order of the lists, level by level, so that the numbers do not depend on which server
    responds first. Thread-safe.

    Attributes:
        cuts: Listed documents that were not read.
        document_count: Number of documents found so far, read or not.
    """

    def __init__(
        self,
        targets: Iterable[Source],
        bounds: FollowingOptions | None = None,
    ) -> None:
        """Start with the given documents.

        Args:
            targets: The first level; each is read, even if it was given twice.
            bounds: Limits for following indexes; None to follow nothing.
        """
        self.cuts: list[Cut] = []
        self._limits = bounds
        self._sources = list(targets)
        self._next = 0
        self._level_end = len(self._sources)
        self._bytes = 0
        self._lock = Lock()
        self._owner: dict[str, int] = {}
        self._listed: set[int] = set()
        self._files: dict[Path, int] = {}
        for number, source in enumerate(self._sources):
            if source.kind is SourceKind.URL:
                self._owner.setdefault(_core.page_key(source.name), number)
            elif source.kind is SourceKind.PATH:
                self._files.setdefault(Path(str(source.place)), number)

    @property
    def document_count(self) -> int:
        return len(self._sources)

    def source(self, number: int) -> Source:
        return self._sources[number]

    def add(self, source: Source) -> None:
        """Add a document that no index lists to the next level."""
        with self._lock:
            self._owner.setdefault(_core.page_key(source.name), len(self._sources))
            self._sources.append(source)

    def prefer(self, source: Source) -> None:
        """Record another source that leads to a document that was added."""
        with self._lock:
            if (owner := self._owner.get(_core.page_key(source.name))) is not None:
                self._prefer(owner, source)

    def next(self) -> tuple[int, Source] | None:
        """Return the next document of this level and its number; None at the end of the level."""
        with self._lock:
            while self._next < self._level_end:
                number = self._next
                self._next += 1
                source = self._sources[number]
                if source.depth == 0 or not self._is_full():
                    return number, source
                self._add_cut(CutKind.BYTES, source)
            return None

    def advance(self) -> bool:
        """Advance to the next level, after all of this level was read; return False if this was the last."""
        with self._lock:
            self._next = self._level_end
            self._level_end = len(self._sources)
            return self._next < self._level_end

    def record_arrival(self, number: int, final_url: str) -> int:
        """Record the final URL of a document after redirects.

        Returns:
            The first document to arrive at that URL: the same number if it must be read, or the number of another
            document that is the same; this one is then added to the cuts.
        """
        key = _core.page_key(final_url)
        with self._lock:
            owner = self._owner.setdefault(key, number)
            source = self._sources[number]
            if owner == number or source.found_by == "given":
                return number
            # If discovery finds a document in two ways, no index is at fault.
            if source.found_by == "index":
                self._add_cut(self._relation(owner, source), source, duplicate_of=owner)
            return owner

    def read(self, size: int) -> None:
        """Record that a document was read, with its size after decompression in bytes."""
        with self._lock:
            self._bytes += size

    def add_listed(self, number: int, base: str, listed: Iterable[ListedDocument]) -> None:
        """Add the documents that a document lists to the next level.

        Args:
            base: The URL of that document after redirects, to resolve relative URLs.
            listed: The listed documents, in order.
        """
        if self._limits is None:
            return
        depth = self._sources[number].depth + 1
        via = document_origin(base)
        with self._lock:
            too_many: dict[CutKind, tuple[Source, int]] = {}
            for child in listed:
                url = _absolute(child.loc, base)
                if url is None:
                    continue
                source = Source(
                    SourceKind.URL, mask_url(url), url, depth=depth, found_by="index",
                    parent_id=number, parent_ordinal=child.ordinal, line=child.line, col=child.col, via=via,
                    lastmod=child.lastmod,
                )  # fmt: skip
                if (file := self._file_of(self._sources[number], url)) is not None:
                    source = dataclasses.replace(
                        source, kind=SourceKind.PATH, name=str(file), place=str(file), site_path=f"/{file.name}"
                    )
                    if (read := self._files.get(file)) is not None:
                        self._owner.setdefault(_core.page_key(url), read)
                owner = self._owner.get(_core.page_key(url))
                if owner is not None:
                    self._record_repetition(owner, source)
                elif (bound := self._limit_reached(depth)) is not None:
                    first, count = too_many.get(bound, (source, 0))
                    too_many[bound] = (first, count + 1)
                else:
                    self._owner[_core.page_key(url)] = len(self._sources)
                    if file is not None:
                        self._files[file] = len(self._sources)
                    self._sources.append(source)
            for bound, (first, count) in too_many.items():
                self._add_cut(bound, first, count)

    def _file_of(self, parent: Source, url: str) -> Path | None:
        """Return the file that has a listed document, if a local index lists it; None if it must be fetched.

        That is a file that is read anyway, or one next to the index that could be found in its directory. A `.gz` at
        the end of either name does not matter.
        """
        if parent.kind is not SourceKind.PATH:
            return None
        index = Path(str(parent.place))
        path = PurePosixPath(unquote(split_url(url).path))
        # The root of the directory that was named.
        depth = len(PurePosixPath(parent.site_path or "/").parts) - 2
        folders = {index.parent / path.name, index.parents[depth].joinpath(*path.parts[1:])} if path.name else ()
        for named in folders:
            plain = named.with_name(named.name.removesuffix(".gz")) if named.name != ".gz" else named
            for file in (named, plain, plain.with_name(f"{plain.name}.gz")):
                if file in self._files:
                    return file
                is_beside = file.parent == index.parent and is_wanted(file.name)
                if is_beside and file.is_file() and not leads_out(file):
                    return file
        return None

    def _record_repetition(self, owner: int, source: Source) -> None:
        """Record that a known document is listed. The first index to list a discovered document is not reported."""
        self._prefer(owner, source)
        relation = self._relation(owner, source)
        known = self._sources[owner]
        is_file = known.kind is SourceKind.PATH and known.depth == 0
        is_found = is_file or known.found_by not in ("given", "index")
        if relation is CutKind.REPEATED and is_found and owner not in self._listed:
            self._listed.add(owner)
            if is_file:
                self._add_cut(CutKind.FILE, source, duplicate_of=owner)
        else:
            self._add_cut(relation, source, duplicate_of=owner)

    def _prefer(self, owner: int, source: Source) -> None:
        """Attribute a document that was not started yet to its own origin, if its own origin lists it, too."""
        listed_source = self._sources[owner]
        is_better = source.via is None or source.via == origin_of(str(listed_source.place))
        if owner >= self._level_end and listed_source.via is not None and is_better:
            self._sources[owner] = dataclasses.replace(listed_source, via=source.via)

    def _limit_reached(self, depth: int) -> CutKind | None:
        """Return the limit that prevents reading another document of this depth; None if no limit does."""
        assert self._limits is not None
        if depth > self._limits.max_depth:
            return CutKind.DEPTH
        return CutKind.DOCUMENTS if len(self._sources) >= self._limits.max_documents else None

    def _is_full(self) -> bool:
        return self._limits is not None and self._bytes >= self._limits.max_total_bytes

    def _relation(self, owner: int, source: Source) -> CutKind:
        """Return how a known document is related to the document that lists it again."""
        above = source.parent_id
        if above == owner:
            return CutKind.SELF
        while above is not None:
            above = self._sources[above].parent_id
            if above == owner:
                return CutKind.CYCLE
        return CutKind.REPEATED

    def _add_cut(self, kind: CutKind, source: Source, count: int = 1, duplicate_of: int | None = None) -> None:
        assert source.parent_id is not None
        assert source.parent_ordinal is not None
        self.cuts.append(
            Cut(
                kind, source.parent_id, source.parent_ordinal, source.line, source.col, source.name, count, duplicate_of
            )
        )


def _absolute(loc: str, base: str) -> str | None:
    """Return the absolute HTTP(S) URL of a loc; None if it has no such URL."""
    if not loc:
        return None
    url = loc if is_url(loc) else join_url(base, loc)
    return url if is_url(url) and split_url(url).hostname else None
