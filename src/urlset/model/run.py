"""A run in a store, and its aggregates, which do not grow with the site."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from urlset.model.result import with_short_repr

if TYPE_CHECKING:
    from datetime import date, datetime


@dataclass(frozen=True, slots=True)
class RunRow:
    """A run in a store: its row of `tables.RUNS`.

    Attributes:
        run_id: Its number, from 1.
        started_at: Time at which it started.
        finished_at: Time at which it finished; None for an unfinished run.
        targets: Its targets.
        settings: Its settings, as JSON.
        version: The version of urlset.
        documents: Number of documents read; so far for an unfinished run, as the next two.
        urls: Number of entries that are page URLs.
        pages: Number of pages fetched.
        errors: Number of findings that are errors; this and the next two are None for an unfinished run.
        warnings: Number of findings that are warnings.
        infos: Number of findings of severity info.
    """

    run_id: int
    started_at: datetime
    finished_at: datetime | None
    targets: tuple[str, ...]
    settings: str
    version: str
    documents: int | None
    urls: int | None
    pages: int | None
    errors: int | None
    warnings: int | None
    infos: int | None


RUN_NUMBERS = ("documents", "urls", "pages", "errors", "warnings", "infos")
"""The counts of a run, in display order."""

Counts = tuple[tuple[str, int], ...]
"""Names with their counts, in display order."""


@dataclass(frozen=True, slots=True)
class Section:
    """A section of a site, by path.

    Attributes:
        name: Host and folder: `example.com/blog/`.
        urls: Number of entries in it.
        parts: Its largest folders with the number of entries in each, largest first.
    """

    name: str
    urls: int
    parts: Counts = ()


@dataclass(frozen=True, slots=True)
class Languages:
    """The hreflang annotations in numbers.

    Attributes:
        codes: Number of annotations by hreflang code, for the most frequent codes.
        more_codes: Number of other codes.
        sizes: Number of entries by number of language versions in their cluster.
        clusters: Number of distinct sets of annotations.
        entries: Number of entries with annotations.
    """

    codes: Counts
    more_codes: int
    sizes: tuple[tuple[int, int], ...]
    clusters: int
    entries: int


@with_short_repr
@dataclass(frozen=True, slots=True)
class Redirects:
    """The pages that redirect.

    Attributes:
        hops: Number of pages by number of hops.
        statuses: Number of hops by status code.
        examples: Some pages: the URL, the final URL, the number of hops, and the final status code.
    """

    hops: tuple[tuple[int, int], ...]
    statuses: Counts
    examples: tuple[tuple[str, str, int, str], ...]


@with_short_repr
@dataclass(frozen=True, slots=True)
class Overview:
    """Aggregates of a run.

    Attributes:
        entries: Number of entries that are page URLs.
        days: Number of entries by day of their lastmod, in UTC, oldest first.
        lastmod_missing: Number of entries without lastmod.
        lastmod_unreadable: Number of entries with an invalid lastmod.
        sections: The largest sections of the sites, largest first.
        more_sections: Number of other sections.
        languages: The hreflang annotations; None if no entry has any.
        redirects: The pages that redirect; None if no page was fetched or no page redirects.
    """

    entries: int
    days: tuple[tuple[date, int], ...] = ()
    lastmod_missing: int = 0
    lastmod_unreadable: int = 0
    sections: tuple[Section, ...] = ()
    more_sections: int = 0
    languages: Languages | None = None
    redirects: Redirects | None = None
