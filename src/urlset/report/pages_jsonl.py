"""The pages of `pages` as JSON Lines, with the columns of `PageVerdict`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report import rows_jsonl
from urlset.report.style import Style

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.page_list import PageList


def render(pages: PageList, style: Style = Style()) -> Iterator[str]:
    """Yield the lines."""
    yield from rows_jsonl.render(pages, style)
