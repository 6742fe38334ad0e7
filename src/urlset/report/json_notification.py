"""JSON of the result of a notification, which `notify` and `build --notify` write."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report.json_parts import VERSION

if TYPE_CHECKING:
    from urlset.model.notification import NotifyResult


def as_json(result: NotifyResult) -> dict[str, object]:
    """Return the result as JSON values."""
    return {
        "version": VERSION,
        "outcome": result.outcome,
        "reason": result.reason,
        "urls": result.urls,
        "accepted": result.accepted,
        "accepted_before": result.already,
        "listed": result.listed,
        "found": dict(result.found),
        "not_sent": dict(result.not_sent),
        "altered": dict(result.altered),
        "hosts": [
            {
                "host": host.host,
                "urls": host.urls,
                "accepted": host.accepted,
                "key_location": host.key_location,
            }
            for host in result.hosts
        ],
        "endpoints": [
            {
                "endpoint": use.endpoint,
                "accepted": use.accepted,
                "statuses": {str(status): count for status, count in use.statuses.items()},
                "problem": use.problem,
            }
            for use in result.endpoints
        ],
        "examples": [{"url": one.url, "kind": one.kind, "version": one.version} for one in result.examples],
        "ledger": str(result.ledger),
    }
