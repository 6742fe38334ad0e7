"""Compare what a built and a served file list: the URLs of sitemaps and feeds, and the links of llms.txt."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from msgspec import Struct

from urlset import _core
from urlset.deployment.built_urls import path_of
from urlset.model.deploy_check import ServedKind
from urlset.net.origin import origin_url
from urlset.text.sizes import quantity
from urlset.web.llms_txt import parse_llms

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from urlset._core import Table

MAX_NAMED = 3
"""Number of URLs to name."""

_OF_PLACE = ("document_id", "line", "col", "byte_offset", "loc_length")
"""Columns that only say where something is in the file, or end like it."""


class Listing(Struct, frozen=True):
    """What a file lists.

    Attributes:
        dates: The lastmod of each URL, in the order of the file; None without one.
        digests: Hashes of everything that was read of a sitemap, wherever it is in the file; empty for other files.
    """

    dates: dict[str, str | None]
    digests: dict[str, bytes]


def listing_of(kind: ServedKind, text: bytes) -> Listing:
    """Return what a file lists; nothing if it cannot be read."""
    if kind is ServedKind.LLMS:
        return Listing(dict.fromkeys((link.target for link in parse_llms(text).links), None), {})
    dates: dict[str, str | None] = {}
    hashes: dict[str, hashlib._Hash] = {}
    for tables in _core.Reader(text, document_id=0):
        for name, table in tables.items():
            if name in ("urls", "children"):
                urls = zip(table.column("loc"), table.column("lastmod"), strict=True)
                dates |= {str(url): None if date is None else str(date) for url, date in urls if url is not None}
            if kind is ServedKind.SITEMAP:
                known = hashes.setdefault(name, hashlib.sha256())
                for row in _without_places(table):
                    known.update(repr(row).encode())
    return Listing(dates, {name: known.digest() for name, known in hashes.items()})


def _without_places(table: Table) -> Iterator[tuple[object, ...]]:
    """Yield the rows of a table without the places of what they say."""
    names = [name for name in table.column_names if name not in _OF_PLACE and not name.endswith(("_line", "_col"))]
    yield from zip(*map(table.column, names), strict=True)


def have_same_entries(built: Listing, served: Listing) -> bool:
    """Return whether two sitemaps have the same entries, whatever spaces and comments are between them."""
    return bool(built.digests) and built.digests == served.digests


def changes_of(built: Listing, served: Listing, url: str, *, is_cut_off: bool = False) -> str:
    """Return in words which URLs a served file lacks and has in addition; empty if it lists the same.

    Args:
        url: The URL of the file.
        is_cut_off: Whether the served file is only a start, whose last URL can be incomplete.
    """
    missing = [each for each in built.dates if each not in served.dates]
    more = [] if is_cut_off else [each for each in served.dates if each not in built.dates]
    if missing and (host := _other_host(missing, more)) is not None:
        which = "all" if len(missing) == len(built.dates) else f"{len(missing):,} of"
        return f"{which} {quantity(len(built.dates), 'URL')} begin with {host[1]} instead of {host[0]}"
    other = [each for each, date in built.dates.items() if each in served.dates and served.dates[each] != date]
    parts = []
    if missing:
        parts.append(f"lacks {len(missing):,} of {quantity(len(built.dates), 'URL')}{_named(missing, url)}")
    if more:
        parts.append(f"lists {quantity(len(more), 'URL')} that the built one does not{_named(more, url)}")
    if other and not is_cut_off:
        first = other[0]
        dates = f"{served.dates[first] or 'none'} instead of {built.dates[first] or 'none'}"
        parts.append(f"has another lastmod for {quantity(len(other), 'URL')}, such as {_name(first, url)}: {dates}")
    return "; ".join(parts)


def _other_host(missing: Sequence[str], more: Sequence[str]) -> tuple[str, str] | None:
    """Return the built and the served origin of URLs that differ in it only; None if there are no such URLs."""
    origins = {(origin_url(each), origin_url(other)) for each, other in zip(missing, more, strict=False)}
    is_same = len(missing) == len(more) and list(map(path_of, missing)) == list(map(path_of, more))
    return next(iter(origins)) if is_same and len(origins) == 1 else None


def _named(urls: Iterable[str], of: str) -> str:
    names = [_name(url, of) for url in urls]
    how = ": " if len(names) <= MAX_NAMED else ", such as "
    return how + ", ".join(names[:MAX_NAMED])


def _name(url: str, of: str) -> str:
    return path_of(url) if origin_url(url) == origin_url(of) else url
