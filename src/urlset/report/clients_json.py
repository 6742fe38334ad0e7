"""What an address answers to crawlers, as JSON; its schema is `schemas/clients.schema.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from urlset.report.json_parts import VERSION
from urlset.report.style import Style
from urlset.safe import json_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.client_check import ClientCheck


def render(check: ClientCheck, style: Style = Style()) -> Iterator[str]:
    """Yield the result as JSON text."""
    yield json_text({"version": VERSION, **msgspec.to_builtins(check)}, ascii_only=style.ascii_only)
