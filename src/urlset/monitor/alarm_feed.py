"""Renders alarms as an Atom feed: https://www.rfc-editor.org/rfc/rfc4287."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from urlset.text.safe import safe

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from urlset.model.monitoring import Alarm

MAX_ALARMS = 100
"""Alarms in a feed."""


def atom(alarms: Sequence[Alarm], now: datetime) -> bytes:
    """Return the feed. An entry changes when its alarm is closed.

    Args:
        alarms: The alarms, newest first.
        now: When it is written, if there is no alarm.
    """
    updated = max((alarm.closed_at or alarm.opened_at for alarm in alarms), default=now)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<feed xmlns="http://www.w3.org/2005/Atom">',
        "  <title>urlset monitor</title>",
        "  <id>urn:urlset:monitor</id>",
        "  <author><name>urlset</name></author>",
        f"  <updated>{_instant(updated)}</updated>",
    ]
    for alarm in alarms:
        state = "" if alarm.closed_by is None else f"{alarm.closed_by.words}: "
        text = "\n".join(alarm.details)
        lines += [
            "  <entry>",
            f"    <title>{_text(f'{state}{alarm.site}: {alarm.title}')}</title>",
            f"    <id>urn:urlset:monitor:alarm:{alarm.alarm_id}:{alarm.opened_at:%Y%m%dT%H%M%SZ}</id>",
            f"    <published>{_instant(alarm.opened_at)}</published>",
            f"    <updated>{_instant(alarm.closed_at or alarm.opened_at)}</updated>",
            f'    <category term="{alarm.kind.value}"/>',
            f'    <category term="{alarm.severity.value}"/>',
            f'    <content type="text">{escape(chr(10).join(map(safe, text.split(chr(10)))))}</content>',
            "  </entry>",
        ]
    return "\n".join([*lines, "</feed>", ""]).encode()


def _text(text: str) -> str:
    return escape(safe(text))


def _instant(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
