"""Entries as plain typed values, an alternative to querying tables.

Every field is the raw text (entities decoded once, surrounding whitespace removed), or None if it is absent. lastmod
also has its parsed value. Problems of values are in the `*_problem` columns of the tables.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from urlset import _core

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from urlset._core import Table

Declared = TypeVar("Declared")


_DATACLASS_ATTRIBUTES = (
    "doc",
    "annotations",
    "dataclass_fields",
    "dataclass_params",
    "match_args",
    "repr",
    "eq",
    "hash",
    "replace",
)
"""What a class of the core takes from a dataclass: names of special attributes, of which Python 3.11 lacks the last."""


def _of_core(declared: type[Declared]) -> type[Declared]:
    """Return the class of the core with the name of a dataclass, and make it behave as the dataclass does.

    The core creates an instance in a tenth of the time that Python takes.
    """
    compiled: type[Declared] = getattr(_core, declared.__name__)
    for name in map("__{}__".format, _DATACLASS_ATTRIBUTES):
        if hasattr(declared, name):
            setattr(compiled, name, getattr(declared, name))
    compiled.__reduce__ = _reduce  # type: ignore[assignment]
    return compiled


def _reduce(entry: Any) -> tuple[Any, ...]:
    """Return how to create an equal value, for `pickle` and `copy`."""
    return type(entry), tuple(getattr(entry, name) for name in entry.__match_args__)


@_of_core
@dataclass(frozen=True)
class Alternate:
    """An hreflang annotation (`xhtml:link`)."""

    rel: str | None
    hreflang: str | None
    href: str | None


@_of_core
@dataclass(frozen=True)
class Image:
    """An `image:image` element."""

    loc: str | None
    caption: str | None
    geo_location: str | None
    title: str | None
    license: str | None


@_of_core
@dataclass(frozen=True)
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


@_of_core
@dataclass(frozen=True)
class News:
    """A `news:news` element."""

    publication_name: str | None
    publication_language: str | None
    publication_date: str | None
    title: str | None


@_of_core
@dataclass(frozen=True)
class Url:
    """An entry of a urlset, text sitemap, or feed.

    Attributes:
        loc: The URL as written; None if the entry has none.
        lastmod: lastmod as written.
        lastmod_at: lastmod as an instant in UTC; None if it is invalid.
        changefreq: changefreq as written.
        priority: priority as written; None if absent, which the protocol reads as 0.5.
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


@_of_core
@dataclass(frozen=True)
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


def entries_of(tables: Mapping[str, Table]) -> Iterator[Entry]:
    """Yield the entries of a batch in document order, with their records."""
    return _core.Entries(dict(tables))
