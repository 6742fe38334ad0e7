"""Markdown report of `audit`: that of `validate`, then the pages that cannot be indexed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.pages import PageReason, phrase
from urlset.report import clients_markdown, markdown
from urlset.report.page_lines import headline
from urlset.report.rows import markdown_lines
from urlset.report.style import Style
from urlset.safe import code_span
from urlset.sizes import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.audit import AuditResult

REASON_SIZE = 150
"""Characters of a row of the table of reasons, at most."""

LONGEST = 5_000
"""Maximum characters on the pages: together with the findings, they fit in a comment on GitHub."""


def render(audited: AuditResult, style: Style = Style()) -> Iterator[str]:
    """Yield the lines of the report."""
    yield from markdown.render(audited.report, style)
    yield from _pages(audited)
    for check in audited.clients:
        yield ""
        yield from clients_markdown.render(check, style)


def _pages(audited: AuditResult) -> Iterator[str]:
    found, pages = audited.not_indexable, audited.pages
    if found is None or pages is None or not found.counts:
        return
    yield ""
    yield f"**{headline(found.counts, pages.checked, is_all=pages.checked == pages.listed)}**"
    yield ""
    rows = ((count, PageReason(reason).words, PageReason(reason).fix) for reason, count in found.counts.items())
    yield from markdown_lines(("pages", "reason", "what to do"), rows, right=("pages",))
    yield ""
    used = sum(REASON_SIZE for _ in found.counts)
    shown = 0
    for page in found.pages:
        line = "" if page.line is None else f":{page.line}"
        row = (
            f"- {code_span(page.url)} {code_span(phrase(page.reason, page.value))} ({code_span(page.document + line)})"
        )
        used += len(row) + 1
        if used > LONGEST:
            break
        shown += 1
        yield row
    if left := found.total - shown:
        yield f"- … and {counted(left, 'more page')}; `urlset pages` lists all"
