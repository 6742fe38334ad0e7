"""The frontier: which documents are still to be read. Each is read once, level by level, within bounds.

Sitemap indexes name further sitemaps, and nothing keeps a site from naming the same one twice, itself, its parent, or
ever new ones. So every URL is remembered, and depth, documents and bytes are bounded. What is not followed is a cut,
which rules make findings of: nothing is left out in silence.
"""

from __future__ import annotations

import dataclasses
from enum import StrEnum
from threading import Lock
from typing import TYPE_CHECKING

from msgspec import Struct, structs

from urlset.masking import masked
from urlset.net.origin import document_origin, origin_of, origin_url
from urlset.net.urlparts import join_url, split_url
from urlset.sources.given import Source, SourceKind, is_url

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from urlset.options.following import FollowingOptions


class CutKind(StrEnum):
    """Why a document that an index lists was not read, or not read again."""

    SELF = "self"
    """The index lists itself, or something that redirects to it."""
    CYCLE = "cycle"
    """It is an index above this one, or redirects to one."""
    REPEATED = "repeated"
    """It was read already, since another index lists it or something redirects to it."""
    DEPTH = "depth-limit"
    """It lies deeper than the bound allows."""
    DOCUMENTS = "document-limit"
    """The bound on documents was reached."""
    BYTES = "byte-limit"
    """The bound on bytes was reached."""


class Listed(Struct, frozen=True):
    """One document as an index, or a robots.txt, lists it.

    Attributes:
        ordinal: Which of its entries names it.
        loc: The URL as written.
        line: Line of that entry, from 1.
        col: Column of it, in code points from 1.
    """

    ordinal: int
    loc: str
    line: int | None = None
    col: int | None = None


class Cut(Struct, frozen=True):
    """Documents that are listed and were not read for a reason: a row of `tables.CUTS`.

    Attributes:
        kind: The reason.
        document_id: The document that lists it.
        ordinal: The entry of that document; of several the first.
        line: Line of that entry, from 1.
        col: Column of it, in code points from 1.
        url: What it names.
        count: How many entries it stands for: several where a bound was reached.
        read_as: The number of the document that was read instead; None where a bound was reached.
    """

    kind: CutKind
    document_id: int
    ordinal: int
    line: int | None
    col: int | None
    url: str
    count: int = 1
    read_as: int | None = None

    def as_row(self) -> dict[str, object]:
        """Its row of `tables.CUTS`."""
        return {**structs.asdict(self), "kind": self.kind.value}


def url_key(url: str) -> str:
    """What two URLs share that name the same document: spelling of the host, default port and fragment do not matter.

    Example:
        >>> url_key("HTTP://Example.com:80/a?b#c")
        'http://example.com/a?b'
    """
    origin = origin_url(url)
    if not origin:
        return url
    parts = split_url(url.strip())
    return f"{origin}{parts.path or '/'}" + (f"?{parts.query}" if parts.query else "")


