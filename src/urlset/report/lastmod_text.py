"""Text report of `lastmod`: the dates of each sitemap and of all, and whether crawlers follow them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.model.lastmod import MIN_COMPARABLE
from urlset.report.paint import Role
from urlset.report.style import Style
from urlset.safe import safe
from urlset.sizes import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.lastmod import CrawlerFollowing, DateCounts, DateTrust, SitemapDates


def render(dates: DateTrust, style: Style = Style()) -> Iterator[str]:
    """Yield the lines of the report."""
    for one in dates.sitemaps:
        yield from _sitemap(one, style)
    if len(dates.sitemaps) > 1:
        yield style.paint(f"All {len(dates.sitemaps):,} sitemaps", Role.HEADING)
        yield from _counts(dates.total, style)
        yield ""
    yield from _crawlers(dates, style)
    yield from (style.paint(line, Role.FAINT) for line in _basis(dates))


def _sitemap(one: SitemapDates, style: Style) -> Iterator[str]:
    yield style.paint(safe(one.url), Role.HEADING)
    yield from _counts(one, style)
    if one.rules:
        yield f"  rules violated: {', '.join(map(safe, one.rules))}"
    yield ""


def _counts(counts: DateCounts, style: Style) -> Iterator[str]:
    absent = f", {counts.absent:,} without lastmod" if counts.absent else ""
    invalid = f", {counts.invalid:,} with an invalid one" if counts.invalid else ""
    yield f"  {counted(counts.entries, 'URL')}{absent}{invalid}"
    yield f"  {_trust(counts, style)}"
    if counts.comparable or counts.unknown:
        numbers = {name: getattr(counts, name) for name in ("true", "inflated", "frozen", "unknown")}
        yield f"  {', '.join(f'{number:,} {name}' for name, number in numbers.items())}"


def _trust(counts: DateCounts, style: Style) -> str:
    if counts.trust is None:
        few = style.paint("not enough to tell", Role.WARNING)
        return f"{few}: {counted(counts.comparable, 'comparable page')} of at least {MIN_COMPARABLE}"
    role = Role.GOOD if counts.true == counts.comparable else Role.WARNING
    # Rounded down, so that 100% means all.
    percent = int(1000 * counts.trust) / 10
    return f"{style.paint(f'{percent:.1f}% true', role)} of {counted(counts.comparable, 'comparable page')}"


def _crawlers(dates: DateTrust, style: Style) -> Iterator[str]:
    if not dates.crawlers:
        return
    yield style.paint("Crawlers that requested pages after their lastmod", Role.HEADING)
    yield from (f"  {_crawler(one)}" for one in dates.crawlers)
    yield ""


def _crawler(one: CrawlerFollowing) -> str:
    return f"{safe(one.agent)}: {one.crawled:,} of {counted(one.changed, 'page')}"


def _basis(dates: DateTrust) -> Iterator[str]:
    """Yield what the result is based on."""
    place = "" if dates.store is None else f" (run {dates.run_id} in {safe(str(dates.store))})"
    yield f"Based on {counted(dates.pages, 'fetched page')}{place}."
    if dates.earlier_run is not None:
        yield f"Dates and content were compared with run {dates.earlier_run}."
    else:
        yield "There is no earlier run, so only the pages' own dates were compared; audit the site again later."
