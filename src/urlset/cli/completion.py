"""Shell completion, which click provides, with a correction for fish."""

from __future__ import annotations

from typing import ClassVar

from click.shell_completion import FishComplete, add_completion_class


class Fish(FishComplete):
    """Completion for fish. Click's script cuts candidates and descriptions at their first comma."""

    source_template: ClassVar[str] = FishComplete.source_template.replace(
        'string split "," $completion', 'string split --max 1 "," $completion'
    )


def register() -> None:
    """Replace click's completion for fish."""
    add_completion_class(Fish)
