"""Short report of `audit` for language models: pages that are not indexable by reason, and the findings by rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report.brief import Brief, command, quotes_for
from urlset.report.brief_findings import finding_groups, next_lines, state_lines
from urlset.report.brief_pages import first_of_each, page_groups
from urlset.report.page_lines import headline
from urlset.report.style import Style
from urlset.report.words import points
from urlset.sizes import counted, enumerated

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.audit import AuditResult
    from urlset.report.brief import Quotes

SITES_SHOWN = 3
"""Checked sites to show."""


def render(audited: AuditResult, style: Style = Style()) -> Iterator[str]:
    """Yield the lines of the report."""
    report = audited.report if style.shows_quiet else audited.report.without_quiet()
    quote = quotes_for(report.document_urls.values(), ascii_only=style.ascii_only)
    found = audited.not_indexable
    reasons = [] if found is None else page_groups(found.counts, first_of_each(found.pages), quote)
    tail = list(next_lines(report))
    if audited.store is not None:
        store = str(audited.store)
        tail.append(f"Also: {command('urlset pages --format llm', store)} lists more pages; run {audited.run_id}.")
    pages = frozenset() if found is None else frozenset(page.url for page in found.pages)
    groups = [*reasons, *finding_groups(report, quote, pages)]
    head = [*quote.heading(), *state_lines(report, quote), *_numbers(audited, quote)]
    yield from Brief(head, groups, tail, "group", style.ascii_only).lines()


def _numbers(audited: AuditResult, quote: Quotes) -> Iterator[str]:
    for one in audited.checks[:SITES_SHOWN]:
        yield f"Sitemap check of {quote(one.origin)}: {one.status.value}, {points(one.score)} of 100."
    pages = audited.pages
    if pages is not None:
        if audited.not_indexable is not None:
            is_all = pages.checked == pages.listed
            yield f"Pages: {headline(audited.not_indexable.counts, pages.checked, is_all=is_all)}."
        statuses = ", ".join(f"{count:,} x {status}" for status, count in pages.statuses.items())
        yield f"Fetched {pages.fetched:,} of {counted(pages.listed, 'page')}: {statuses or 'none'}."
    if audited.links is not None:
        links = audited.links
        unlisted = counted(links.unlisted, "linked URL")
        yield f"Links: {links.links:,} on {counted(links.pages, 'page')}, {unlisted} in no sitemap."
    blocked = [f"{one.agent.name} {one.blocked:,} of {one.urls:,}" for one in audited.agents if one.blocked]
    if blocked:
        yield f"robots.txt blocks listed URLs for {enumerated(blocked)}."
