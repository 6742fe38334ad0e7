"""JSON report of `validate`, and its parts; its schema is `schemas/validate.schema.json`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from urlset.model.document import was_read
from urlset.ranking import ranked
from urlset.report.style import Style
from urlset.report.words import schema_counts
from urlset.safe import json_pieces

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from urlset.errors import Unreadable
    from urlset.model.audit import LinkCounts
    from urlset.model.document import Row, SkippedFile
    from urlset.model.finding import Example, Finding
    from urlset.model.report import Report, RuleCount
    from urlset.model.schema import SchemaVerdict
    from urlset.ranking import RankedRule


def render(report: Report, style: Style = Style()) -> Iterator[str]:
    yield from json_pieces(members(report), ascii_only=style.ascii_only)


VERSION = 1
"""Version of the format, raised on breaking changes."""


def report_as_json(report: Report) -> dict[str, object]:
    return listed(members(report))


def listed(members: Mapping[str, object]) -> dict[str, object]:
    """Return the members with iterators replaced by lists."""
    return {name: list(value) if isinstance(value, Iterator) else value for name, value in members.items()}


def members(report: Report) -> dict[str, object]:
    """Return the members of the report; long lists are iterators."""
    url_of = report.document_url
    read = (row for row in report.documents if was_read(row))
    unfetched = (row for row in report.documents if not was_read(row))
    return {
        "version": VERSION,
        "tool": {"name": "urlset", "version": report.tool_version},
        "documents": (document_as_json(row) | origin_as_json(row, url_of) for row in read),
        "unfetched": (unfetched_as_json(row, url_of) for row in unfetched),
        "unreadable": [unreadable_as_json(unreadable) for unreadable in report.unreadable],
        "skipped": [skipped_as_json(skipped) for skipped in report.skipped],
        "summary": summary_as_json(report),
        **({} if report.schema is None else {"schema": schema_as_json(report, report.schema)}),
        "findings": findings_as_json(report),
    }


def count_as_json(count: RuleCount) -> dict[str, object]:
    return {
        "severity": count.rule.severity.value,
        "code": count.rule.code,
        "name": count.rule.name,
        "places": count.places,
        "documents": count.documents,
        "fixable": count.rule.fixable.value,
    }


def summary_as_json(report: Report) -> dict[str, int]:
    summary = report.summary
    return {
        "errors": summary.errors,
        "warnings": summary.warnings,
        "infos": summary.infos,
        "documents": summary.documents,
        "urls": summary.urls,
        **({} if report.known is None else {"known": report.known}),
        **({"assumed": summary.assumed} if summary.assumed else {}),
    }


def schema_as_json(report: Report, verdicts: Sequence[SchemaVerdict]) -> dict[str, object]:
    """Return the results of schema validation, in which valid documents are only counted."""
    return {
        **{status.value: count for status, count in schema_counts(verdicts).items()},
        "not_valid": [
            verdict_as_json(verdict, report.document_url(verdict.document_id)) for verdict in report.not_valid
        ],
    }


def verdict_as_json(verdict: SchemaVerdict, document_url: str) -> dict[str, object]:
    return {
        "document": document_url,
        "status": verdict.status.value,
        "count": verdict.total,
        "messages": [{"line": fault.line, "message": fault.message} for fault in verdict.faults],
        "reason": verdict.reason,
    }


def document_as_json(row: Row) -> dict[str, object]:
    """Return a document that was read."""
    names = ("url", "kind", "entries", "bytes", "wire_bytes", "compression", "encoding", "complete", "well_formed")
    return {name: row.get(name) for name in (*names, "sha256")}


def origin_as_json(row: Row, url_of: Callable[[int], str]) -> dict[str, object]:
    """Return how a document was found and fetched."""
    parent = row.get("parent_id")
    return {
        "found_by": row.get("found_by"),
        "depth": row.get("depth"),
        "parent": url_of(parent) if isinstance(parent, int) else None,
        "http_status": row.get("http_status"),
        "error_kind": row.get("error_kind"),
        **({} if row.get("assumed_from") is None else {"assumed_from": row.get("assumed_from")}),
    }


def unfetched_as_json(row: Row, url_of: Callable[[int], str]) -> dict[str, object]:
    """Return a listed document that was not fetched."""
    return {"url": row.get("url"), **origin_as_json(row, url_of), "reason": row.get("error")}


def unreadable_as_json(unreadable: Unreadable) -> dict[str, object]:
    return {"target": unreadable.target, "reason": unreadable.reason}


def skipped_as_json(skipped: SkippedFile) -> dict[str, object]:
    return {"target": skipped.target, "kind": skipped.kind}


def findings_as_json(report: Report) -> Iterator[dict[str, object]]:
    """Yield the findings, with their place in the order in which to fix them."""
    order = {violation.rule.code: violation for violation in ranked(report)}
    for finding in report.findings:
        yield finding_as_json(finding, report.document_url(finding.document_id), order[finding.rule.code])


def finding_as_json(finding: Finding, document_url: str, place: RankedRule) -> dict[str, object]:
    rule = finding.rule
    return {
        "code": rule.code,
        "name": rule.name,
        "severity": rule.severity.value,
        "rank": place.rank,
        "reason": place.reason,
        "because_of": [cause.code for cause in place.because_of],
        "count": finding.count,
        "document": document_url,
        "message": rule.message,
        "fix": rule.fix,
        "examples": [_example(example) for example in finding.examples],
    }


def _example(example: Example) -> dict[str, object]:
    return {
        "line": example.line,
        "column": example.column,
        "url": example.url,
        "field": example.field,
        "value": example.value,
        "message": example.message,
    }


def links_as_json(links: LinkCounts) -> dict[str, object]:
    return {
        "pages": links.pages,
        "links": links.links,
        "skipped": links.skipped,
        "needs_script": links.needs_script,
        "basis": links.basis,
        "unlinked": links.unlinked,
        "unlisted": links.unlisted,
        "crawled": links.crawled,
        "depths": [{"clicks": clicks, "pages": pages} for clicks, pages in links.depths],
        "uncrawled": [{"why": why, "count": count, "example": example} for why, count, example in links.uncrawled],
        "stopped_by": links.stopped_by,
    }
