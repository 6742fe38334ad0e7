"""Text report of the effective configuration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.options.file import shown
from urlset.report.plain_values import value_text
from urlset.report.style import Style
from urlset.safe import safe

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.reference import EffectiveConfiguration


def render(configuration: EffectiveConfiguration, style: Style = Style()) -> Iterator[str]:  # noqa: ARG001
    """Yield each value with its origin, then the rules that differ from the defaults."""
    file = configuration.file
    yield f"Configuration file: {safe(shown(file)) if file else 'none'}"
    yield ""
    width = max(len(one.key) for one in configuration.settings)
    for one in configuration.settings:
        yield f"{one.key:{width}}  {safe(value_text(one.value))}  ({safe(one.origin)})"
    if configuration.rules:
        yield ""
        yield "Rules that differ from the defaults:"
    for changed in configuration.rules:
        usual = f"default {changed.usual}" if changed.usual else "custom rule"
        yield f"  {changed.rule.code}  {changed.severity or 'off'} ({usual})  {safe(changed.rule.name)}"
