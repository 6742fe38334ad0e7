"""Lines of text on the pages that cannot be indexed, for `audit` and `pages`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.pages import PageReason, phrase
from urlset.report.paint import Role
from urlset.safe import safe, shortened
from urlset.sizes import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from urlset.model.page_list import PageVerdict
    from urlset.report.paint import Paint

URL_SHOWN = 100
"""Longest URL to show without `verbose`, in characters."""


def headline(counts: Mapping[str, int], checked: int, *, is_all: bool = True) -> str:
    """Return a sentence without a period: `14 of 49 listed pages cannot be indexed; 2 more could not be checked`.

    Args:
        counts: Number of pages by reason.
        checked: Number of pages that were requested, or skipped for a reason.
        is_all: Whether these are all listed pages.
    """
    known = sum(count for reason, count in counts.items() if PageReason(reason).is_known)
    unknown = sum(counts.values()) - known
    pages = counted(checked, "listed page" if is_all else "selected page")
    if not unknown:
        return f"{known:,} of {pages} cannot be indexed"
    if not known:
        return f"{unknown:,} of {pages} could not be checked"
    return f"{known:,} of {pages} cannot be indexed; {unknown:,} more could not be checked"


def page_lines(pages: Iterable[PageVerdict], paint: Paint, *, verbose: bool) -> Iterator[str]:
    """Yield a line for each page: its URL, the reason, and its place in a sitemap."""
    for page in pages:
        url, why = page.url, phrase(page.reason, page.value)
        if not verbose:
            url, why = shortened(url, URL_SHOWN), shortened(why, URL_SHOWN)
        line = "" if page.line is None else f":{page.line}" + ("" if page.col is None else f":{page.col}")
        role = Role.GOOD if page.is_indexable else Role.WARNING if page.is_indexable is None else Role.ERROR
        yield f"  {safe(url)}  {paint(safe(why), role)}  {paint(safe(page.document) + line, Role.FAINT)}"


def summary_lines(counts: Mapping[str, int], checked: int, paint: Paint, *, is_all: bool = True) -> Iterator[str]:
    """Yield the number of pages that cannot be indexed, and a line for each reason with what to do."""
    yield paint(headline(counts, checked, is_all=is_all), Role.HEADING)
    width = max(len(f"{count:,}") for count in counts.values())
    longest = max(len(PageReason(reason).words) for reason in counts)
    for reason, count in counts.items():
        known = PageReason(reason)
        yield f"  {count:>{width},} {known.words:{longest}}  {paint(known.fix, Role.FAINT)}"
