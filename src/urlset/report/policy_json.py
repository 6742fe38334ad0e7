"""What a site declares to crawlers and what it answers, as JSON, with the fields of `urlset.model.PolicyReport`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from urlset.report.json_parts import VERSION
from urlset.report.style import Style
from urlset.safe import json_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.policy import PolicyReport


def render(report: PolicyReport, style: Style = Style()) -> Iterator[str]:
    """Yield the result as JSON text."""
    yield json_text({"version": VERSION, **msgspec.to_builtins(report)}, ascii_only=style.ascii_only)
