"""The timeline of a page: changes, crawls, and reports, with the evidence for each date."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated

from msgspec import Struct

from urlset.model.fields import about


class EventKind(StrEnum):
    """What happened."""

    LISTED = "listed"
    TEXT_CHANGED = "text-changed"
    LASTMOD_CHANGED = "lastmod-changed"
    VERDICT_CHANGED = "verdict-changed"
    SITEMAP_READ = "sitemap-read"
    CRAWLED = "crawled"
    REPORTED = "reported"
    IMPRESSION = "impression"


class PageEvent(Struct, frozen=True, kw_only=True):
    """Something that happened to a page. Between two audits, only an interval is known."""

    kind: Annotated[EventKind, about("What happened.")]
    after: Annotated[datetime | None, about("It happened after this time, UTC; None if the first time is unknown.")]
    at: Annotated[datetime, about("It happened at this time, or before it if `after` is another time, UTC.")]
    what: Annotated[str, about("What happened, in words.")]
    evidence: Annotated[str, about("Source of this information.")]

    @property
    def when(self) -> str:
        """The time in words, such as `between 2026-11-01 and 2026-11-08`."""
        last = f"{self.at:%Y-%m-%d}"
        if self.after is None:
            return f"on or before {last}"
        first = f"{self.after:%Y-%m-%d}"
        return f"on {last}" if first == last else f"between {first} and {last}"


class PageTimeline(Struct, frozen=True):
    """The events of a page, and what followed its last change."""

    events: Annotated[tuple[PageEvent, ...], about("The first listing and the last events of each kind, oldest first.")]
    waiting: Annotated[
        tuple[str, ...],
        about("For each search engine, a sentence on what followed the last change, according to logs and reports."),
    ]
