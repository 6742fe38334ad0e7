"""Short list of the pages that are not indexable, for language models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report.brief import Brief, quotes_for
from urlset.report.brief_pages import first_of_each, page_groups
from urlset.report.page_lines import headline
from urlset.report.style import Style

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.page_list import PageList


def render(pages: PageList, style: Style = Style()) -> Iterator[str]:
    """Yield the lines of the list."""
    shown = first_of_each(pages.verdicts())
    quote = quotes_for((page.document for some in shown.values() for page in some), ascii_only=style.ascii_only)
    counts = {reason: pages.counts[reason] for reason in pages.counts if not pages.asked or reason in pages.asked}
    if "" in shown:
        counts[""] = pages.listed - sum(pages.counts.values())
    head = [*quote.heading(), f"Run {pages.run_id}: {headline(pages.counts, pages.listed)}."]
    tail = ["Next: `urlset pages STORE --reason REASON --format csv` lists all pages of a reason."] if counts else []
    yield from Brief(head, page_groups(counts, shown, quote), tail, "reason", style.ascii_only).lines()
