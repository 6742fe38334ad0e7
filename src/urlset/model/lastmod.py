"""Result of `lastmod`: how many dates of each sitemap are true."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from urlset.errors import Unreadable

MIN_COMPARABLE = 30
"""Minimum number of comparable dates to state a share. Our choice: with fewer, a few pages decide it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DateCounts:
    """The entries of sitemaps by what is known about their lastmod.

    Attributes:
        entries: Number of entries.
        absent: Number of entries without lastmod.
        invalid: Number of entries with a lastmod that is not a date.
        true: Number of dates that agree with the date of the page, or that moved when the content changed.
        inflated: Number of dates that are newer than the last change of the page.
        frozen: Number of dates that are older than the last change of the page.
        unknown: Number of dates that could not be compared.
    """

    entries: int = 0
    absent: int = 0
    invalid: int = 0
    true: int = 0
    inflated: int = 0
    frozen: int = 0
    unknown: int = 0

    @property
    def comparable(self) -> int:
        """Number of dates that could be compared."""
        return self.true + self.inflated + self.frozen

    @property
    def trust(self) -> float | None:
        """Share of true dates among the comparable ones, from 0 to 1; None if there are too few to tell."""
        return None if self.comparable < MIN_COMPARABLE else self.true / self.comparable

    def is_below(self, least: float) -> bool:
        """Return whether there are enough dates to tell, and too few of them are true."""
        return self.trust is not None and self.trust < least


@dataclass(frozen=True, slots=True, kw_only=True)
class SitemapDates(DateCounts):
    """The dates of one sitemap.

    Attributes:
        url: Its URL or path.
        rules: Codes of the rules on dates that it violates.
    """

    url: str
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CrawlerFollowing:
    """Whether a crawler follows lastmod, according to access logs.

    Attributes:
        agent: The crawler, by its product token.
        changed: Number of pages whose lastmod is at least a week older than the crawler's last request in the logs, and
            newer than its first.
        crawled: Number of these pages that it requested after their lastmod.
    """

    agent: str
    changed: int
    crawled: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DateTrust:
    """Result of `lastmod`.

    Attributes:
        target: The site, or the store, as given.
        store: The store with the run; None if it was not kept.
        run_id: The run; None if it was not kept.
        earlier_run: The run that content was compared with; None without one.
        pages: Number of pages that the run fetched.
        total: The dates of all sitemaps.
        sitemaps: The dates of each sitemap that lists pages, in the order of the run.
        crawlers: Whether crawlers follow the dates; empty without access logs.
        unreadable: Targets and documents that could not be read.
    """

    target: str
    store: Path | None
    run_id: int | None
    earlier_run: int | None
    pages: int
    total: DateCounts
    sitemaps: tuple[SitemapDates, ...]
    crawlers: tuple[CrawlerFollowing, ...] = ()
    unreadable: tuple[Unreadable, ...] = ()

    def fails(self, least: float | None) -> bool:
        """Return whether the share of true dates is too low, in total or in a sitemap."""
        return least is not None and any(counts.is_below(least) for counts in (self.total, *self.sitemaps))
