"""JSON report of `monitor`; its schema is `schemas/monitor.schema.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report.json_parts import VERSION
from urlset.report.style import Style
from urlset.safe import json_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.monitoring import MonitorResult


def render(result: MonitorResult, style: Style = Style()) -> Iterator[str]:
    """Yield the result as JSON text."""
    sites = [
        {
            "site": site.site,
            "opened": [alarm.to_dict() for alarm in site.opened],
            "closed": [alarm.to_dict() for alarm in site.closed],
            "still_open": [alarm.to_dict() for alarm in site.still_open],
            "is_first": site.is_first,
            "notes": list(site.notes),
            "problem": site.problem,
        }
        for site in result.sites
    ]
    content = {
        "version": VERSION,
        "sites": sites,
        "not_due": result.not_due,
        "undelivered": dict(result.undelivered),
    }
    yield json_text(content, ascii_only=style.ascii_only)
