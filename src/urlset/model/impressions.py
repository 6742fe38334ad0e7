"""Result of `coverage impressions`: the days of Search Analytics that were requested."""

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
