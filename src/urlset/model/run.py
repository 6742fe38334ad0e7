"""A run in a store, and its aggregates, which do not grow with the site."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Annotated

from msgspec import DecodeError, Struct, field, json

from urlset.model.fields import NonNegativeInt, PositiveInt, about, computed
from urlset.model.result import with_short_repr

SITE = "site"
"""Name of the setting of a run with the URL at which its directory of pages is published."""


class RunRow(Struct, frozen=True):
    """A run in a store: its row of `tables.RUNS`."""

    run_id: Annotated[PositiveInt, about("Its number, from 1.")] = field(name="run")
    started_at: Annotated[datetime, about("Time at which it started.")]
    finished_at: Annotated[datetime | None, about("Time at which it finished; None for an unfinished run.")]
    targets: Annotated[tuple[str, ...], about("Its targets.")]
    settings: Annotated[str, about("Its settings, as JSON.")]
    version: Annotated[str, about("The version of urlset.")]
    documents: Annotated[
        NonNegativeInt | None, about("Number of documents read; so far for an unfinished run, as the next two.")
    ]
    urls: Annotated[NonNegativeInt | None, about("Number of entries that are page URLs.")]
    pages: Annotated[NonNegativeInt | None, about("Number of pages fetched.")]
    errors: Annotated[
        NonNegativeInt | None,
        about("Number of findings that are errors; this and the next two are None for an unfinished run."),
    ]
    warnings: Annotated[NonNegativeInt | None, about("Number of findings that are warnings.")]
    infos: Annotated[NonNegativeInt | None, about("Number of findings of severity info.")]

    @property
    @computed("started_at")
    def start(self) -> datetime:
        """Time at which it started."""
        return self.started_at.astimezone(UTC).replace(microsecond=0)

    @property
    @computed("finished_at")
    def end(self) -> datetime | None:
        """Time at which it finished; None for an unfinished run."""
        return None if self.finished_at is None else self.finished_at.astimezone(UTC).replace(microsecond=0)

    @property
    @computed("settings")
    def decoded_settings(self) -> dict[str, object]:
        """Its settings, without secrets."""
        return json.decode(self.settings, type=dict[str, object])

    @property
    def site(self) -> str | None:
        """URL at which the audited directory of pages is published; None for other targets, or if it is unknown."""
        try:
            url = self.decoded_settings.get(SITE)
        except DecodeError:
            # The settings of a damaged store: its runs are still named by their targets.
            return None
        return url if isinstance(url, str) else None


RUN_NUMBERS = ("documents", "urls", "pages", "errors", "warnings", "infos")
"""The counts of a run, in display order."""

Counts = tuple[tuple[str, int], ...]
"""Names with their counts, in display order."""


class Section(Struct, frozen=True):
    """A section of a site, by path."""

    name: Annotated[str, about("Host and folder: `example.com/blog/`.")]
    urls: Annotated[NonNegativeInt, about("Number of entries in it.")]
    parts: Annotated[Counts, about("Its largest folders with the number of entries in each, largest first.")] = ()


class Languages(Struct, frozen=True):
    """The hreflang annotations in numbers."""

    codes: Annotated[Counts, about("Number of annotations by hreflang code, for the most frequent codes.")]
    more_codes: Annotated[NonNegativeInt, about("Number of other codes.")]
    sizes: Annotated[
        tuple[tuple[int, int], ...], about("Number of entries by number of language versions in their cluster.")
    ]
    clusters: Annotated[NonNegativeInt, about("Number of distinct sets of annotations.")]
    entries: Annotated[NonNegativeInt, about("Number of entries with annotations.")]


@with_short_repr
class Redirects(Struct, frozen=True):
    """The pages that redirect."""

    hops: Annotated[tuple[tuple[int, int], ...], about("Number of pages by number of hops.")]
    statuses: Annotated[Counts, about("Number of hops by status code.")]
    examples: Annotated[
        tuple[tuple[str, str, int, str], ...],
        about("Some pages: the URL, the final URL, the number of hops, and the final status code."),
    ]


@with_short_repr
class Overview(Struct, frozen=True):
    """Aggregates of a run."""

    entries: Annotated[NonNegativeInt, about("Number of entries that are page URLs.")]
    days: Annotated[
        tuple[tuple[date, int], ...], about("Number of entries by day of their lastmod, in UTC, oldest first.")
    ] = ()
    lastmod_missing: Annotated[NonNegativeInt, about("Number of entries without lastmod.")] = 0
    lastmod_unreadable: Annotated[NonNegativeInt, about("Number of entries with an invalid lastmod.")] = 0
    sections: Annotated[tuple[Section, ...], about("The largest sections of the sites, largest first.")] = ()
    more_sections: Annotated[NonNegativeInt, about("Number of other sections.")] = 0
    languages: Annotated[Languages | None, about("The hreflang annotations; None if no entry has any.")] = None
    redirects: Annotated[
        Redirects | None, about("The pages that redirect; None if no page was fetched or no page redirects.")
    ] = None
