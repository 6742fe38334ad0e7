"""Result of `coverage --clock`: how long pages take from text to crawl, from crawl to index, and to an impression."""

from __future__ import annotations

from datetime import date, datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated

from msgspec import Struct, field

from urlset.model.fields import NonNegativeInt, PositiveInt, Ratio, about
from urlset.model.result import with_short_repr

MIN_WAITS = 8
"""Waits below which nothing is claimed about their duration."""


MAX_INDEX_DAYS = 3
"""Days between the crawl, or a report as not indexed, and the report as indexed, beyond which the day of the index is
too uncertain for the wait for an impression. That it is known does not depend on that wait."""


class ClockStep(StrEnum):
    """What is waited for, and since when."""

    TEXT_TO_CRAWL = "text-to-crawl"
    """From a new page or text to the next request of the crawler."""
    CRAWL_TO_INDEX = "crawl-to-index"
    """From that request to the index, for pages that were not indexed before."""
    INDEX_TO_IMPRESSION = "index-to-impression"

    @property
    def words(self) -> str:
        """The step as text."""
        return self.value.replace("-", " ")

    @property
    def needs(self) -> str:
        """What must be known of a page, as a sentence."""
        return _NEEDS[self]


_NEEDS = {
    ClockStep.TEXT_TO_CRAWL: (
        "This step needs access logs of the days after a change: read them with `urlset logs --ranges`."
    ),
    ClockStep.CRAWL_TO_INDEX: (
        "This step needs reports from after the crawl: add them with `urlset coverage import` or `inspect`."
    ),
    ClockStep.INDEX_TO_IMPRESSION: (
        f"This step needs the day of indexing to within {MAX_INDEX_DAYS} days, which monthly exports do not show: run "
        "`urlset coverage inspect` every few days after you publish."
    ),
}


class SharedTrait(StrEnum):
    """What pages that wait long can have in common."""

    NO_LINKS = "no-links-in"
    """No other page links to it."""
    DEEP = "deep"
    """More than three links from a home page, or no path from one."""
    REDIRECTS = "redirects"
    """It redirects more than once."""
    DUPLICATE = "duplicate"
    """Another listed page has the same main text."""
    NOT_INDEXABLE = "not-indexable"

    @property
    def words(self) -> str:
        """The trait of a page, in words."""
        return _TRAITS[self]


_TRAITS = {
    SharedTrait.NO_LINKS: "no other page links to it",
    SharedTrait.DEEP: "more than 3 links from the home page",
    SharedTrait.REDIRECTS: "redirects more than once",
    SharedTrait.DUPLICATE: "same main text as another page",
    SharedTrait.NOT_INDEXABLE: "not indexable",
}


class DayRange(Struct, frozen=True):
    """A number of whole days of which only the bounds are known. 0 is the same day."""

    low: Annotated[NonNegativeInt, about("The smallest possible number of days.")]
    high: Annotated[
        NonNegativeInt | None, about("The largest possible number of days; None if too many pages still wait to tell.")
    ]


class WaitGroup(Struct, frozen=True, kw_only=True):
    """How long the pages of a section, of a template, or all of them wait.

    Each new page or text counts, so that a page whose text changed twice counts twice.
    """

    name: Annotated[str, about("The section or template; empty for all.")]
    n: Annotated[NonNegativeInt, about("Number of waits of which something is known.")]
    ended: Annotated[NonNegativeInt, about("Number of them that ended.")]
    waiting: Annotated[NonNegativeInt, about("Number of them that had not ended when the evidence ends.")]
    intervals: Annotated[NonNegativeInt, about("Number of ended waits whose days are only known as an interval.")]
    unknown: Annotated[NonNegativeInt, about("Number of other waits, of which nothing is known.")]
    day_25: Annotated[DayRange | None, about("Days in which a quarter of all waits end; None if n is below 8.")]
    median: Annotated[DayRange | None, about("Days in which half of all waits end; None if n is below 8.")]
    day_75: Annotated[DayRange | None, about("Days in which three quarters of all waits end; None if n is below 8.")]
    day_90: Annotated[DayRange | None, about("Days in which nine tenths of all waits end; None if n is below 8.")]


