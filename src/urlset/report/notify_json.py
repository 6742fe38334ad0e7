"""JSON report of `notify`; its schema is `schemas/notify.schema.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report.json_notification import as_json
from urlset.report.style import Style
from urlset.safe import json_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.notification import NotifyResult


def render(result: NotifyResult, style: Style = Style()) -> Iterator[str]:
    """Yield the result as JSON text."""
    yield json_text(as_json(result), ascii_only=style.ascii_only)
