"""Checked redirects as CSV: one row per old URL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report import redirect_rows, rows_csv
from urlset.report.style import Style

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.redirects import CheckedRedirects


def render(result: CheckedRedirects, style: Style = Style()) -> Iterator[str]:
    """Yield the lines, as the redirects are checked."""
    yield from rows_csv.render(redirect_rows.rows_of(result), style)
