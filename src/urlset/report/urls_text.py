"""The URLs that differ between two sides, one per line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.model.comparison import UrlChange
from urlset.report.paint import Role
from urlset.report.style import Style
from urlset.safe import safe

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.query import QueryResult

_SIGNS = {UrlChange.ADDED: ("+", Role.GOOD), UrlChange.REMOVED: ("-", Role.ERROR), UrlChange.CHANGED: ("~", Role.INFO)}


def render(result: QueryResult, style: Style = Style()) -> Iterator[str]:
    """Yield the lines, streaming the rows."""
    for change, url, before, after in result.rows:
        sign, role = _SIGNS[UrlChange(str(change))]
        moved = f"  {before or 'no lastmod'} -> {after or 'no lastmod'}" if change == UrlChange.CHANGED else ""
        yield f"{style.paint(sign, role)} {safe(str(url))}{safe(moved)}"
