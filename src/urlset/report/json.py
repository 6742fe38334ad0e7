"""JSON report of `validate`; its schema is `schemas/validate.schema.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report.json_parts import members
from urlset.report.style import Style
from urlset.safe import json_pieces

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.report import Report


def render(report: Report, style: Style = Style()) -> Iterator[str]:
    """Yield the report as JSON text, in pieces."""
    yield from json_pieces(members(report), ascii_only=style.ascii_only)
