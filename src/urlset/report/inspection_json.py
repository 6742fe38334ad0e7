"""JSON report of `coverage inspect`; its schema is `schemas/coverage-inspect.schema.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report.json_coverage import inspection_as_json
from urlset.report.style import Style
from urlset.safe import json_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.coverage import InspectResult


def render(result: InspectResult, style: Style = Style()) -> Iterator[str]:
    """Yield the result as JSON text."""
    yield json_text(inspection_as_json(result), ascii_only=style.ascii_only)
