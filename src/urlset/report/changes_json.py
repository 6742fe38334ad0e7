"""JSON report of `diff`; its schema is `schemas/diff.schema.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report.json_comparison import as_json
from urlset.report.style import Style
from urlset.safe import json_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.comparison import Comparison


def render(comparison: Comparison, style: Style = Style()) -> Iterator[str]:
    """Yield the comparison as JSON text."""
    yield json_text(as_json(comparison), ascii_only=style.ascii_only)
