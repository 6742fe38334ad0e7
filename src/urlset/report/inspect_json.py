"""JSON report of `inspect`; its schema is `schemas/inspect.schema.json`."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from urlset.model.document import was_read
from urlset.report.json import VERSION, origin_as_json, skipped_as_json, unfetched_as_json, unreadable_as_json
from urlset.report.style import Style
from urlset.safe import json_pieces
from urlset.tables import PAGE_LIST_KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from urlset.model.document import InspectedDocument, InspectReport, Row


def render(report: InspectReport, style: Style = Style()) -> Iterator[str]:
    yield from json_pieces(_members(report), ascii_only=style.ascii_only)


def _members(report: InspectReport) -> dict[str, object]:
    """Return the members of the report; long lists are iterators."""
    names: dict[object, str] = {document.number: str(document.facts["url"]) for document in report.documents}
    url_of = names.__getitem__
    read = (document for document in report.documents if was_read(document.facts))
    unfetched = (document.facts for document in report.documents if not was_read(document.facts))
    return {
        "version": VERSION,
        "totals": _totals(report),
        "documents": (_document(document) | origin_as_json(document.facts, url_of) for document in read),
        "unfetched": (unfetched_as_json(facts, url_of) for facts in unfetched),
        "cuts": (_cut(cut, names) for cut in report.cuts),
        "unreadable": [unreadable_as_json(unreadable) for unreadable in report.unreadable],
        "skipped": [skipped_as_json(skipped) for skipped in report.skipped],
    }


def _document(document: InspectedDocument) -> dict[str, object]:
    facts = document.facts
    names = ("url", "kind", "entries", "bytes", "wire_bytes", "compression", "encoding", "complete")
    return {
        **{name: facts.get(name) for name in names},
        "lastmod": {
            "oldest": _instant(facts.get("lastmod_oldest")),
            "newest": _instant(facts.get("lastmod_newest")),
            "missing": facts.get("lastmod_missing"),
            "distribution": [{"period": label, "entries": count} for label, count in document.histogram],
        },
        "extensions": {name: facts.get(name) for name in ("images", "videos", "news", "alternates")},
        "children": [_child(row) for row in document.children],
        "anomalies": [_anomaly(row) for row in document.anomalies],
    }


def _totals(report: InspectReport) -> dict[str, object]:
    read = [document.facts for document in report.documents if was_read(document.facts)]
    indexes = [facts for facts in read if facts["kind"] == "sitemapindex"]
    sitemaps = [facts for facts in read if facts["kind"] in PAGE_LIST_KINDS]
    instants = [facts.get("lastmod_oldest") for facts in sitemaps], [facts.get("lastmod_newest") for facts in sitemaps]
    oldest, newest = ([at for at in column if isinstance(at, datetime)] for column in instants)
    return {
        "indexes": len(indexes),
        "sitemaps": len(sitemaps),
        "urls": _sum(sitemaps, "entries"),
        "unfetched": sum(not was_read(document.facts) for document in report.documents),
        "bytes": _sum(read, "bytes"),
        "wire_bytes": _sum(read, "wire_bytes"),
        "lastmod": {
            "oldest": _instant(min(oldest, default=None)),
            "newest": _instant(max(newest, default=None)),
            "missing": _sum(sitemaps, "lastmod_missing"),
        },
        "extensions": {name: _sum(sitemaps, name) for name in ("images", "videos", "news", "alternates")},
    }


def _sum(rows: Iterable[Row], name: str) -> int:
    return sum(value for row in rows if isinstance(value := row.get(name), int))


def _cut(cut: Row, names: Mapping[object, str]) -> dict[str, object]:
    return {
        "document": names[cut["document_id"]],
        "line": cut["line"],
        "column": cut["col"],
        "kind": cut["kind"],
        "url": cut["url"],
        "duplicate_of": names.get(cut["duplicate_of"]),
        "count": cut["count"],
    }


def _child(row: Row) -> dict[str, object]:
    return {"loc": row.get("loc"), "lastmod": row.get("lastmod"), "line": row.get("line"), "column": row.get("col")}


def _anomaly(row: Row) -> dict[str, object]:
    return {
        "kind": row.get("kind"),
        "line": row.get("line"),
        "column": row.get("col"),
        "evidence": row.get("evidence"),
        "count": row.get("count", 1),
    }


def _instant(at: object) -> str | None:
    if not isinstance(at, datetime):
        return None
    return (at.astimezone(UTC).replace(tzinfo=None) if at.tzinfo else at).isoformat() + "Z"
