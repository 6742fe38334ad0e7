"""The links between pages in numbers, as JSON reports show them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from urlset.model.audit import LinkCounts


def as_json(links: LinkCounts) -> dict[str, object]:
    """Return the links between pages in numbers."""
    return {
        "pages": links.pages,
        "links": links.links,
        "skipped": links.skipped,
        "needs_script": links.needs_script,
        "basis": links.basis,
        "unlinked": links.unlinked,
        "unlisted": links.unlisted,
        "crawled": links.crawled,
        "depths": [{"clicks": clicks, "pages": pages} for clicks, pages in links.depths],
        "uncrawled": [{"why": why, "count": count, "example": example} for why, count, example in links.uncrawled],
        "stopped_by": links.stopped_by,
    }
