"""Result of `coverage diff`: URLs whose state in the index of a search engine changed between two days."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated

from msgspec import Struct, field

from urlset.model.coverage import IndexState
from urlset.model.fields import NonNegativeInt, PositiveInt, about
from urlset.model.page_changes import ValueChange
from urlset.model.result import with_short_repr
from urlset.options.comparing import PageProperty


class StateChange(StrEnum):
    """How a state changed."""

    FELL_OUT = "fell-out"
    """It was reported as indexed, and then as not indexed."""
    CAME_IN = "came-in"
    OTHER_REASON = "other-reason"
    """The state is the same, and its reason is another."""


class ReportedState(Struct, frozen=True, kw_only=True):
    """What a search engine reported of a URL."""

    state: Annotated[IndexState, about("Whether it is indexed.")]
    reason: Annotated[str | None, about("Why, as a reason that urlset knows, or as reported; None without one.")]
    source: Annotated[str, about("Where it is from, as in `index_states`.")]
    at: Annotated[datetime, about("The date of the report, UTC.")]


class PageStateChange(Struct, frozen=True, kw_only=True):
    """A URL whose state changed."""

    url: Annotated[str, about("The URL as reported.")]
    before: Annotated[ReportedState, about("The last report up to the first day.")]
    after: Annotated[ReportedState, about("The last report up to the second day.")]
    changes: Annotated[
        tuple[ValueChange, ...] | None,
        about("What changed on the page between the two runs; None if they did not both request it."),
    ]


class StateChanges(Struct, frozen=True, kw_only=True):
    """The URLs whose state changed in one way."""

    change: Annotated[StateChange, about("How it changed.")]
    urls: Annotated[NonNegativeInt, about("Number of URLs.")]
    changed: Annotated[
        Mapping[PageProperty, PositiveInt],
        about("Properties that changed on these pages between the two runs, with the number of pages."),
    ]
    pages: Annotated[tuple[PageStateChange, ...], about("The URLs, in alphabetical order, as many as requested.")]


class StoredRun(Struct, frozen=True):
    """A run whose pages are compared."""

    run_id: Annotated[PositiveInt, about("Its number.")] = field(name="run")
    made_at: Annotated[datetime, about("When it ended, UTC.")]


@with_short_repr
class CoverageDiff(Struct, frozen=True, kw_only=True):
    """Result of `coverage diff`."""

    store: Annotated[Path, about("The store.")]
    engine: Annotated[str, about("The search engine.")]
    since: Annotated[date, about("The first day; reports up to its end, UTC, count.")]
    until: Annotated[date, about("The second day; reports up to its end, UTC, count.")]
    compared: Annotated[NonNegativeInt, about("Number of URLs with a report up to the first day and a newer one.")]
    first_reported: Annotated[NonNegativeInt, about("Number of URLs whose first report is after the first day.")]
    not_reported: Annotated[
        NonNegativeInt, about("Number of URLs without a report since the first day, so that their state is unknown.")
    ]
    changes: Annotated[tuple[StateChanges, ...], about("The URLs whose state changed, by how it did.")]
    runs: Annotated[
        tuple[StoredRun, ...],
        about("The two runs whose pages are compared; empty if the store does not have two."),
    ]
