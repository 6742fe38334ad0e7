"""JSON report of `audit`; its schema is `schemas/audit.schema.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from urlset.report.json_objects import VERSION, as_json
from urlset.report.style import Style
from urlset.safe import json_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.audit import AgentAccess, AuditResult, Inventory, MediaCounts, PageCounts
    from urlset.model.page_list import PageVerdict


def render(audited: AuditResult, style: Style = Style()) -> Iterator[str]:
    yield json_text(_as_json(audited), ascii_only=style.ascii_only)


def _as_json(audited: AuditResult) -> dict[str, object]:
    return {
        "version": VERSION,
        "store": None if audited.store is None else str(audited.store),
        "run": audited.run_id,
        "earlier_run": audited.earlier_run,
        "report": as_json(audited.report),
        "checks": as_json(audited.checks),
        "pages": None if audited.pages is None else _pages(audited.pages),
        "not_indexable": None if audited.not_indexable is None else list(map(_verdict, audited.not_indexable.pages)),
        "images": None if audited.media is None else _media(audited.media),
        "links": None if audited.links is None else as_json(audited.links),
        "agents": [_agent(access) for access in audited.agents],
        "inventory": None if audited.inventory is None else _inventory(audited.inventory),
        **({"clients": msgspec.to_builtins(audited.clients)} if audited.clients else {}),
    }


def _pages(pages: PageCounts) -> dict[str, object]:
    return {
        "listed": pages.listed,
        "selected": pages.selected,
        "fetched": pages.fetched,
        "blocked": pages.blocked,
        "stopped_by": pages.stopped_by,
        "statuses": dict(pages.statuses),
        "private": pages.private,
        "outside": pages.outside,
        "partial": pages.partial,
        "health": {
            "indexable": pages.good.part,
            "pages": pages.good.whole,
            "low": round(pages.good.low, 6),
            "high": round(pages.good.high, 6),
        },
        "not_indexable": pages.not_indexable,
        "unknown": pages.unknown,
        "reasons": dict(pages.reasons),
    }


def _verdict(page: PageVerdict) -> dict[str, object]:
    return {
        "url": page.url,
        "is_indexable": page.is_indexable,
        "reason": page.reason,
        "value": page.value,
        "document": page.document,
        "line": page.line,
        "column": page.col,
        "status": page.status,
    }


def _media(media: MediaCounts) -> dict[str, object]:
    return {
        "selected": media.selected,
        "fetched": media.fetched,
        "videos": media.videos,
        "blocked": media.blocked,
        "stopped_by": media.stopped_by,
        "statuses": dict(media.statuses),
    }


def _agent(access: AgentAccess) -> dict[str, object]:
    return {
        "agent": access.agent.name,
        "operator": access.agent.operator,
        "purpose": access.agent.purpose.value,
        "urls": access.urls,
        "blocked": access.blocked,
        "sections": [{"section": place, "urls": urls, "blocked": blocked} for place, urls, blocked in access.sections],
    }


def _inventory(inventory: Inventory) -> dict[str, object]:
    return {
        "known": inventory.known,
        "column": inventory.column,
        "skipped": inventory.skipped,
        "unlisted": {"count": inventory.unlisted, "examples": list(inventory.unlisted_examples)},
        "unknown": {"count": inventory.unknown, "examples": list(inventory.unknown_examples)},
    }