class Frontier:
    """The documents of a run in the order in which they are read: what was given, then level by level what that lists.

    Numbers are given in the order of the lists, level by level, so that they do not depend on which server answers
    first. May be used by several threads.

    Attributes:
        cuts: What is listed and was not read.
        known: How many documents were found up to now, read or not.
    """

    def __init__(
        self,
        given: Iterable[Source],
        bounds: FollowingOptions | None = None,
        settled: Callable[[int], bool | None] | None = None,
    ) -> None:
        """Begins with what was given.

        Args:
            given: The first level; each is read, the same one twice if it was given twice.
            bounds: How far to follow what indexes list; None to follow nothing.
            settled: Says of a number whether an earlier reading of the same took that document (True), left it out for
                its bytes (False) or did not come so far (None). A reading that goes on decides as that one did.
        """
        self.cuts: list[Cut] = []
        self._bounds = bounds
        self._settled = settled or (lambda _: None)
        self._sources = list(given)
        self._next = 0
        self._level_end = len(self._sources)
        self._bytes = 0
        self._lock = Lock()
        self._owner: dict[str, int] = {}
        self._listed: set[int] = set()
        for number, source in enumerate(self._sources):
            if source.kind is SourceKind.URL:
                self._owner.setdefault(url_key(source.name), number)

    @property
    def known(self) -> int:
        """How many documents were found up to now, read or not."""
        return len(self._sources)

    def source(self, number: int) -> Source:
        """Returns the document that has a number."""
        return self._sources[number]

    def add(self, source: Source) -> None:
        """Takes a document that no index lists, for the next level."""
        with self._lock:
            self._owner.setdefault(url_key(source.name), len(self._sources))
            self._sources.append(source)

    def prefer(self, source: Source) -> None:
        """Notes that something else leads to a document that was added."""
        with self._lock:
            if (owner := self._owner.get(url_key(source.name))) is not None:
                self._prefer(owner, source)

    def next(self) -> tuple[int, Source] | None:
        """The next document of this level and its number; None when the level is done."""
        with self._lock:
            while self._next < self._level_end:
                number = self._next
                self._next += 1
                source = self._sources[number]
                settled = self._settled(number)
                if source.depth == 0 or settled or (settled is None and not self._is_full()):
                    return number, source
                self._cut(CutKind.BYTES, source)
            return None

    def advance(self) -> bool:
        """Goes on to the next level; False if there is none. To be called when all of this level was read."""
        with self._lock:
            self._next = self._level_end
            self._level_end = len(self._sources)
            return self._next < self._level_end

    def arrived(self, number: int, final_url: str, owner: int | None = None) -> int:
        """Notes where the redirects of a document ended.

        Args:
            number: The document.
            final_url: Where they ended.
            owner: The document that is there, if an earlier reading knew; the first that arrives unless given.

        Returns:
            The document that is there: its own number if it is to be read, that of another if it is read under another
            name; it is then among the cuts.
        """
        key = url_key(final_url)
        with self._lock:
            owner = self._owner.setdefault(key, number if owner is None else owner)
            source = self._sources[number]
            if owner == number or source.found_by == "given":
                return number
            # What a search finds in two ways is no fault of any index.
            if source.found_by == "index":
                self._cut(self._relation(owner, source), source, read_as=owner)
            return owner

    def read(self, size: int) -> None:
        """Notes that a document was read, `size` bytes after decompression."""
        with self._lock:
            self._bytes += size

    def found(self, number: int, base: str, listed: Iterable[Listed]) -> None:
        """Takes what a document lists, for the next level.

        Args:
            number: The document.
            base: Its URL after redirects, which relative URLs are resolved with.
            listed: What it lists, in its order.
        """
        if self._bounds is None:
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
                    SourceKind.URL, masked(url), url, depth=depth, found_by="index",
                    parent_id=number, parent_ordinal=child.ordinal, line=child.line, col=child.col, via=via,
                )  # fmt: skip
                owner = self._owner.get(url_key(url))
                if owner is not None:
                    self._known(owner, source)
                elif (bound := self._bound(depth)) is not None:
                    first, count = too_many.get(bound, (source, 0))
                    too_many[bound] = (first, count + 1)
                else:
                    self._owner[url_key(url)] = len(self._sources)
                    self._sources.append(source)
            for bound, (first, count) in too_many.items():
                self._cut(bound, first, count)

    def _known(self, owner: int, source: Source) -> None:
        """Notes that a document which is known is listed; the first index to list what a search found may do so."""
        self._prefer(owner, source)
        relation = self._relation(owner, source)
        is_found = self._sources[owner].found_by not in ("given", "index")
        if relation is CutKind.REPEATED and is_found and owner not in self._listed:
            self._listed.add(owner)
        else:
            self._cut(relation, source, read_as=owner)

    def _prefer(self, owner: int, source: Source) -> None:
        """Has a document that is not begun yet asked for on behalf of its own origin, if that lists it as well."""
        known = self._sources[owner]
        is_better = source.via is None or source.via == origin_of(str(known.place))
        if owner >= self._level_end and known.via is not None and is_better:
            self._sources[owner] = dataclasses.replace(known, via=source.via)

    def _bound(self, depth: int) -> CutKind | None:
        """The bound that keeps one more document of this depth from being read, if any does."""
        assert self._bounds is not None
        if depth > self._bounds.max_depth:
            return CutKind.DEPTH
        return CutKind.DOCUMENTS if len(self._sources) >= self._bounds.max_documents else None

    def _is_full(self) -> bool:
        return self._bounds is not None and self._bytes >= self._bounds.max_total_bytes

    def _relation(self, owner: int, source: Source) -> CutKind:
        """What the document that is known under this URL is to the one that lists it once more."""
        above = source.parent_id
        if above == owner:
            return CutKind.SELF
        while above is not None:
            above = self._sources[above].parent_id
            if above == owner:
                return CutKind.CYCLE
        return CutKind.REPEATED

    def _cut(self, kind: CutKind, source: Source, count: int = 1, read_as: int | None = None) -> None:
        assert source.parent_id is not None
        assert source.parent_ordinal is not None
        self.cuts.append(
            Cut(kind, source.parent_id, source.parent_ordinal, source.line, source.col, source.name, count, read_as)
        )


def _absolute(loc: str, base: str) -> str | None:
    """The http(s) URL that is meant; None if there is none."""
    if not loc:
        return None
    url = loc if is_url(loc) else join_url(base, loc)
    return url if is_url(url) and split_url(url).hostname else None
