"""JSON of the results of `coverage`, `coverage import`, and `coverage inspect`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report.coverage_words import STEPS
from urlset.report.json_parts import VERSION, findings_as_json, summary_as_json
from urlset.report.rows import plain_value

if TYPE_CHECKING:
    from urlset.model.coverage import CoverageResult, Funnel, FunnelRow, ImportResult, InspectResult, Step


def coverage_as_json(result: CoverageResult) -> dict[str, object]:
    """Return the result of `coverage` as JSON values."""
    report = result.report
    return {
        "version": VERSION,
        "store": str(result.store),
        "run": result.run_id,
        "made_at": plain_value(result.made_at),
        "funnel": funnel_as_json(result.funnel),
        "summary": summary_as_json(report),
        "findings": list(findings_as_json(report)),
    }


def funnel_as_json(funnel: Funnel) -> dict[str, object]:
    """Return a funnel as JSON values."""
    return {
        "engine": funnel.engine,
        "engines": list(funnel.engines),
        "crawlers": list(funnel.crawlers),
        "reported_from": plain_value(funnel.oldest),
        "reported_to": plain_value(funnel.newest),
        "logs_from": plain_value(None if funnel.logs is None else funnel.logs[0]),
        "logs_to": plain_value(None if funnel.logs is None else funnel.logs[1]),
        "total": _row(funnel.total),
        "by": funnel.by,
        "rows": [{"name": row.name, **_row(row)} for row in funnel.rows],
        "more_rows": funnel.more_rows,
        "reasons": [{"reason": reason or None, "urls": count} for reason, count in funnel.reasons],
        "indexed_not_listed": funnel.unlisted,
        "left_out": funnel.elsewhere,
    }


def _row(row: FunnelRow) -> dict[str, object]:
    return {"listed": row.listed, **{name: _step(getattr(row, name)) for name in STEPS}}


def _step(step: Step) -> dict[str, int]:
    return {"yes": step.yes, "no": step.no, "unknown": step.unknown}


def import_as_json(result: ImportResult) -> dict[str, object]:
    """Return the result of `coverage import` as JSON values."""
    return {
        "version": VERSION,
        "store": str(result.store),
        "reported_urls": result.urls,
        "files": [
            {
                "file": file.path,
                "kind": file.kind,
                "engine": file.engine,
                "urls": file.urls,
                "states": {str(state): count for state, count in file.states.items()},
                "reason": file.reason,
                "unknown_reasons": dict(file.unknown_reasons),
                "skipped": file.skipped,
                "unread_dates": file.unread_dates,
                "at": plain_value(file.at),
                "is_dated": file.is_dated,
                "is_cut": file.is_cut,
            }
            for file in result.files
        ],
    }


def inspection_as_json(result: InspectResult) -> dict[str, object]:
    """Return the result of `coverage inspect` as JSON values."""
    share = result.indexed
    return {
        "version": VERSION,
        "store": str(result.store),
        "property": result.site,
        "outcome": result.outcome,
        "reason": result.reason,
        "next_at": plain_value(result.next_at),
        "listed": result.listed,
        "outside": result.outside,
        "sample": result.sample,
        "inspected": result.inspected,
        "failed": dict(result.failed),
        "asked": result.asked,
        "used": result.used,
        "per_day": result.per_day,
        "indexed": None
        if share is None
        else {"urls": share.part, "of": share.whole, "low": share.low, "high": share.high},
        "reasons": [{"reason": reason or None, "urls": count} for reason, count in result.reasons],
        "notes": list(result.notes),
    }