class CurvePoint(Struct, frozen=True):
    """The estimated share of waits that have ended after a number of days."""

    days: Annotated[NonNegativeInt, about("Number of days.")]
    share: Annotated[Ratio, about("The share of all waits.")]


class SlowPage(Struct, frozen=True):
    """A page that waits long."""

    url: Annotated[str, about("Its URL.")]
    since: Annotated[date, about("The latest day on which its wait may have begun, UTC.")]
    days: Annotated[NonNegativeInt, about("Days that it has waited at least.")]


class TraitCount(Struct, frozen=True):
    """How many of the pages that wait long, and how many of the others, have a trait."""

    trait: Annotated[SharedTrait, about("The trait.")]
    pages: Annotated[NonNegativeInt, about("Number of pages that wait long and have it.")]
    of: Annotated[NonNegativeInt, about("Number of pages that wait long and of which it is known.")]
    others: Annotated[NonNegativeInt, about("Number of other pages that have it.")]
    of_others: Annotated[NonNegativeInt, about("Number of other pages of which it is known.")]


class SlowPages(Struct, frozen=True, kw_only=True):
    """The pages that wait longer than nine tenths of the waits took that ended."""

    days: Annotated[NonNegativeInt, about("Nine tenths of the waits that ended took at most these days.")]
    pages: Annotated[NonNegativeInt, about("Number of pages that wait longer.")]
    examples: Annotated[tuple[SlowPage, ...], about("Those that wait longest, at most 10.")]
    shared: Annotated[
        tuple[TraitCount, ...], about("Traits that are at least twice as frequent among them as among the other pages.")
    ]


class StepTimes(Struct, frozen=True, kw_only=True):
    """How long one step takes."""

    step: Annotated[ClockStep, about("The step.")]
    every: Annotated[WaitGroup, about("All pages.")] = field(name="all")
    curve: Annotated[
        tuple[CurvePoint, ...], about("The share of all waits that have ended, by days; empty if n is below 8.")
    ]
    sections: Annotated[tuple[WaitGroup, ...], about("By host and first folder, those with most waits first.")]
    more_sections: Annotated[NonNegativeInt, about("Number of sections that are left out.")]
    templates: Annotated[tuple[WaitGroup, ...], about("By template, such as `/blog/*`, those with most waits first.")]
    more_templates: Annotated[NonNegativeInt, about("Number of templates that are left out.")]
    slow: Annotated[SlowPages | None, about("The pages that wait longest; None if fewer than 8 waits ended.")]


@with_short_repr
class ClockResult(Struct, frozen=True, kw_only=True):
    """Result of `coverage --clock`."""

    store: Annotated[Path, about("The store.")]
    run_id: Annotated[PositiveInt, about("The run whose pages count.")] = field(name="run")
    made_at: Annotated[datetime, about("When that run ended, UTC.")] = field(name="at")
    engine: Annotated[str, about("The search engine.")]
    crawler: Annotated[
        str | None, about("Its crawler, by the product token; None if urlset does not know the search engine.")
    ]
    logs_from: Annotated[date | None, about("First day of access logs that can tell, UTC; None without one.")]
    logs_to: Annotated[date | None, about("Last such day, UTC; None without one.")]
    log_days: Annotated[
        NonNegativeInt, about("Number of these days: with requests of crawlers, all of them of this one verified.")
    ]
    days_without_logs: Annotated[NonNegativeInt, about("Number of other days between them, which are unknown.")]
    future_lines: Annotated[
        NonNegativeInt, about("Number of lines of access logs that were skipped because they are dated in the future.")
    ] = 0
    reports: Annotated[NonNegativeInt, about("Number of days with reports of the search engine on these pages.")]
    future_reports: Annotated[
        NonNegativeInt, about("Number of reports in the store that are left out because they are dated in the future.")
    ] = 0
    impression_days: Annotated[
        NonNegativeInt, about("Number of days whose impressions of these pages in web search are known.")
    ]
    steps: Annotated[tuple[StepTimes, ...], about("The three steps, in order.")]
