"""The JSON of `coverage`, and of its imports and inspections."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from msgspec import Struct

from urlset.model.coverage import CoverageResult, Funnel, FunnelRow, ImportResult, InspectResult
from urlset.model.reported import ReportedSitemaps
from urlset.report.json_objects import Members, Output
from urlset.report.validate_json import FindingCounts, RankedFinding, finding_counts, ranked_findings


class AllListed(Struct, frozen=True):
    """All listed URLs, each counted once."""

    row: FunnelRow


def _total(funnel: Funnel) -> AllListed:
    """All listed URLs, each counted once."""
    return AllListed(funnel.total)


def _logs_from(funnel: Funnel) -> datetime | None:
    """Earliest time in the access logs, UTC; null without logs."""
    return None if funnel.logs is None else funnel.logs[0]


def _logs_to(funnel: Funnel) -> datetime | None:
    """Latest time in the access logs, UTC; null without logs."""
    return None if funnel.logs is None else funnel.logs[1]


def _summary(result: CoverageResult) -> FindingCounts:
    """The findings in numbers, as in the report of `urlset validate`."""
    return finding_counts(result.report)


def _findings(result: CoverageResult) -> Iterator[RankedFinding]:
    """The findings, as in the report of `urlset validate`."""
    return ranked_findings(result.report)


MEMBERS: Members = {
    "CoverageResult": ("store", "run=run_id", "made_at", "funnel", _summary, _findings),
    "Funnel": (
        "engine", "engines", "crawlers", "reported_from=oldest", "reported_to=newest", _logs_from, _logs_to, _total,
        "by", "rows", "more_rows", "reasons", "indexed_not_listed=unlisted", "left_out=elsewhere",
    ),
    "ImportResult": ("store", "reported_urls=urls", "files", "left_out"),
    "AllListed": ("row.listed", "row.fetched", "row.indexable", "row.indexed"),
}  # fmt: skip

COVERAGE: Output[CoverageResult] = Output(
    "coverage",
    "How many listed URLs are fetched by crawlers, indexable, and indexed, and the findings of the rules on coverage.",
    "coverage.CoverageResult",
)
IMPORT: Output[ImportResult] = Output(
    "coverage import", "What each imported file was, and what could not be used.", "coverage.ImportResult"
)
INSPECTION: Output[InspectResult] = Output(
    "coverage inspect", "The share of indexed URLs in a sample, and the reasons.", "coverage.InspectResult"
)
REPORTED: Output[ReportedSitemaps] = Output(
    "coverage sitemaps", "What search engines say about submitted sitemaps.", "reported.ReportedSitemaps"
)
