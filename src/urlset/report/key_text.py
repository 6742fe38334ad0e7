"""Text that `notify key` prints: the file, and what to do with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report.style import Style
from urlset.safe import safe

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.notification import NewKey


def render(key: NewKey, style: Style = Style()) -> Iterator[str]:  # noqa: ARG001 - as every renderer
    """Yield the lines."""
    path = safe(str(key.path))
    yield f"Wrote {path}."
    yield f"Publish it as /{key.path.name} of each host, then run `urlset notify OLD NEW --key-file {path}`."
