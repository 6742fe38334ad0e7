"""List of rules as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report.json_parts import VERSION
from urlset.report.style import Style
from urlset.safe import json_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from urlset.model.reference import ListedRule


def render(rules: Sequence[ListedRule], style: Style = Style()) -> Iterator[str]:
    """Yield the rules as JSON text."""
    yield json_text({"version": VERSION, "rules": [_as_json(one) for one in rules]}, ascii_only=style.ascii_only)


def _as_json(one: ListedRule) -> dict[str, object]:
    rule = one.rule
    return {
        "code": rule.code,
        "name": rule.name,
        "severity": rule.severity.value,
        "default_severity": one.usual,
        "scope": rule.kind,
        "lifecycle": rule.lifecycle.value,
        "since": rule.since,
        "fixable": rule.fixable.value,
        "check_effect": rule.check_effect.value,
        "message": rule.message,
        "fix": rule.fix,
        "sources": list(rule.sources),
    }
