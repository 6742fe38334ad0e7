"""A run that a store keeps, and the run in aggregates, which do not grow with the site."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import date, datetime


@dataclass(frozen=True, slots=True)
class RunRow:
    """A run that a store keeps: its row of `tables.RUNS`.

    Attributes:
        run_id: Its number, from 1.
        started_at: When it began.
        finished_at: When it ended; None if it did not.
        targets: What was looked at.
        settings: What it was set to, as JSON.
        version: The version of urlset.
        documents: Documents read; this and the rest are None for a run without an end.
        urls: Entries that are URLs of pages.
        pages: How many of those were looked at.
        errors: Findings that are errors.
        warnings: Findings that are warnings.
        infos: Findings that are worth knowing.
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
"""The fields of a run that are numbers, in the order in which they are shown."""

Counts = tuple[tuple[str, int], ...]
"""Names and how many there are of each, in the order in which they are shown."""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a site by path.

    Attributes:
        name: Host and folder: `example.com/blog/`.
        urls: Entries below it.
        parts: Its folders, each with the entries below it; the largest first, not all of them.
    """

    name: str
    urls: int
    parts: Counts = ()


@dataclass(frozen=True, slots=True)
class Languages:
    """The language versions in numbers.

    Attributes:
        codes: Links by hreflang, the most frequent first, not all of them.
        more_codes: How many different codes there are besides.
        sizes: Entries by how many versions their cluster has.
        clusters: How many different sets of links there are.
        entries: How many entries have links.
    """

    codes: Counts
    more_codes: int
    sizes: tuple[tuple[int, int], ...]
    clusters: int
    entries: int


@dataclass(frozen=True, slots=True)
class Redirects:
    """The pages that redirect.

    Attributes:
        hops: Pages by how many hops they take.
        statuses: Hops by their status.
        examples: Some of them: the URL, where it ends, how many hops, and the status there.
    """

    hops: tuple[tuple[int, int], ...]
    statuses: Counts
    examples: tuple[tuple[str, str, int, str], ...]


@dataclass(frozen=True, slots=True)
class Overview:
    """A run in aggregates.

    Attributes:
        entries: Entries that are URLs of pages.
        days: Entries by the day of their lastmod, in UTC; oldest first.
        lastmod_missing: Entries without lastmod.
        lastmod_unreadable: Entries whose lastmod is no date.
        sections: Parts of the sites, the largest first, not all of them.
        more_sections: How many sections there are besides.
        languages: The language versions; None where there are none.
        redirects: The pages that redirect; None where no page was looked at, or none does.
    """

    entries: int
    days: tuple[tuple[date, int], ...] = ()
    lastmod_missing: int = 0
    lastmod_unreadable: int = 0
    sections: tuple[Section, ...] = ()
    more_sections: int = 0
    languages: Languages | None = None
    redirects: Redirects | None = None
