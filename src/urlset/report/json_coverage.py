"""JSON of the result of `coverage`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report.coverage_words import STEPS
from urlset.report.json_parts import VERSION, findings_as_json, summary_as_json
from urlset.report.rows import plain_value

if TYPE_CHECKING:
    from urlset.model.coverage import CoverageResult, Funnel, FunnelRow, Step


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
