"""The links between pages in numbers, as lines of a text report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report.paint import Role
from urlset.report.words import WHY_UNCRAWLED
from urlset.safe import safe
from urlset.sizes import counted, inflected

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.audit import LinkCounts
    from urlset.report.paint import Paint


def link_lines(links: LinkCounts, paint: Paint) -> Iterator[str]:
    """Yield the links between pages in numbers."""
    read = f"read {counted(links.links, 'link')} on {counted(links.pages, 'page')}"
    if links.crawled:
        read += f", {links.crawled:,} of them in no sitemap"
    if links.skipped:
        read += f"; {counted(links.skipped, 'link was', 'links were')} beyond the limit of 10,000 per page"
    if links.stopped_by is not None:
        read += f"; stopped at the {limit_name(links.stopped_by)} limit"
    yield f"{paint('Links', Role.HEADING)}: {read}"
    yield f"  {counted(links.unlisted, 'linked URL')} in no sitemap"
    if links.needs_script:
        verb = inflected(links.needs_script, "needs", "need")
        yield f"  {counted(links.needs_script, 'page')} {verb} a script to show text: cannot tell where they link to"
    if links.basis is None:
        yield "  cannot tell which pages no page links to: too few pages were read"
    for why, count, example in links.uncrawled:
        yield f"  {counted(count, 'linked URL')} not crawled: {WHY_UNCRAWLED[why]}, such as {safe(example)}"


def limit_name(stopped_by: str) -> str:
    """Return what to call the budget that stopped a run."""
    return {"bytes": "traffic", "pages": "page"}.get(stopped_by, stopped_by)
