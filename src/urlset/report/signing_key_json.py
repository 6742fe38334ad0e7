"""The key that `key new` made, as JSON, without its private part."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report.json_parts import VERSION
from urlset.report.style import Style
from urlset.safe import json_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.signing import NewSigningKey


def render(key: NewSigningKey, style: Style = Style()) -> Iterator[str]:
    """Yield the key as JSON text."""
    written = {
        "version": VERSION,
        "path": str(key.path),
        "keyid": key.keyid,
        "agent": key.agent,
        "directory": None if key.directory is None else str(key.directory),
        "keys": key.keys,
        "url": key.url,
    }
    yield json_text(written, ascii_only=style.ascii_only)
