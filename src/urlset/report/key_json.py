"""The key that `notify key` made, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report.json_parts import VERSION
from urlset.report.style import Style
from urlset.safe import json_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.notification import NewKey


def render(key: NewKey, style: Style = Style()) -> Iterator[str]:
    """Yield the key and its file as JSON text."""
    values = {"version": VERSION, "key": key.key, "file": str(key.path)}
    yield json_text(values, ascii_only=style.ascii_only)
