"""JSON report of `check`; its schema is `schemas/check.schema.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report.style import Style
from urlset.safe import json_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from urlset.model.check import CheckResult


def render(results: Sequence[CheckResult], style: Style = Style()) -> Iterator[str]:
    """Yield the results as JSON text: an object, or with `several` an array of objects."""
    values = [result.to_dict() for result in results]
    yield json_text(values if style.several else values[0], ascii_only=style.ascii_only)
