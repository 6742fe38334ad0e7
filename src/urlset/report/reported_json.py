"""What search engines say about submitted sitemaps, as JSON, with the fields of `urlset.model.ReportedSitemaps`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from urlset.report.json_parts import VERSION
from urlset.report.style import Style
from urlset.safe import json_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.reported import ReportedSitemaps


def render(result: ReportedSitemaps, style: Style = Style()) -> Iterator[str]:
    """Yield the result as JSON text."""
    yield json_text({"version": VERSION, **msgspec.to_builtins(result)}, ascii_only=style.ascii_only)
