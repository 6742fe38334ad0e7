"""What access logs show about the sitemaps of a run: crawlers, sections, and days."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

    from urlset.model.report import Report


@dataclass(frozen=True, slots=True)
class CrawlerCoverage:
    """What one crawler requested of a site. Except `impostor_hits`, no number includes requests of impostors.

    Attributes:
        agent: Its product token.
        operator: The company that runs it.
        purpose: What it fetches pages for, such as search or ai-training.
        hits: Number of its requests, without those of impostors.
        verified_hits: Number of these requests that are verified.
        impostor_hits: Number of requests that only claim to be of it.
        page_hits: Number of its requests for URLs that can be pages.
        wasted_hits: Number of these requests for URLs that are not listed, or that got a redirect.
        unlisted_hits: Number of these requests for URLs that are not listed.
        redirect_hits: Number of these requests that got a redirect.
        parameter_hits: Number of these requests for URLs with parameters that are not listed.
        refused_hits: Number of its verified requests that got 403 or 429 although robots.txt allows the URL.
        listed: Number of listed URLs.
        fetched: Number of listed URLs that it requested.
        dated: Number of listed URLs with a valid lastmod.
        fresh: Number of these URLs that it requested after their lastmod.
        delay_days: Median number of days from lastmod to the next request; None if no URL has both in the logs.
        delay_urls: Number of URLs in this median.
        delay_is_estimate: Whether the median is an estimate: of more than two requests for a URL, only the times of
            the first and last are known.
    """

    agent: str
    operator: str
    purpose: str
    hits: int
    verified_hits: int
    impostor_hits: int
    page_hits: int
    wasted_hits: int
    unlisted_hits: int
    redirect_hits: int
    parameter_hits: int
    refused_hits: int
    listed: int
    fetched: int
    dated: int
    fresh: int
    delay_days: float | None
    delay_urls: int
    delay_is_estimate: bool


@dataclass(frozen=True, slots=True)
class SectionWaste:
    """The requests of crawlers for one section of a site, without those of impostors.

    Attributes:
        name: Site and first folder.
        listed: Number of its listed URLs.
        fetched: Number of its listed URLs that a crawler requested.
        page_hits: Number of requests for URLs that can be pages.
        wasted_hits: Number of these requests for URLs that are not listed, or that got a redirect.
        unlisted_hits: Number of these requests for URLs that are not listed.
        redirect_hits: Number of these requests that got a redirect.
        parameter_hits: Number of these requests for URLs with parameters that are not listed.
    """

    name: str
    listed: int
    fetched: int
    page_hits: int
    wasted_hits: int
    unlisted_hits: int
    redirect_hits: int
    parameter_hits: int


@dataclass(frozen=True, slots=True)
class CrawlOverview:
    """Access logs, compared with a run.

    Attributes:
        run_id: The run of the store.
        period: First and last day of the logs, as text.
        days: Length of the period in days.
        is_verified: Whether the address of any crawler was checked.
        crawlers: The crawlers, those with the most requests first.
        more_crawlers: Number of further crawlers.
        sections: The sections, those with the most wasted requests first.
        more_sections: Number of further sections.
        calendar: Requests by crawler and day, for the crawlers with the most requests; every day of the period.
        notes: What the logs do not allow to say, as sentences.
    """

    run_id: int
    period: str
    days: float
    is_verified: bool
    crawlers: tuple[CrawlerCoverage, ...]
    more_crawlers: int
    sections: tuple[SectionWaste, ...]
    more_sections: int
    calendar: Mapping[str, tuple[tuple[date, int], ...]]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CrawlReport:
    """The findings on access logs, and what they are based on.

    Attributes:
        report: Documents and findings, in the form of `urlset validate`.
        overview: The logs in numbers.
    """

    report: Report
    overview: CrawlOverview
