"""The pages that are not indexable as groups of a short answer: one per reason, with the edit of the sitemap."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.pages import PageReason
from urlset.report.brief import DETAILS, Group
from urlset.sizes import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from urlset.model.page_list import PageVerdict
    from urlset.report.brief import Quotes


def first_of_each(pages: Iterable[PageVerdict]) -> dict[str, list[PageVerdict]]:
    """Return the first pages of each reason, as many as an answer can show; "" for pages that are indexable."""
    found: dict[str, list[PageVerdict]] = {}
    for page in pages:
        mine = found.setdefault(page.reason or "", [])
        if len(mine) < DETAILS:
            mine.append(page)
    return found


def page_groups(counts: Mapping[str, int], pages: Mapping[str, Sequence[PageVerdict]], quote: Quotes) -> list[Group]:
    """Return a group for each reason, the most frequent first.

    Args:
        counts: Number of pages by reason.
        pages: The first pages of each reason.
        quote: How to quote the text of others.
    """
    return [_group(reason, count, pages.get(reason, ()), quote) for reason, count in counts.items()]


def _group(reason: str, count: int, pages: Sequence[PageVerdict], quote: Quotes) -> Group:
    if not reason:
        return Group(f"indexable, {counted(count, 'page')}", _places(pages, None, quote), "indexable")
    known = PageReason(reason)
    verdict = "not indexable" if known.is_known else "unknown whether indexable"
    heading = f"{reason}, {counted(count, 'page')} {verdict}: {known.words}; {known.fix}"
    return Group(heading, _places(pages, known, quote), reason)


def _places(pages: Sequence[PageVerdict], reason: PageReason | None, quote: Quotes) -> Iterator[str]:
    for page in pages:
        value = "" if page.value is None else f": {quote(page.value)}"
        listed = f", listed in {quote.place(page.document, page.line)}" if page.document else ""
        yield f"{quote(page.url)}{value}{listed}{_edit(page, reason, quote)}"


def _edit(page: PageVerdict, reason: PageReason | None, quote: Quotes) -> str:
    """Return the edit of the entry, if there is only one that makes sense."""
    is_redirect = reason is PageReason.REDIRECT and page.value is not None
    if is_redirect and page.status is not None and 200 <= page.status < 300:
        return f"; edit: replace loc with {quote(page.value)}, or remove the entry if that is listed already"
    return "; edit: remove the entry, unless the page is restored" if reason is PageReason.NOT_FOUND else ""
