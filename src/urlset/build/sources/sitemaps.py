"""Sitemaps that there are already: their entries are taken over, with all that belongs to them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from urlset import _core
from urlset.build.sources.source import filled
from urlset.documents import DocumentReader
from urlset.errors import InputError
from urlset.fetch import fetch
from urlset.sources import Source, is_url, sources_of
from urlset.urlparts import split_url

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from urlset._core import Table
    from urlset.build.sources.source import Run
    from urlset.buildspec import Sitemaps

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


def entries(spec: Sitemaps, run: Run) -> Iterator[dict[str, Any]]:
    """The entries of the sitemaps, and of those that an index among them lists.

    Raises:
        InputError: One cannot be read, or is no sitemap.
    """
    fill = filled(spec, run)
    for reader, name in _documents(spec, run):
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


def _documents(spec: Sitemaps, run: Run) -> Iterator[tuple[_Listening, str]]:
    """The documents, each before those that it lists; every one once."""
    waiting: list[tuple[Source, Path | None]] = []
    for target in reversed(spec.targets):
        place = None if is_url(target) else Path(target)
        folder = place if place is None or place.is_dir() else place.parent
        waiting += [(source, folder) for source in reversed(list(sources_of(target)))]
    met: set[str] = set()
    while waiting:
        source, folder = waiting.pop()
        if source.name in met:
            continue
        met.add(source.name)
        if len(met) > MAX_DOCUMENTS:
            raise InputError(source.name, f"more than {MAX_DOCUMENTS:,} sitemaps are not merged")
        reader = _Listening(DocumentReader(source, fetch(source, run.read), len(met), run.read, hashed=False))
        yield reader, source.name
        if source.is_searched:
            # The other files of a folder are read anyway.
            continue
        waiting += [(child, folder) for url in reversed(reader.children) for child in _child(url, folder)]


def _child(url: str, folder: Path | None) -> Iterator[Source]:
    """A document that an index lists: the file of that name beside it if there is one, else the URL."""
    if folder is not None:
        beside = folder / Path(unquote(split_url(url).path)).name
        if beside.is_file():
            yield from sources_of(beside)
            return
    yield from sources_of(url)


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
