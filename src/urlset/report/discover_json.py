"""The result of `discover` as JSON, as `schemas/discover.schema.json` describes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report.json import VERSION
from urlset.safe import json_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from urlset.model.discovery import Discovery, Visited


def render(discoveries: Sequence[Discovery], *, ascii_only: bool = False) -> str:
    """The result as JSON text."""
    return json_text(as_json(discoveries), ascii_only=ascii_only)


def as_json(discoveries: Sequence[Discovery]) -> dict[str, object]:
    """The result as values that `json` can write."""
    return {"version": VERSION, "origins": [_discovery(discovery) for discovery in discoveries]}


def _discovery(discovery: Discovery) -> dict[str, object]:
    return {
        "written": discovery.written,
        "origin": discovery.origin,
        "unreachable": discovery.unreachable,
        "sitemaps": [candidate.to_dict() for candidate in discovery.candidates],
        "tried": [candidate.to_dict() for candidate in discovery.tried],
        "robots": _visited(discovery.robots),
        "home": _visited(discovery.home),
        "notes": list(discovery.notes),
    }


def _visited(page: Visited | None) -> dict[str, object] | None:
    if page is None:
        return None
    return {"url": page.url, "http_status": page.status, "reason": page.reason, "named": page.named}
