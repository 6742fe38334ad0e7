"""JSON report of `fix`; its schema is `schemas/fix.schema.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report.style import Style
from urlset.safe import json_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.fix import FixedDocument, FixReport

VERSION = 1
"""Version of the format, raised on breaking changes."""


def render(report: FixReport, style: Style = Style()) -> Iterator[str]:
    """Yield the report as JSON text."""
    yield json_text(_as_json(report), ascii_only=style.ascii_only)


def _as_json(report: FixReport) -> dict[str, object]:
    return {
        "version": VERSION,
        "dry_run": report.dry_run,
        "summary": {
            "documents": len(report.documents),
            "repairs": report.repaired,
            "omitted": report.omitted,
            "whole": report.is_whole,
        },
        "documents": [_document(document) for document in report.documents],
        "unreadable": [{"target": one.target, "reason": one.reason} for one in report.unreadable],
    }


def _document(document: FixedDocument) -> dict[str, object]:
    return {
        "target": document.target,
        "kind": document.kind,
        "outcome": document.outcome.value,
        "reason": document.reason,
        "entries": document.entries,
        "files": list(document.files),
        "repairs": [
            {
                "kind": repair.kind,
                "about": repair.about,
                "count": repair.count,
                "examples": [
                    {"line": example.line or None, "before": example.before, "after": example.after}
                    for example in repair.examples
                ],
            }
            for repair in document.repairs
        ],
        "omitted": document.omitted,
        "omissions": [
            {"kind": one.kind, "reason": one.reason, "line": one.line or None, "text": one.text}
            for one in document.omissions
        ],
        "diff": list(document.diff),
    }
