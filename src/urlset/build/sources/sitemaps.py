"""Sitemaps that there are already: their entries are taken over, with all that belongs to them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from urlset import _core
from urlset.build.sources.source import filled
from urlset.config import masked
from urlset.documents import DocumentReader
from urlset.errors import InputError
from urlset.net.origin import document_origin
from urlset.net.urlparts import split_url
from urlset.sources import Source, SourceKind, is_url, sources_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from urlset._core import Table
    from urlset.build.sources.source import Run
    from urlset.buildspec import Sitemaps
    from urlset.fetch import Fetched
    from urlset.net.origin import Origin

KINDS = frozenset({"urlset", "sitemapindex", "text", "rss", "atom"})
"""Kinds of document that list URLs."""

MAX_DOCUMENTS = 60_000
"""Most documents that are read: a whole index of 50,000, and some."""

_SCALARS = ("loc", "lastmod", "changefreq", "priority")
_RECORDS = ("alternates", "images", "videos", "news")
_WRITTEN: Mapping[str, frozenset[str]] = {
    "alternates": frozenset({"hreflang", "href"}),
    **{name: frozenset(key for key, _, _ in fields) for name, fields in _core.record_fields().items()},
}
"""What of a record can be written again."""


def entries(spec: Sitemaps, run: Run, fetching: Callable[[Source], Fetched]) -> Iterator[dict[str, Any]]:
    """The entries of the sitemaps, and of those that an index among them lists.

    Args:
        spec: The sitemaps.
        run: What the source is given to work with.
        fetching: Opens a sitemap.

    Raises:
        InputError: One cannot be read, or is no sitemap.
    """
    fill = filled(spec, run)
    for reader, name in _documents(spec, run, fetching):
        last = None
        for tables in reader:
            for entry in _entries(tables):
                last = entry
                if run.lets_pass(entry.get("loc", "")):
                    yield fill(entry)
        if reader.facts["kind"] not in KINDS:
            raise InputError(name, f"is no sitemap but {reader.facts['kind']}")
        if not reader.facts["complete"]:
            run.tally.note(f"{name} could be read in part only: it ends after {(last or {}).get('loc', 'no entry')}")


def _documents(spec: Sitemaps, run: Run, fetching: Callable[[Source], Fetched]) -> Iterator[tuple[_Listening, str]]:
    """The documents, each before those that it lists; every one once."""
    waiting: list[tuple[Source, Path | None]] = []
    for target in reversed(spec.targets):
        waiting += [(source, _folder_of(source, target)) for source in reversed(list(sources_of(target)))]
    met: set[str] = set()
    while waiting:
        source, folder = waiting.pop()
        if source.name in met:
            continue
        met.add(source.name)
        if len(met) > MAX_DOCUMENTS:
            raise InputError(source.name, f"more than {MAX_DOCUMENTS:,} sitemaps are not merged")
        reader = _Listening(DocumentReader(source, fetching(source), len(met), run.read, hashed=False))
        yield reader, source.name
        if source.is_searched:
            # The other files of a folder are read anyway.
            continue
        via = document_origin(str(reader.facts["final_url"]))
        for loc in reversed(reader.children):
            child = _child(loc, source, folder, via)
            waiting.append((child, folder if child.kind is SourceKind.PATH else None))


def _folder_of(source: Source, target: str) -> Path | None:
    """The folder in which the children of an index may lie; None for an index that is no local file."""
    if source.kind is not SourceKind.PATH:
        return None
    return Path(target) if Path(target).is_dir() else Path(target).parent


def _child(loc: str, index: Source, folder: Path | None, via: Origin | None) -> Source:
    """A document that an index lists: the file of that name beside it if there is one, else the http(s) URL.

    Whoever wrote the index may be a stranger, and what is read is published: no other file is opened.

    Args:
        loc: What the index lists.
        index: The index.
        folder: The folder of an index that is a local file.
        via: The origin of an index that was fetched.

    Raises:
        InputError: It is neither.
    """
    beside = None if folder is None else _beside(folder, loc)
    if beside is not None:
        return Source(SourceKind.PATH, str(beside), str(beside), site_path=f"/{beside.name}")
    if is_url(loc):
        return Source(SourceKind.URL, masked(loc), loc, via=via)
    why = "not an http or https URL" if folder is None else "neither a file beside it nor an http or https URL"
    raise InputError(index.name, f"lists the sitemap {loc}, which is {why}; correct it or leave it out")


def _beside(folder: Path, loc: str) -> Path | None:
    """The file beside an index that has the name of what the index lists."""
    try:
        name = Path(unquote(split_url(loc).path)).name
        return folder / name if name and (folder / name).is_file() else None
    except ValueError:  # A null character, say.
        return None


class _Listening:
    """A reader that keeps the children that pass by."""

    def __init__(self, reader: DocumentReader) -> None:
        self._reader = reader
        self.children: list[str] = []

    @property
    def facts(self) -> Mapping[str, Any]:
        return self._reader.facts

    def __iter__(self) -> Iterator[dict[str, Table]]:
        for tables in self._reader:
            if "children" in tables:
                self.children += [loc for loc in tables["children"].column("loc") if loc]
            yield tables


def _entries(tables: Mapping[str, Table]) -> Iterator[dict[str, Any]]:
    """The entries of a batch with everything that the tables have of them."""
    if "urls" not in tables:
        return
    inside: dict[int, dict[str, list[dict[str, Any]]]] = {}
    for name in _RECORDS:
        for row in tables[name].to_dicts() if name in tables else ():
            record = {key: value for key, value in row.items() if value is not None and key in _WRITTEN[name]}
            inside.setdefault(row["ordinal"], {}).setdefault(name, []).append(record)
    urls = tables["urls"]
    columns = [urls.column(name) for name in ("ordinal", *_SCALARS)]
    for ordinal, *values in zip(*columns, strict=True):
        entry = {key: value for key, value in zip(_SCALARS, values, strict=True) if value}
        yield {**entry, **inside.get(ordinal, {})}
