"""The HTTP cache in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report.style import Style
from urlset.report.words import counted
from urlset.safe import safe
from urlset.sizes import exact_size

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.reference import CacheState


def render(cache: CacheState, style: Style = Style()) -> Iterator[str]:  # noqa: ARG001
    """Yield how much it holds, or what was removed."""
    what = f"{counted(cache.entries, 'body', 'bodies')}, {exact_size(cache.bytes)}"
    yield safe(f"removed {what} from {cache.folder}" if cache.is_cleared else f"{cache.folder}: {what}")
