"""JSON of `diff`, which `build` has as well; its schema is `schemas/diff.schema.json`."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING, TypeVar

from urlset.model.comparison import LastmodChangeKind, State
from urlset.report import json_objects
from urlset.report.style import Style
from urlset.safe import json_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from urlset.model.comparison import Comparison, FindingChange, LastmodChange, ListedUrl, Part, RemovedUrl, Side


def render(comparison: Comparison, style: Style = Style()) -> Iterator[str]:
    yield json_text(as_json(comparison), ascii_only=style.ascii_only)


Item = TypeVar("Item")


def as_json(comparison: Comparison) -> dict[str, object]:
    result: dict[str, object] = {
        "version": json_objects.VERSION,
        "before": _side(comparison.before),
        "after": _side(comparison.after),
        "same": comparison.is_same,
        "alarms": [{"name": alarm.name, "message": alarm.message} for alarm in comparison.alarms],
        "urls": {
            "added": _part(comparison.added, _listed_url),
            "removed": _part(comparison.removed, _listed_url),
            "lastmod": {
                **_part(comparison.lastmod, _lastmod),
                "moved": {kind.value: comparison.moved.get(kind, 0) for kind in LastmodChangeKind},
            },
        },
        "sitemaps": {
            "added": _part(comparison.children_added, str),
            "removed": _part(comparison.children_removed, str),
        },
        "findings": _findings(comparison),
        "removed_urls": None,
    }
    if comparison.removed_urls is not None:
        outcomes = {outcome.value: count for outcome, count in (comparison.removed_url_counts or {}).items()}
        result["removed_urls"] = {**_part(comparison.removed_urls, _removed_url), "outcomes": outcomes}
    return result


def _side(side: Side) -> dict[str, object]:
    return {
        "name": side.name,
        "run": side.run_id,
        "at": side.at.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="seconds") + "Z",
        "documents": side.documents,
        "urls": side.urls,
        "unreadable": [f"{gap.target}: {gap.reason}" for gap in side.gaps.unreadable],
        "incomplete": {
            "count": side.gaps.incomplete.count,
            "examples": json_objects.as_json(side.gaps.incomplete.examples),
        },
        "skipped": json_objects.as_json(side.gaps.skipped),
        "notes": list(side.gaps.notes),
    }


def _part(part: Part[Item], as_item: Callable[[Item], object]) -> dict[str, object]:
    return {
        "count": part.count,
        "examples": [as_item(item) for item in part.examples],
        "documents": [{"document": name, "count": count} for name, count in part.documents],
    }


def _listed_url(listed: ListedUrl) -> dict[str, object]:
    return {"url": listed.url, "document": listed.document, "lastmod": listed.lastmod}


def _lastmod(change: LastmodChange) -> dict[str, object]:
    return {
        "url": change.url,
        "document": change.document,
        "before": change.before,
        "after": change.after,
        "moved": change.moved.value,
    }


def _removed_url(removal: RemovedUrl) -> dict[str, object]:
    return {
        "url": removal.url,
        "outcome": removal.outcome.value,
        "status": removal.status,
        "target": removal.target,
        "target_listed": removal.is_listed,
        "reason": removal.reason,
    }


def _findings(comparison: Comparison) -> dict[str, object] | None:
    if comparison.findings is None:
        return None
    numbers = {state.value: len(comparison.findings_that_are(state)) for state in State}
    before, after = comparison.one_sided
    return {
        "counts": numbers,
        "changes": [_finding(change) for change in comparison.findings],
        "not_compared": {"before": list(before), "after": list(after)},
    }


def _finding(change: FindingChange) -> dict[str, object]:
    return {
        "state": change.state.value,
        "code": change.code,
        "severity": change.severity.value,
        "document": change.document,
        "before": change.before,
        "after": change.after,
        "message": change.message,
    }
