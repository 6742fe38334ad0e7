"""Effective configuration as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report.json_parts import VERSION
from urlset.report.plain_values import plain_value
from urlset.report.style import Style
from urlset.safe import json_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.reference import EffectiveConfiguration


def render(configuration: EffectiveConfiguration, style: Style = Style()) -> Iterator[str]:
    """Yield the configuration as JSON text."""
    report = {
        "version": VERSION,
        "file": None if configuration.file is None else str(configuration.file),
        "values": [
            {"key": one.key, "value": plain_value(one.value), "origin": one.origin} for one in configuration.settings
        ],
        "rules": [
            {"code": one.rule.code, "severity": one.severity, "default": one.usual} for one in configuration.rules
        ],
    }
    yield json_text(report, ascii_only=style.ascii_only)
