"""The JSON of `fix`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from urlset.report.json_objects import Members, Output

if TYPE_CHECKING:
    from collections.abc import Sequence

    from urlset.model.fix import Change, FixReport, Omission


@dataclass(frozen=True, slots=True)
class FixSummary:
    """The result of all documents.

    Attributes:
        documents: Number of documents.
        repairs: Number of repairs.
        omitted: Number of parts that could not be repaired and were left out.
        remaining: Codes of the rules whose errors remain in the results.
        whole: Whether everything was repaired, or there was nothing to repair, and no error remains.
    """

    documents: int
    repairs: int
    omitted: int
    remaining: Sequence[str]
    whole: bool


def _summary(report: FixReport) -> FixSummary:
    """The result of all documents."""
    return FixSummary(len(report.documents), report.repaired, report.omitted, report.remaining, report.is_whole)


def _line(edit: Change | Omission) -> int | None:
    """Line in the original document; null if it has no line."""
    return edit.line or None


MEMBERS: Members = {
    "Change": (_line, "before", "after"),
    "FixReport": ("dry_run", _summary, "documents", "unreadable"),
    "FixedDocument": (
        "target", "kind", "outcome", "reason", "entries", "files", "repairs", "omitted", "omissions", "remaining",
        "diff",
    ),
    "RemainingError": ("code", "message", "count"),
    "Omission": ("kind", "reason", _line, "text"),
}  # fmt: skip

FIX: Output[FixReport] = Output("fix", "What was repaired, and what was left out.", "fix.FixReport")
