"""Impressions and clicks of Search Analytics: the days that were requested, and the pages of a site."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path
from typing import Annotated

from msgspec import Struct, field

from urlset.errors import ExitCode
from urlset.model.coverage import InspectOutcome
from urlset.model.fields import NonNegativeInt, about
from urlset.model.result import with_short_repr
from urlset.options.coverage import SearchType


@with_short_repr
class ImpressionsResult(Struct, frozen=True, kw_only=True):
    """Result of `coverage impressions`. Days are in Pacific time, as in Search Console."""

    store: Annotated[Path, about("The store.")]
    site: Annotated[str, about("The property of Search Console.")] = field(name="property")
    search_type: Annotated[SearchType, about("The type of search.")]
    outcome: Annotated[InspectOutcome, about("How it ended.")]
    reason: Annotated[str | None, about("Why it stopped, as a message; None if it is complete.")]
    next_at: Annotated[datetime | None, about("When it can continue, UTC; None if it is complete, or unknown.")]
    first: Annotated[date | None, about("First day that Google has data of; None if it has none.")]
    last: Annotated[date | None, about("Last day that Google has data of; None if it has none.")]
    fetched: Annotated[NonNegativeInt, about("Number of days that were added to the store, or updated.")]
    kept: Annotated[NonNegativeInt, about("Number of days that the store had already, as final.")]
    left: Annotated[NonNegativeInt, about("Number of days that remain to be requested.")]
    pages: Annotated[NonNegativeInt, about("Number of different pages with impressions on these days, in the store.")]
    impressions: Annotated[NonNegativeInt, about("Number of their impressions.")]
    clicks: Annotated[NonNegativeInt, about("Number of their clicks.")]
    provisional: Annotated[
        tuple[date, ...], about("Days in the store whose data Google was still collecting; they can change.")
    ] = ()
    cut: Annotated[
        tuple[date, ...],
        about("Days in the store with as many pages as the API returns; more pages may have impressions."),
    ] = ()
    skipped: Annotated[NonNegativeInt, about("Number of rows left out, since they have no absolute http(s) URL.")] = 0
    notes: Annotated[tuple[str, ...], about("What to know about the result.")] = ()

    @property
    def exit_code(self) -> ExitCode:
        return ExitCode.UNREADABLE if self.outcome is InspectOutcome.STOPPED else ExitCode.CLEAN


class SectionImpressions(Struct, frozen=True):
    """The impressions of a section of a site."""

    name: Annotated[str, about("The host, with the first folder of the paths.")]
    pages: Annotated[NonNegativeInt, about("Number of its pages with impressions.")]
    impressions: Annotated[NonNegativeInt, about("Number of their impressions.")]
    clicks: Annotated[NonNegativeInt, about("Number of their clicks.")]


class PageImpressions(Struct, frozen=True):
    """The impressions of a page."""

    url: Annotated[str, about("The page as Google reports it: its canonical.")]
    impressions: Annotated[NonNegativeInt, about("Number of its impressions.")]
    clicks: Annotated[NonNegativeInt, about("Number of its clicks.")]
    is_listed: Annotated[bool, about("Whether a sitemap of the run lists it.")]


class SiteImpressions(Struct, frozen=True, kw_only=True):
    """The impressions of the pages on the hosts of a run, in one type of search. Days are in Pacific time."""

    search_type: Annotated[str, about("The type of search.")]
    first: Annotated[date, about("First day of the period.")]
    last: Annotated[date, about("Last day of the period: the last one in the store.")]
    days: Annotated[NonNegativeInt, about("Number of days of the period that are in the store.")]
    provisional: Annotated[
        tuple[date, ...], about("Those whose data Google was still collecting; they can change.")
    ] = ()
    cut: Annotated[tuple[date, ...], about("Those with as many pages as the API returns; more may exist.")] = ()
    pages: Annotated[NonNegativeInt, about("Number of pages with impressions.")]
    impressions: Annotated[NonNegativeInt, about("Number of their impressions.")]
    clicks: Annotated[NonNegativeInt, about("Number of their clicks.")]
    listed: Annotated[NonNegativeInt, about("Number of pages that the run lists.")]
    listed_with: Annotated[NonNegativeInt, about("Number of these with impressions.")]
    sections: Annotated[tuple[SectionImpressions, ...], about("The sections with most impressions.")]
    more_sections: Annotated[NonNegativeInt, about("Number of further sections.")]
    top: Annotated[tuple[PageImpressions, ...], about("The pages with most impressions.")]
