"""The JSON of `fix`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import Struct

from urlset.model.fields import NonNegativeInt, PositiveInt, about
from urlset.model.fix import Change, FixReport, Omission
from urlset.report.json_objects import Members, Output


class FixSummary(Struct, frozen=True):
    """The result of all documents."""

    documents: Annotated[NonNegativeInt, about("Number of documents.")]
    repairs: Annotated[NonNegativeInt, about("Number of repairs.")]
    omitted: Annotated[NonNegativeInt, about("Number of parts that could not be repaired and were left out.")]
    remaining: Annotated[Sequence[str], about("Codes of the rules whose errors remain in the results.")]
    whole: Annotated[
        bool, about("Whether everything was repaired, or there was nothing to repair, and no error remains.")
    ]


def _summary(report: FixReport) -> FixSummary:
    """The result of all documents."""
    return FixSummary(len(report.documents), report.repaired, report.omitted, report.remaining, report.is_whole)


def _line(edit: Change | Omission) -> PositiveInt | None:
    """Line in the original document; null if it has no line."""
    return edit.line or None


MEMBERS: Members = {
    "Change": (_line, "before", "after"),
    "FixReport": ("dry_run", _summary, "documents", "unreadable"),
    "FixedDocument": (
        "target", "kind", "outcome", "reason", "entries", "files", "repairs", "omitted", "omissions", "remaining",
        "diff",
    ),
    "Omission": ("kind", "reason", _line, "text"),
}  # fmt: skip

FIX: Output[FixReport] = Output("fix", "What was repaired, and what was left out.", "fix.FixReport")
