"""Text report of `pages`: the reasons with what to do, then a line for each page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.pages import PageReason
from urlset.report.page_lines import page_lines, summary_lines
from urlset.report.paint import Role
from urlset.report.style import Style
from urlset.sizes import counted, enumerated

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.page_list import PageList


def render(pages: PageList, style: Style = Style()) -> Iterator[str]:
    """Yield the lines."""
    paint = style.paint
    if not pages.counts:
        yield paint(f"All {counted(pages.listed, 'checked page')} of run {pages.run_id} can be indexed.", Role.GOOD)
    else:
        yield from summary_lines(pages.counts, pages.listed, paint)
    asked = {reason: pages.counts.get(reason, 0) for reason in pages.asked}
    if asked and not any(asked.values()):
        yield ""
        yield f"No page is {enumerated([PageReason(reason).words for reason in asked])}."
        return
    lines = page_lines(pages.verdicts(), paint, verbose=style.verbose)
    if (first := next(lines, None)) is not None:
        yield ""
        yield first
        yield from lines
