"""JSON report of `coverage`; its schema is `schemas/coverage.schema.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report.json_coverage import coverage_as_json
from urlset.report.style import Style
from urlset.safe import json_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.coverage import CoverageResult


def render(result: CoverageResult, style: Style = Style()) -> Iterator[str]:
    """Yield the report as JSON text."""
    yield json_text(coverage_as_json(result), ascii_only=style.ascii_only)
