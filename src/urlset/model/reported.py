"""What search engines say about the sitemaps that were submitted to them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime  # noqa: TC003 - msgspec reads the annotations


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedSitemap:
    """What a search engine says about a sitemap. A field is None if the engine does not say.

    Attributes:
        engine: `google` or `bing`.
        url: The sitemap.
        submitted_at: When it was submitted, UTC.
        read_at: When it was read last, UTC; None also if it was never read.
        is_pending: Whether it was not processed yet.
        is_index: Whether it is a sitemap index.
        kind: Its type, in the words of the engine.
        status: Its status, in the words of Bing.
        errors: Number of errors.
        warnings: Number of warnings.
        urls: Number of URLs by type, such as `web`; of Bing, all are `url`.
        has_changed: Whether its bytes have changed since it was read, according to the runs of the store; None if they
            do not say.
        bytes_seen: What the runs say about its bytes, in words; None if they say nothing.
    """

    engine: str
    url: str
    submitted_at: datetime | None = None
    read_at: datetime | None = None
    is_pending: bool | None = None
    is_index: bool | None = None
    kind: str | None = None
    status: str | None = None
    errors: int | None = None
    warnings: int | None = None
    urls: dict[str, int] = field(default_factory=dict)
    has_changed: bool | None = None
    bytes_seen: str | None = None

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


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedSitemaps:
    """Result of `coverage sitemaps`.

    Attributes:
        sitemaps: The submitted sitemaps, by engine.
        asked: The sites whose lists were requested, by engine.
        notes: What to know about the result.
    """

    sitemaps: tuple[ReportedSitemap, ...]
    asked: dict[str, str]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedReading:
    """What a search engine says about the address of a check.

    Attributes:
        engine: `google` or `bing`.
        sitemap: What it says; None if the address was not submitted to it.
        has_changed: Whether the address has changed since it was read, according to the runs of the store, or to its
            Last-Modified; None if that is not known.
        sentence: All of it in words.
    """

    engine: str
    sitemap: ReportedSitemap | None
    has_changed: bool | None
    sentence: str


NAMES = {"google": "Google", "bing": "Bing"}
