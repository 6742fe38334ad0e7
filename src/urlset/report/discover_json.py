"""JSON report of `discover`; its schema is `schemas/discover.schema.json`."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from urlset.report.json_parts import VERSION
from urlset.report.style import Style
from urlset.safe import json_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from urlset.model.discovery import Discovery, KeyHint, LlmsFile, VisitedPage


def render(discoveries: Sequence[Discovery], style: Style = Style()) -> Iterator[str]:
    """Yield the result as JSON text."""
    values = {"version": VERSION, "origins": [_discovery(discovery) for discovery in discoveries]}
    yield json_text(values, ascii_only=style.ascii_only)


def _discovery(discovery: Discovery) -> dict[str, object]:
    return {
        "written": discovery.written,
        "origin": discovery.origin,
        "unreachable": discovery.unreachable,
        "sitemaps": [candidate.to_dict() for candidate in discovery.candidates],
        "tried": [candidate.to_dict() for candidate in discovery.tried],
        "robots": _visited(discovery.robots),
        "home": _visited(discovery.home),
        "indexnow_keys": [_key(hint) for hint in discovery.keys],
        "llms_txt": _llms(discovery.llms),
        "notes": list(discovery.notes),
    }


def _key(hint: KeyHint) -> dict[str, object]:
    return {
        "declared_by": hint.way.value,
        "page": hint.page,
        "line": hint.line,
        "written": hint.written,
        "key": hint.key,
        "url": hint.url,
    }


def _llms(file: LlmsFile | None) -> dict[str, object] | None:
    if file is None:
        return None
    text = file.text
    return {
        "url": file.url,
        "bytes": text.bytes,
        "title": text.title,
        "sections": text.sections,
        "links": [asdict(link) for link in text.links],
        "problems": [
            {"problem": fault.problem.value, "line": fault.line, "evidence": fault.evidence} for fault in text.faults
        ],
    }


def _visited(page: VisitedPage | None) -> dict[str, object] | None:
    if page is None:
        return None
    return {"url": page.url, "http_status": page.status, "reason": page.reason, "named": page.named}
