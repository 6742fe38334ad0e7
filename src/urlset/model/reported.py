"""What search engines say about the sitemaps that were submitted to them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from msgspec import Struct, field

from urlset.model.fields import NonNegativeInt, about


class ReportedSitemap(Struct, frozen=True, kw_only=True):
    """What a search engine says about a sitemap. Fields that the engine does not report are empty."""

    engine: Annotated[str, about("`google` or `bing`.")]
    url: Annotated[str, about("The sitemap.")]
    index: Annotated[
        str | None, about("The submitted index that lists it; None if it was submitted itself, or if not reported.")
    ] = None
    submitted_at: Annotated[datetime | None, about("When it was submitted, UTC.")] = None
    read_at: Annotated[datetime | None, about("When it was read last, UTC; None also if it was never read.")] = None
    is_pending: Annotated[bool | None, about("Whether it was not processed yet.")] = None
    is_index: Annotated[bool | None, about("Whether it is a sitemap index.")] = None
    kind: Annotated[str | None, about("Its type, in the words of the engine.")] = None
    status: Annotated[str | None, about("Its status, in the words of Bing.")] = None
    errors: Annotated[NonNegativeInt | None, about("Number of errors.")] = None
    warnings: Annotated[NonNegativeInt | None, about("Number of warnings.")] = None
    urls: Annotated[
        dict[str, NonNegativeInt], about("Number of URLs by type, such as `web`; of Bing, all are `url`.")
    ] = field(default_factory=dict)
    has_changed: Annotated[
        bool | None,
        about(
            "Whether its bytes have changed since it was read, according to the runs of the store; None if they do "
            "not say."
        ),
    ] = None
    bytes_seen: Annotated[
        str | None, about("What the runs say about its bytes, in words; None if they say nothing.")
    ] = None

    def sentence(self) -> str:
        """Return it in words, such as `Google read it last on 2026-11-03, with 2 errors`."""
        name = NAMES.get(self.engine, self.engine)
        if self.read_at is None:
            text = f"{name} has never read it"
        else:
            text = f"{name} read it last on {self.read_at:%Y-%m-%d}"
        counts = [(self.errors, "error"), (self.warnings, "warning")]
        parts = [f"{count:,} {noun}{'' if count == 1 else 's'}" for count, noun in counts if count is not None]
        text += f", with {' and '.join(parts)}" if parts and self.read_at is not None else ""
        text += f", with the status {self.status}" if self.status else ""
        text += "; it is pending" if self.is_pending else ""
        if self.bytes_seen is not None:
            text += f"; {'since then ' if self.has_changed else ''}its bytes {self.bytes_seen}"
        return text


class ReportedSitemaps(Struct, frozen=True, kw_only=True):
    """Result of `coverage sitemaps`."""

    sitemaps: Annotated[tuple[ReportedSitemap, ...], about("The submitted sitemaps, by engine.")]
    asked: Annotated[dict[str, str], about("The sites whose lists were requested, by engine.")]
    notes: Annotated[tuple[str, ...], about("What to know about the result.")] = ()


class ReportedReading(Struct, frozen=True, kw_only=True):
    """What a search engine says about the address of a check."""

    engine: Annotated[str, about("`google` or `bing`.")]
    sitemap: Annotated[ReportedSitemap | None, about("What it says; None if the address was not submitted to it.")]
    has_changed: Annotated[
        bool | None,
        about(
            "Whether the address has changed since it was read, according to the runs of the store, or to its "
            "Last-Modified; None if that is not known."
        ),
    ]
    sentence: Annotated[str, about("All of it in words.")]


NAMES = {"google": "Google", "bing": "Bing"}
