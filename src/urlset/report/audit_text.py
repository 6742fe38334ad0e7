"""The result of `audit` for people: the findings, then the pages in numbers, the crawlers, the inventory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report.paint import Role
from urlset.report.roles import STATUS_ROLES
from urlset.report.style import Style
from urlset.report.text import render as report_lines
from urlset.report.words import counted, kept_line, points
from urlset.safe import safe

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from urlset.model.audit import AgentAccess, Audited, Inventory, MediaSeen, PagesSeen, Share
    from urlset.report.paint import Paint

SECTIONS_SHOWN = 3
"""Sections that are named for a crawler."""


def render(audited: Audited, style: Style = Style()) -> Iterator[str]:
    """Yield the report of the findings, then what the audit saw besides them."""
    yield from report_lines(audited.report, style)
    yield ""
    paint = style.paint
    for one in audited.checks:
        verdict = paint(f"{one.status.value} {points(one.score)}/100", STATUS_ROLES[one.status])
        yield f"{paint('Sitemap check', Role.HEADING)}: {safe(one.origin)} {verdict}"
    if audited.pages is not None:
        yield from _pages(audited.pages, paint)
    if audited.media is not None:
        yield from _media(audited.media, paint)
    if audited.agents:
        yield ""
        yield from _agents(audited.agents, paint)
    if audited.inventory is not None:
        yield ""
        yield from _inventory(audited.inventory, paint)
    if (kept := kept_line(audited)) is not None:
        yield ""
        if audited.earlier_run is not None:
            yield paint(f"Dates and texts are compared with run {audited.earlier_run}.", Role.FAINT)
        yield paint(safe(kept), Role.FAINT)


def _pages(pages: PagesSeen, paint: Paint) -> Iterator[str]:
    looked = f"{pages.looked_at:,} of {counted(pages.listed, 'listed page')} looked at"
    if pages.forbidden:
        looked += f", {pages.forbidden:,} left to robots.txt"
    if pages.private:
        looked += f", {pages.private:,} on private addresses (--allow-private requests them)"
    if pages.partial:
        looked += f", {pages.partial:,} read only in part"
    if pages.stopped_by is not None:
        looked += f", ended by the budget of {pages.stopped_by}"
    if pages.good.whole:
        yield f"{paint('Page health', Role.HEADING)}: {_health(pages.good)}"
    yield f"{paint('Pages', Role.HEADING)}: {looked}"
    if pages.looked_at:
        yield _answers(pages.statuses)


def _media(media: MediaSeen, paint: Paint) -> Iterator[str]:
    looked = f"{media.looked_at:,} of {counted(media.chosen - media.videos, 'listed image')} looked at"
    if media.forbidden:
        looked += f", {media.forbidden:,} closed by robots.txt or on private addresses"
    if media.videos:
        looked += f"; {counted(media.videos, 'video')} held against robots.txt alone"
    if media.stopped_by is not None:
        looked += f"; ended by the budget of {media.stopped_by}"
    yield f"{paint('Images', Role.HEADING)}: {looked}"
    if media.looked_at:
        yield _answers(media.statuses)


def _answers(statuses: Mapping[str, int]) -> str:
    return "  answers: " + ", ".join(f"{count:,} x {safe(status)}" for status, count in statuses.items())


def _health(share: Share) -> str:
    percent = 100 * share.part / share.whole
    verb = "is" if share.part == 1 else "are"
    pages = counted(share.whole, "listed page")
    text = f"{share.part:,} of {pages} ({percent:.1f} %) {verb} indexable at their listed URL"
    if share.low == share.high:
        return text
    return f"{text}; of all pages {100 * share.low:.1f} to {100 * share.high:.1f} %, with 95 % confidence"


def _agents(agents: tuple[AgentAccess, ...], paint: Paint) -> Iterator[str]:
    yield f"{paint('Crawlers', Role.HEADING)}: listed URLs that robots.txt lets them fetch"
    width = max(len(one.agent.name) for one in agents)
    number = max(len(f"{one.urls - one.forbidden:,}") for one in agents)
    for one in agents:
        free = one.urls - one.forbidden
        role = Role.GOOD if not one.forbidden else Role.WARNING if free else Role.ERROR
        closed = [f"{safe(place)} ({count:,} of {urls:,})" for place, urls, count in one.sections[:SECTIONS_SHOWN]]
        more = f", and {len(one.sections) - len(closed):,} more" if len(one.sections) > len(closed) else ""
        not_to = f"  not {', '.join(closed)}{more}" if closed and free else "  nothing" if one.forbidden else ""
        yield f"  {one.agent.name:{width}}  {paint(f'{free:>{number},}', role)} of {one.urls:,}{not_to}"


def _inventory(inventory: Inventory, paint: Paint) -> Iterator[str]:
    yield f"{paint('Inventory', Role.HEADING)}: {counted(inventory.known, 'URL')}"
    for count, words, examples in (
        (inventory.unlisted, "in no sitemap", inventory.unlisted_examples),
        (inventory.unknown, "listed, and not in the inventory", inventory.unknown_examples),
    ):
        yield f"  {count:,} {words}"
        yield from (f"    {safe(url)}" for url in examples)
