"""What the links between pages are shown as, in `audit`, `build --check-links`, and the HTML report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.model.audit import MAX_CLICKS
from urlset.report.paint import Role
from urlset.report.words import limit_name
from urlset.text.safe import safe
from urlset.text.sizes import inflect, quantity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.audit import LinkCounts
    from urlset.model.page_explanation import LinksToPage
    from urlset.report.paint import Paint

_UNCRAWLED = {
    "nofollow": "linked with nofollow only",
    "globs": "excluded by --include or --exclude",
    "long": "URL too long",
    "segments": "path too deep or repetitive",
    "parameters": "too many variants of the query",
    "limit": "beyond audit.crawl-depth or another limit",
}
"""The reasons why a crawl did not request linked pages of the site, in words."""


def text(links: LinkCounts, paint: Paint) -> Iterator[str]:
    read, *gaps = sentences(links)
    yield f"{paint('Links', Role.HEADING)}: {read}"
    if links.unlisted is not None:
        yield f"  {quantity(links.unlisted, 'linked URL')} in no sitemap"
    yield from (f"  {gap}" for gap in gaps)
    for why, count, example in links.uncrawled:
        yield f"  {quantity(count, 'linked URL')} not crawled: {_UNCRAWLED[why]}, such as {safe(example)}"


def brief(links: LinkCounts) -> str:
    """Return the sentence for language models."""
    unlisted = "" if links.unlisted is None else f", {quantity(links.unlisted, 'linked URL')} in no sitemap"
    return f"Links: {links.links:,} on {quantity(links.pages, 'page')}{unlisted}."


def sentences(links: LinkCounts) -> Iterator[str]:
    """Yield what was read, and then what is unknown, each without a full stop."""
    read = f"read {quantity(links.links, 'link')} on {quantity(links.pages, 'page')}"
    if links.crawled:
        read += f", {links.crawled:,} of these pages in no sitemap"
    if links.skipped:
        read += f"; {quantity(links.skipped, 'link was', 'links were')} beyond the limit of 10,000 per page"
    if links.stopped_by is not None:
        read += f"; stopped at the {limit_name(links.stopped_by)} limit"
    yield read
    if links.needs_script:
        verb = inflect(links.needs_script, "needs", "need")
        yield f"{quantity(links.needs_script, 'page')} {verb} a script to show text: cannot tell where they link to"
    if links.unknown_anchors:
        anchors = quantity(links.unknown_anchors, "linked anchor exists", "linked anchors exist")
        yield f"cannot tell whether {anchors}: scripts may create or use them, or their page was not read completely"
    if links.basis is None:
        yield "cannot tell which pages no page links to: too few pages were read"


def depths(links: LinkCounts) -> list[tuple[str, int]]:
    """Return the number of pages by clicks from the home page, with words for the clicks."""
    deepest = {0: "0 (home page)", MAX_CLICKS: f"{MAX_CLICKS} or more"}
    return [(deepest.get(clicks, str(clicks)), count) for clicks, count in links.depths]


def uncrawled(links: LinkCounts) -> list[tuple[str, int]]:
    """Return the number of URLs by why they were not crawled, in words."""
    return [(_UNCRAWLED[why], count) for why, count, _ in links.uncrawled]


def stored(links: LinksToPage) -> str:
    """Return how many pages link to a page, and how far it is from a home page."""
    depth = "" if links.clicks is None else f", {quantity(links.clicks, 'click')} from the home page"
    pages = quantity(links.pages, "page links to it", "pages link to it")
    return f"{pages}, {links.followed:,} without nofollow{depth}"
