"""Existing sitemaps: copy their entries with all extensions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.parse import unquote

from urlset import _core
from urlset.build.sources.source import entry_filler
from urlset.documents import DocumentReader
from urlset.errors import InputError
from urlset.net.origin import document_origin
from urlset.net.urlparts import split_url
from urlset.objects.path import ObjectPath
from urlset.sources import Source, SourceKind, is_url, sources_of
from urlset.tables import SITEMAP_KINDS
from urlset.text.masking import mask_url
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from urlset._core import Table
    from urlset.build.sources.source import SourceContext
    from urlset.fetch.fetched_source import FetchedSource
    from urlset.net.origin import Origin
    from urlset.options.sources import Sitemaps

    _Folder: TypeAlias = Path | ObjectPath

MAX_DOCUMENTS = 60_000
"""Maximum documents to read: a full index of 50,000, and some more."""

_SCALARS = ("loc", "lastmod", "changefreq", "priority")
_RECORDS = ("alternates", "images", "videos", "news")
_WRITTEN: Mapping[str, frozenset[str]] = {
    "alternates": frozenset({"hreflang", "href"}),
    **{name: frozenset(key for key, _, _ in fields) for name, fields in _core.record_fields().items()},
}
"""The fields of each kind of record that can be written."""


def entries(
    spec: Sitemaps, context: SourceContext, fetching: Callable[[Source], FetchedSource]
) -> Iterator[dict[str, object]]:
    """Yield the entries of the sitemaps, and of sitemaps that an index among them lists.

    Raises:
        InputError: A document cannot be read, or is not a sitemap.
    """
    fill = entry_filler(spec, context)
    for reader, name in _documents(spec, context, fetching):
        last = None
        for tables in reader:
            for entry in _entries(tables):
                last = entry
                if context.lets_pass(entry.get("loc", "")):
                    yield fill(entry)
        if reader.facts["kind"] not in SITEMAP_KINDS:
            raise InputError(name, f"is not a sitemap but {reader.facts['kind']}")
        if not reader.facts["complete"]:
            context.log.note(f"{name} could only be read in part, up to {(last or {}).get('loc', 'no entry')}")


def _documents(
    spec: Sitemaps, context: SourceContext, fetching: Callable[[Source], FetchedSource]
) -> Iterator[tuple[_ChildCollector, str]]:
    """Yield each document once, before those that it lists."""
    waiting: list[tuple[Source, _Folder | None]] = []
    for target in reversed(spec.targets):
        waiting += [(source, _folder_of(source, target)) for source in reversed(list(sources_of(target)))]
    met: set[str] = set()
    while waiting:
        source, folder = waiting.pop()
        if source.name in met:
            continue
        met.add(source.name)
        if len(met) > MAX_DOCUMENTS:
            raise InputError(source.name, f"exceeds the limit of {quantity(MAX_DOCUMENTS, 'sitemap')}")
        reader = _ChildCollector(DocumentReader(source, fetching(source), len(met), context.read, hashed=False))
        yield reader, source.name
        if source.is_searched:
            # The other files of a directory are read anyway.
            continue
        via = document_origin(str(reader.facts["final_url"]))
        for loc in reversed(reader.children):
            child = _child(loc, source, folder, via)
            waiting.append((child, None if child.kind is SourceKind.URL else folder))


def _folder_of(source: Source, target: str) -> _Folder | None:
    """Return the directory or prefix of the children of an index; None if it is neither a local file nor an object."""
    if source.kind is SourceKind.OBJECT:
        return ObjectPath(str(source.place).rpartition("/")[0])
    if source.kind is not SourceKind.PATH:
        return None
    return Path(target) if Path(target).is_dir() else Path(target).parent


def _child(loc: str, index: Source, folder: _Folder | None, via: Origin | None) -> Source:
    """Return a document that an index lists: the file or object with its name next to the index, or the http(s) URL.

    The index may be untrusted and its entries are published, so no other file or object is opened.

    Args:
        folder: The directory or prefix of the index, if it is a local file or an object.
        via: The origin of an index that was fetched.

    Raises:
        InputError: The entry is neither.
    """
    sibling = None if folder is None else _sibling(folder, loc)
    if sibling is not None:
        kind = SourceKind.OBJECT if isinstance(sibling, ObjectPath) else SourceKind.PATH
        return Source(kind, mask_url(str(sibling)), str(sibling), site_path=f"/{sibling.name}")
    if is_url(loc):
        return Source(SourceKind.URL, mask_url(loc), loc, via=via)
    why = "not an http or https URL" if folder is None else "neither a file next to it nor an http or https URL"
    raise InputError(index.name, f"lists the sitemap {loc}, which is {why}; fix or remove it")


def _sibling(folder: _Folder, loc: str) -> _Folder | None:
    """Return the file or object next to an index with the name of the entry."""
    try:
        name = Path(unquote(split_url(loc).path)).name
        sibling = folder / Path(name)
        return sibling if name and sibling.is_file() else None
    except ValueError:  # A null character, say.
        return None


class _ChildCollector:
    """A reader that collects the children."""

    def __init__(self, reader: DocumentReader) -> None:
        self._reader = reader
        self.children: list[str] = []

    @property
    def facts(self) -> Mapping[str, object]:
        return self._reader.facts

    def __iter__(self) -> Iterator[dict[str, Table]]:
        for tables in self._reader:
            if "children" in tables:
                self.children += [loc for loc in tables["children"].column("loc") if loc]
            yield tables


def _entries(tables: Mapping[str, Table]) -> Iterator[dict[str, Any]]:
    if "urls" not in tables:
        return
    inside: dict[int, dict[str, list[dict[str, object]]]] = {}
    for name in _RECORDS:
        for row in tables[name].to_dicts() if name in tables else ():
            record = {key: value for key, value in row.items() if value is not None and key in _WRITTEN[name]}
            inside.setdefault(row["ordinal"], {}).setdefault(name, []).append(record)
    urls = tables["urls"]
    columns = [urls.column(name) for name in ("ordinal", *_SCALARS)]
    for ordinal, *values in zip(*columns, strict=True):
        entry = {key: value for key, value in zip(_SCALARS, values, strict=True) if value}
        yield {**entry, **inside.get(ordinal, {})}
