"""Size of the HTTP cache in one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report.style import Style
from urlset.safe import safe
from urlset.sizes import counted, exact_size

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.reference import CacheState


def render(cache: CacheState, style: Style = Style()) -> Iterator[str]:  # noqa: ARG001
    """Yield the number and size of cached responses, or of those removed."""
    what = f"{counted(cache.entries, 'cached response')}, {exact_size(cache.bytes)}"
    yield safe(f"removed {what} from {cache.folder}" if cache.is_cleared else f"{cache.folder}: {what}")
