"""Markdown report of `audit`: that of `validate`, then the pages that cannot be indexed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.pages import PageReason
from urlset.report.markdown import report_lines
from urlset.report.page_lines import headline, phrase
from urlset.report.style import Style
from urlset.safe import code_span
from urlset.sizes import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.audit import AuditResult

LONGEST = 20_000
"""Maximum characters of the list of pages, so that the findings have room, too."""


def render(audited: AuditResult, style: Style = Style()) -> Iterator[str]:  # noqa: ARG001 - the signature of a renderer
    """Yield the lines of the report."""
    pages = list(_pages(audited))
    yield from report_lines(audited.report, sum(len(line) + 1 for line in pages))
    yield from pages


def _pages(audited: AuditResult) -> Iterator[str]:
    found, pages = audited.not_indexable, audited.pages
    if found is None or pages is None or not found.counts:
        return
    yield ""
    yield f"**{headline(found.counts, pages.checked, is_all=pages.checked == pages.listed)}**"
    yield ""
    yield "| pages | reason | what to do |"
    yield "|---:|---|---|"
    for reason, count in found.counts.items():
        known = PageReason(reason)
        yield f"| {count:,} | {known.words} | {known.fix} |"
    yield ""
    used = shown = 0
    for page in found.pages:
        line = "" if page.line is None else f":{page.line}"
        row = f"- {code_span(page.url)} {code_span(phrase(page))} ({code_span(page.document + line)})"
        used += len(row) + 1
        if used > LONGEST:
            break
        shown += 1
        yield row
    if left := found.total - shown:
        yield f"- … and {counted(left, 'more page')}; `urlset pages` lists all"
