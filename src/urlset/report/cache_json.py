"""Size of the HTTP cache as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report.json_parts import VERSION
from urlset.report.style import Style
from urlset.safe import json_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.reference import CacheState


def render(cache: CacheState, style: Style = Style()) -> Iterator[str]:
    """Yield the size of the cache as JSON text."""
    values = {
        "version": VERSION,
        "folder": str(cache.folder),
        "action": "clear" if cache.is_cleared else "info",
        "entries": cache.entries,
        "bytes": cache.bytes,
    }
    yield json_text(values, ascii_only=style.ascii_only)
