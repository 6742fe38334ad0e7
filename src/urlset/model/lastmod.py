"""Result of `lastmod`: how many dates of each sitemap are true."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from msgspec import Struct, field

from urlset.errors import Unreadable
from urlset.model.build import DateProof
from urlset.model.fields import NonNegativeInt, PositiveInt, Ratio, about, computed
from urlset.model.source_mapping import SourceMapping
from urlset.rules.date_verdict import DateVerdict

MIN_COMPARABLE = 30
"""Minimum number of comparable dates to state a share. Our choice: with fewer, a few pages decide it."""


class DateCounts(Struct, frozen=True, kw_only=True):
    """The entries of sitemaps by what is known about their lastmod."""

    entries: Annotated[NonNegativeInt, about("Number of entries.")] = 0
    absent: Annotated[NonNegativeInt, about("Number of entries without lastmod.")] = 0
    invalid: Annotated[NonNegativeInt, about("Number of entries with a lastmod that is not a date.")] = 0
    true: Annotated[
        NonNegativeInt,
        about("Number of dates that agree with the date of the page, or that moved when the content changed."),
    ] = 0
    inflated: Annotated[NonNegativeInt, about("Number of dates that are newer than the last change of the page.")] = 0
    frozen: Annotated[NonNegativeInt, about("Number of dates that are older than the last change of the page.")] = 0
    unknown: Annotated[NonNegativeInt, about("Number of dates that could not be compared.")] = 0

    @property
    @computed()
    def comparable(self) -> NonNegativeInt:
        """Number of dates that could be compared."""
        return self.true + self.inflated + self.frozen

    @property
    @computed()
    def trust(self) -> Ratio | None:
        """Share of true dates among the comparable ones, from 0 to 1; None if there are too few to tell."""
        return None if self.comparable < MIN_COMPARABLE else self.true / self.comparable

    def is_below(self, least: float) -> bool:
        """Return whether there are enough dates to tell, and too few of them are true."""
        return self.trust is not None and self.trust < least


class SitemapDates(DateCounts, frozen=True, kw_only=True):
    """The dates of one sitemap."""

    url: Annotated[str, about("Its URL or path.")]
    rules: Annotated[tuple[str, ...], about("Codes of the rules on dates that it violates.")] = ()


class CrawlerFollowing(Struct, frozen=True):
    """Whether a crawler follows lastmod, according to access logs."""

    agent: Annotated[str, about("The crawler, by its product token.")]
    changed: Annotated[
        NonNegativeInt,
        about(
            "Number of pages whose lastmod is at least a week older than the crawler's last request in the logs, and "
            "newer than its first."
        ),
    ]
    crawled: Annotated[NonNegativeInt, about("Number of these pages that it requested after their lastmod.")]


class TextDateOfPage(Struct, frozen=True, kw_only=True):
    """A page whose text has a date in git."""

    url: Annotated[str, about("The page.")]
    lastmod: Annotated[str | None, about("Its lastmod as published; None without one.")]
    proof: Annotated[DateProof, about("The commit that introduced the present text of the page.")]
    days: Annotated[
        int | None,
        about("Days by which lastmod is later than the change, or earlier if negative; None without lastmod."),
    ]
    verdict: Annotated[DateVerdict, about("Whether lastmod is true, inflated, frozen, or unknown.")]

    @property
    def is_false(self) -> bool:
        return self.verdict in (DateVerdict.INFLATED, DateVerdict.FROZEN)


class DateTrust(Struct, frozen=True, kw_only=True):
    """Result of `lastmod`."""

    target: Annotated[str, about("The site, or the store, as given.")]
    store: Annotated[Path | None, about("The store with the run; None if it was not kept.")]
    run_id: Annotated[PositiveInt | None, about("The run; None if it was not kept.")] = field(name="run")
    earlier_run: Annotated[int | None, about("The run that content was compared with; None without one.")]
    pages: Annotated[NonNegativeInt, about("Number of pages that the run fetched.")]
    total: Annotated[DateCounts, about("The dates of all sitemaps.")]
    sitemaps: Annotated[
        tuple[SitemapDates, ...], about("The dates of each sitemap that lists pages, in the order of the run.")
    ]
    crawlers: Annotated[
        tuple[CrawlerFollowing, ...], about("Whether crawlers follow the dates; empty without access logs.")
    ] = ()
    mapping: Annotated[
        SourceMapping | None, about("With `--against`: which pages have known source files; None without it.")
    ] = None
    notes: Annotated[
        tuple[str, ...],
        about("With `--against`: notes on an incomplete history, or on the proofs of a state file."),
    ] = ()
    texts: Annotated[
        tuple[TextDateOfPage, ...],
        about("With `--against`: the true date of each page whose text has one, those with a false lastmod first."),
    ] = ()
    missing: Annotated[
        tuple[Unreadable, ...], about("Documents of the run that could not be read, so that their dates are missing.")
    ] = ()
    unreadable: Annotated[tuple[Unreadable, ...], about("Targets that could not be read.")] = ()

    @property
    @computed(before="total")
    def min_comparable(self) -> NonNegativeInt:
        """Minimum number of comparable dates for `trust`."""
        return MIN_COMPARABLE

    def fails(self, least: float | None) -> bool:
        """Return whether the share of true dates is too low, in total or in a sitemap."""
        return least is not None and any(counts.is_below(least) for counts in (self.total, *self.sitemaps))
