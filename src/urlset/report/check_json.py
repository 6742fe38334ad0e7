"""The result of `check` as JSON, as `schemas/check.schema.json` describes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.safe import json_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from urlset.model.check import CheckResult


def render(results: Sequence[CheckResult], *, several: bool = False, ascii_only: bool = False) -> str:
    """The results as JSON text: one object, or with `several` an array of them."""
    values = [result.to_dict() for result in results]
    return json_text(values if several else values[0], ascii_only=ascii_only)
