"""Text report of `audit`: the findings, then page health, responses, crawler access, and the inventory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report.check_lines import check_lines
from urlset.report.finding_lines import finding_lines, start_lines
from urlset.report.link_lines import limit_name, link_lines
from urlset.report.page_lines import page_lines, summary_lines
from urlset.report.paint import Role
from urlset.report.status_roles import STATUS_ROLES
from urlset.report.style import Style
from urlset.report.words import kept_line, pages_command, points, them
from urlset.safe import safe
from urlset.sizes import counted, inflected

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from urlset.model.audit import AgentAccess, AuditResult, Inventory, MediaCounts, PageCounts, Share
    from urlset.model.page_list import NotIndexable
    from urlset.report.paint import Paint

PAGES_SHOWN = 10
"""Pages that cannot be indexed to show, without `verbose`."""

SECTIONS_SHOWN = 3
"""Sections to name per crawler."""


def render(audited: AuditResult, style: Style = Style()) -> Iterator[str]:
    """Yield the findings, then the numbers on pages, images, crawlers, and the inventory."""
    yield from finding_lines(audited.report, style)
    yield ""
    paint = style.paint
    for one in audited.checks:
        verdict = paint(f"{one.status.value} {points(one.score)}/100", STATUS_ROLES[one.status])
        yield f"{paint('Sitemap check', Role.HEADING)}: {safe(one.origin)} {verdict}"
    if audited.pages is not None:
        yield from _pages(audited.pages, paint)
    if audited.media is not None:
        yield from _media(audited.media, paint)
    if audited.links is not None:
        yield from link_lines(audited.links, paint)
    for check in audited.clients:
        yield ""
        yield from check_lines(check, paint)
    if audited.agents:
        yield ""
        yield from _agents(audited.agents, paint)
    if audited.inventory is not None:
        yield ""
        yield from _inventory(audited.inventory, paint)
    if audited.pages is not None and audited.not_indexable is not None and audited.not_indexable.counts:
        yield ""
        yield from _not_indexable(audited, audited.pages, audited.not_indexable, style)
    yield from start_lines(audited.report, paint)
    if (kept := kept_line(audited)) is not None:
        yield ""
        if audited.earlier_run is not None:
            yield paint(f"Dates and content are compared with run {audited.earlier_run}.", Role.FAINT)
        yield paint(safe(kept), Role.FAINT)


def _pages(pages: PageCounts, paint: Paint) -> Iterator[str]:
    looked = f"fetched {pages.fetched:,} of {counted(pages.listed, 'listed page')}"
    if pages.blocked:
        looked += f", {pages.blocked:,} blocked by robots.txt"
    if pages.private:
        looked += f", {pages.private:,} on private addresses (use --allow-private to fetch {them(pages.private)})"
    if pages.outside:
        looked += f", {pages.outside:,} not below the base URL"
    if pages.partial:
        looked += f", {pages.partial:,} read only in part"
    if pages.stopped_by is not None:
        looked += f", stopped at the {limit_name(pages.stopped_by)} limit"
    if pages.good.whole:
        yield f"{paint('Page health', Role.HEADING)}: {_health(pages.good)}"
    yield f"{paint('Pages', Role.HEADING)}: {looked}"
    if pages.fetched:
        yield _responses(pages.statuses)


def _not_indexable(audited: AuditResult, pages: PageCounts, not_indexable: NotIndexable, style: Style) -> Iterator[str]:
    yield from summary_lines(not_indexable.counts, pages.checked, style.paint, is_all=pages.checked == pages.listed)
    yield ""
    shown = not_indexable.pages if style.verbose else not_indexable.pages[:PAGES_SHOWN]
    yield from page_lines(shown, style.paint, verbose=style.verbose)
    if left := not_indexable.total - len(shown):
        yield style.paint(f"  … and {left:,} more; {_all_listed(audited, verbose=style.verbose)}", Role.FAINT)


def _all_listed(audited: AuditResult, *, verbose: bool) -> str:
    if audited.store is None:
        return "the report shows them" if verbose else "use -v to list them all"
    return f"list all with `{pages_command(audited.store)}`"


def _media(media: MediaCounts, paint: Paint) -> Iterator[str]:
    looked = f"fetched {media.fetched:,} of {counted(media.selected - media.videos, 'listed image')}"
    if media.blocked:
        looked += f", {media.blocked:,} blocked by robots.txt or on private addresses"
    if media.videos:
        looked += f"; {counted(media.videos, 'video')} checked against robots.txt only"
    if media.stopped_by is not None:
        looked += f"; stopped at the {limit_name(media.stopped_by)} limit"
    yield f"{paint('Images', Role.HEADING)}: {looked}"
    if media.fetched:
        yield _responses(media.statuses)


def _responses(statuses: Mapping[str, int]) -> str:
    return "  responses: " + ", ".join(f"{count:,} x {safe(status)}" for status, count in statuses.items())


def _health(share: Share) -> str:
    percent = 100 * share.part / share.whole
    verb = inflected(share.part, "is", "are")
    pages = counted(share.whole, "listed page")
    whose = inflected(share.part, "its", "their")
    text = f"{share.part:,} of {pages} ({percent:.1f}%) {verb} indexable at {whose} listed URL"
    if share.low == share.high:
        return text
    return f"{text}; estimate for all pages: {100 * share.low:.1f}% to {100 * share.high:.1f}% (95% confidence)"


def _agents(agents: tuple[AgentAccess, ...], paint: Paint) -> Iterator[str]:
    yield f"{paint('Crawlers', Role.HEADING)}: listed URLs that robots.txt allows"
    width = max(len(one.agent.name) for one in agents)
    number = max(len(f"{one.urls - one.blocked:,}") for one in agents)
    for one in agents:
        free = one.urls - one.blocked
        role = Role.GOOD if not one.blocked else Role.WARNING if free else Role.ERROR
        closed = [f"{safe(place)} ({count:,} of {urls:,})" for place, urls, count in one.sections[:SECTIONS_SHOWN]]
        more = f", and {len(one.sections) - len(closed):,} more" if len(one.sections) > len(closed) else ""
        blocked = f"  blocked: {', '.join(closed)}{more}" if closed and free else "  all blocked" if one.blocked else ""
        yield f"  {one.agent.name:{width}}  {paint(f'{free:>{number},}', role)} of {one.urls:,}{blocked}"


def _inventory(inventory: Inventory, paint: Paint) -> Iterator[str]:
    column = "" if inventory.column is None else f" in column {safe(inventory.column)!r}"
    skipped = f"; {counted(inventory.skipped, 'row')} without an http(s) URL skipped" if inventory.skipped else ""
    yield f"{paint('Inventory', Role.HEADING)}: {counted(inventory.known, 'URL')}{column}{skipped}"
    for count, words, examples in (
        (inventory.unlisted, "not in any sitemap", inventory.unlisted_examples),
        (inventory.unknown, "listed but not in the inventory", inventory.unknown_examples),
    ):
        yield f"  {count:,} {words}"
        yield from (f"    {safe(url)}" for url in examples)
