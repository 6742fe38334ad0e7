"""The JSON of `build`."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from urlset.model.build import File, Lastmod, SiteReport, SourceDate
from urlset.model.build_result import BuildResult
from urlset.model.comparison import Comparison
from urlset.model.fields import about
from urlset.model.notification import NotifyResult
from urlset.model.stable import PartCounts, StableChanges
from urlset.report.json_objects import Members, Output, Versioned


class StableLayout(Struct, frozen=True):
    """What a build with the stable layout changed."""

    parts: Annotated[PartCounts, about("What happened to the parts.")]
    changes: Annotated[StableChanges, about("What happened to the URLs.")]
    ledger_note: Annotated[str | None, about("Why the ledger was created or rebuilt; null if it was not.")]


def _elapsed_seconds(result: BuildResult) -> Annotated[float, Meta(ge=0)]:
    """Duration of the build."""
    return round(result.report.elapsed, 3)


def _diff(result: BuildResult) -> Versioned[Comparison] | None:
    """The changes, as `urlset diff --format json` shows them; null without --diff, or if nothing was published yet."""
    comparison = result.checks.comparison
    return None if comparison is None else Versioned(comparison)


def _notified(result: BuildResult) -> Versioned[NotifyResult] | None:
    """What --notify sent, as `urlset notify --format json` shows it; null without the option."""
    notified = result.report.notified
    return None if notified is None else Versioned(notified)


def _stable(site: SiteReport) -> StableLayout | None:
    """What happened to the parts and their URLs; null if the layout is not stable."""
    summary = site.summary
    if summary.stable is None or summary.part_counts is None:
        return None
    return StableLayout(summary.part_counts, summary.stable, summary.ledger_note or None)


def _digest(file: File) -> Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]:
    """XXH3 hash of the file, 128 bits in hexadecimal, to detect changes."""
    return file.digest


def _lastmod(dated: Lastmod | SourceDate) -> str | None:
    """The date, before it is truncated to a day; null if no date was found."""
    value = dated.value
    return value if value is None or isinstance(value, str) else value.isoformat()


MEMBERS: Members = {
    "File": (
        "name", "url", "kind", "group", "entries", "bytes", "file_bytes", _digest, "lastmod", "changed", "alternates",
        "images", "videos", "news", "label",
    ),
    "Lastmod": ("url", _lastmod, "source", "sources"),
    "SiteReport": (
        "base_url", "out", "changed", "summary.received", "summary.written", "summary.files", "summary.removed",
        "summary.dated", "dates_from=dates", "left_out_in_total", "left_out", "left_out_examples=examples",
        "summary.refused", "summary.fields_left_out", "refused_examples=summary.examples",
        "published_before=summary.before", "shrinking", "summary.unescaped", "deprecated_images=summary.deprecated",
        "summary.feed", _stable, "notes", "robots",
    ),
    "SourceDate": ("source", _lastmod, "reason"),
    "BuildResult": (
        "report.published", "report.changed", "problems", "urls=report.written", _elapsed_seconds, "report.sites",
        "report.index", "report.explained", _diff, "checks.links", _notified,
    ),
    "StableLayout": (
        "parts", "changes.kept", "changes.added", "changes.removed", "changes.regrouped", "changes.outgrown",
        "changes.merged", "changes.merges", "ledger_note",
    ),
}  # fmt: skip

BUILD: Output[BuildResult] = Output(
    "build", "The built files, and what was left out and why.", "build_result.BuildResult"
)
