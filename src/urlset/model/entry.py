"""Entries as plain typed values, an alternative to querying tables.

Every field is the raw text (entities decoded once, surrounding whitespace removed), or None if it is absent. lastmod
also has its parsed value. Problems of values are in the `*_problem` columns of the tables.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, TypeAlias

from urlset.tables import TABLES, instant

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from urlset._core import Table


@dataclass(frozen=True, slots=True)
class Alternate:
    """An hreflang annotation (`xhtml:link`)."""

    rel: str | None
    hreflang: str | None
    href: str | None


@dataclass(frozen=True, slots=True)
class Image:
    """An `image:image` element."""

    loc: str | None
    caption: str | None
    geo_location: str | None
    title: str | None
    license: str | None


@dataclass(frozen=True, slots=True)
class Video:
    """A `video:video` element with its current fields. Fields that search engines dropped are in the table `videos`."""

    thumbnail_loc: str | None
    title: str | None
    description: str | None
    content_loc: str | None
    player_loc: str | None
    duration: str | None
    expiration_date: str | None
    rating: str | None
    view_count: str | None
    publication_date: str | None
    family_friendly: str | None
    restriction: str | None
    restriction_relationship: str | None
    platform: str | None
    platform_relationship: str | None
    requires_subscription: str | None
    uploader: str | None
    uploader_info: str | None
    live: str | None
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class News:
    """A `news:news` element."""

    publication_name: str | None
    publication_language: str | None
    publication_date: str | None
    title: str | None


@dataclass(frozen=True, slots=True)
class Url:
    """An entry of a urlset, text sitemap, or feed.

    Attributes:
        loc: The URL as written; None if the entry has none.
        lastmod: lastmod as written.
        lastmod_at: lastmod as an instant in UTC; None if it is invalid.
        changefreq: changefreq as written.
        priority: priority as written.
        line: Line where the entry starts, from 1.
        alternates: Its hreflang annotations.
        images: Its images.
        videos: Its videos.
        news: Its news records.
    """

    loc: str | None
    lastmod: str | None = None
    lastmod_at: datetime | None = None
    changefreq: str | None = None
    priority: str | None = None
    line: int | None = None
    alternates: tuple[Alternate, ...] = ()
    images: tuple[Image, ...] = ()
    videos: tuple[Video, ...] = ()
    news: tuple[News, ...] = ()


@dataclass(frozen=True, slots=True)
class Child:
    """An entry of a sitemap index.

    Attributes:
        loc: The URL of the child sitemap as written; None if the entry has none.
        lastmod: lastmod as written.
        lastmod_at: lastmod as an instant in UTC; None if it is invalid.
        line: Line where the entry starts, from 1.
    """

    loc: str | None
    lastmod: str | None = None
    lastmod_at: datetime | None = None
    line: int | None = None


Entry: TypeAlias = Url | Child

_RECORDS: Mapping[str, type[Any]] = {
    "alternates": Alternate,
    "images": Image,
    "videos": Video,
    "news": News,
}
_FIELDS = {name: tuple(field.name for field in fields(record)) for name, record in _RECORDS.items()}
_URL_COLUMNS = ("ordinal", "loc", "lastmod", "lastmod_at", "changefreq", "priority", "line")
_CHILD_COLUMNS = ("ordinal", "loc", "lastmod", "lastmod_at", "line")


def entries_of(tables: Mapping[str, Table]) -> Iterator[Entry]:
    """Yield the entries of a batch in document order, with their records."""
    records = {name: _by_ordinal(name, tables[name]) for name in _RECORDS if name in tables}
    none: tuple[Any, ...] = ()
    urls = _rows(tables, "urls", _URL_COLUMNS)
    children = _rows(tables, "children", _CHILD_COLUMNS)
    child = next(children, None)
    for ordinal, loc, lastmod, at, changefreq, priority, line in urls:
        while child is not None and child[0] < ordinal:
            yield Child(child[1], child[2], instant(child[3]), child[4])
            child = next(children, None)
        inside = {name: tuple(found.get(ordinal, none)) for name, found in records.items()}
        yield Url(loc, lastmod, instant(at), changefreq, priority, line, **inside)
    while child is not None:
        yield Child(child[1], child[2], instant(child[3]), child[4])
        child = next(children, None)


def _rows(tables: Mapping[str, Table], name: str, columns: tuple[str, ...]) -> Iterator[tuple[Any, ...]]:
    if name not in tables:
        return iter(())
    return zip(*(tables[name].column(column) for column in columns), strict=True)


def _by_ordinal(name: str, table: Table) -> dict[int, list[Any]]:
    record = _RECORDS[name]
    names = _FIELDS[name]
    lists = {column.name for column in TABLES[name].columns if column.type == "text[]"}
    found: defaultdict[int, list[Any]] = defaultdict(list)
    columns = [table.column("ordinal"), *(table.column(name) for name in names)]
    for ordinal, *values in zip(*columns, strict=True):
        fixed = [tuple(value or ()) if name in lists else value for name, value in zip(names, values, strict=True)]
        found[ordinal].append(record(*fixed))
    return found
