"""List of the known crawlers as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from urlset.report.json_parts import VERSION
from urlset.report.style import Style
from urlset.safe import json_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from urlset.agents import KnownAgent


def render(agents: Sequence[KnownAgent], style: Style = Style()) -> Iterator[str]:
    """Yield the crawlers as JSON text."""
    yield json_text({"version": VERSION, "agents": msgspec.to_builtins(agents)}, ascii_only=style.ascii_only)
