"""What access logs show about the sitemaps of a run: crawlers, sections, and days."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Annotated, TypeAlias

from msgspec import Struct

from urlset.model.fields import Flat, NonNegativeFloat, NonNegativeInt, PositiveInt, about, computed
from urlset.model.report import Report

WastedHits: TypeAlias = Annotated[
    NonNegativeInt, about("Number of these requests for URLs that are not listed, or that got a redirect.")
]
UnlistedHits: TypeAlias = Annotated[NonNegativeInt, about("Number of these requests for URLs that are not listed.")]
RedirectHits: TypeAlias = Annotated[NonNegativeInt, about("Number of these requests that got a redirect.")]
ParameterHits: TypeAlias = Annotated[
    NonNegativeInt, about("Number of these requests for URLs with parameters that are not listed.")
]


class CrawlerCoverage(Struct, frozen=True):
    """What one crawler requested of a site. Except `impostor_hits`, no number includes requests of impostors."""

    agent: Annotated[str, about("Its product token.")]
    operator: Annotated[str, about("The company that runs it.")]
    purpose: Annotated[str, about("What it fetches pages for, such as search or ai-training.")]
    hits: Annotated[NonNegativeInt, about("Number of its requests, without those of impostors.")]
    verified_hits: Annotated[NonNegativeInt, about("Number of these requests that are verified.")]
    impostor_hits: Annotated[NonNegativeInt, about("Number of requests that only claim to be of it.")]
    page_hits: Annotated[NonNegativeInt, about("Number of its requests for URLs that can be pages.")]
    wasted_hits: WastedHits
    unlisted_hits: UnlistedHits
    redirect_hits: RedirectHits
    parameter_hits: ParameterHits
    refused_hits: Annotated[
        NonNegativeInt, about("Number of its verified requests that got 403 or 429 although robots.txt allows the URL.")
    ]
    listed: Annotated[NonNegativeInt, about("Number of listed URLs.")]
    fetched: Annotated[NonNegativeInt, about("Number of listed URLs that it requested.")]
    dated: Annotated[NonNegativeInt, about("Number of listed URLs with a valid lastmod.")]
    fresh: Annotated[NonNegativeInt, about("Number of these URLs that it requested after their lastmod.")]
    delay_days: Annotated[
        NonNegativeFloat | None,
        about("Median number of days from lastmod to the next request; None if no URL has both in the logs."),
    ]
    delay_urls: Annotated[NonNegativeInt, about("Number of URLs in this median.")]
    delay_is_estimate: Annotated[
        bool,
        about(
            "Whether the median is an estimate: of more than two requests for a URL, only the times of the first and "
            "last are known."
        ),
    ]


class SectionWaste(Struct, frozen=True):
    """The requests of crawlers for one section of a site, without those of impostors."""

    name: Annotated[str, about("Site and first folder.")]
    listed: Annotated[NonNegativeInt, about("Number of its listed URLs.")]
    fetched: Annotated[NonNegativeInt, about("Number of its listed URLs that a crawler requested.")]
    page_hits: Annotated[NonNegativeInt, about("Number of requests for URLs that can be pages.")]
    wasted_hits: WastedHits
    unlisted_hits: UnlistedHits
    redirect_hits: RedirectHits
    parameter_hits: ParameterHits


class DayHits(Struct, frozen=True):
    """The requests on a day."""

    day: Annotated[date, about("The day, UTC.")]
    hits: Annotated[NonNegativeInt, about("Number of requests.")]


class CrawlOverview(Struct, frozen=True):
    """Access logs, compared with a run."""

    run_id: Annotated[PositiveInt, about("The run of the store.")]
    period: Annotated[str, about("First and last day of the logs, as text.")]
    days: Annotated[float, about("Length of the period in days.")]
    is_verified: Annotated[bool, about("Whether the address of any crawler was checked.")]
    crawlers: Annotated[tuple[CrawlerCoverage, ...], about("The crawlers, those with the most requests first.")]
    more_crawlers: Annotated[NonNegativeInt, about("Number of further crawlers.")]
    sections: Annotated[tuple[SectionWaste, ...], about("The sections, those with the most wasted requests first.")]
    more_sections: Annotated[NonNegativeInt, about("Number of further sections.")]
    calendar: Annotated[
        Mapping[str, tuple[tuple[date, int], ...]],
        about("Requests by crawler and day, for the crawlers with the most requests; every day of the period."),
    ]
    notes: Annotated[tuple[str, ...], about("What cannot be concluded from the logs, as sentences.")]

    @property
    def rounded_days(self) -> NonNegativeFloat:
        """Length of this period as a number of days."""
        return round(self.days, 3)

    @property
    def hits_by_day(self) -> dict[str, list[DayHits]]:
        """Requests on each day, by crawler, for the crawlers with the most requests."""
        return {agent: [DayHits(*day) for day in days] for agent, days in self.calendar.items()}


class CrawlReport(Struct, frozen=True, kw_only=True):
    """The findings on access logs, and what they are based on."""

    overview: Annotated[
        CrawlOverview,
        Flat(
            "run=run_id", "period", "days=rounded_days", "is_verified", "crawlers", "more_crawlers", "sections",
            "more_sections", "calendar=hits_by_day",
        ),
        about("The logs in numbers."),
    ]  # fmt: skip
    report: Annotated[Report, about("Documents and findings, in the form of `urlset validate`.")]

    @property
    @computed(before="report")
    def notes(self) -> Sequence[str]:
        """What cannot be concluded from the logs."""
        return self.report.notes
