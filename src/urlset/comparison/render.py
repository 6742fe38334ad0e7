"""Text of `diff --urls`, `diff --redirects`, and `lastmod`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.model.comparison import UrlChange
from urlset.model.lastmod import MIN_COMPARABLE
from urlset.model.query import QueryResult
from urlset.model.redirects import GOOD, REDIRECT_COLUMNS, WEAK, RedirectOutcome
from urlset.report.command_tables import Table
from urlset.report.paint import Role
from urlset.report.style import Style
from urlset.text.safe import safe
from urlset.text.sizes import inflect, quantity

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from urlset.model.lastmod import CrawlerFollowing, DateCounts, DateTrust, SitemapDates, TextDateOfPage
    from urlset.model.redirects import CheckedRedirect, CheckedRedirects, RedirectCounts

MAX_SHOWN = 20
"""Pages to list without `verbose`."""

_SIGNS = {UrlChange.ADDED: ("+", Role.GOOD), UrlChange.REMOVED: ("-", Role.ERROR), UrlChange.CHANGED: ("~", Role.INFO)}


def urls(result: QueryResult, style: Style = Style()) -> Iterator[str]:
    """Yield a line per URL while the rows are read."""
    for change, url, before, after in result.rows:
        sign, role = _SIGNS[UrlChange(str(change))]
        dates_of_change = (
            f"  {before or 'no lastmod'} -> {after or 'no lastmod'}" if change == UrlChange.CHANGED else ""
        )
        yield f"{style.paint(sign, role)} {safe(str(url))}{safe(dates_of_change)}"


_MEANING = {
    RedirectOutcome.ARRIVES: "at the new URL, with one permanent redirect",
    RedirectOutcome.SAME: "the map gives the URL itself, which returns content without a redirect",
    RedirectOutcome.GONE: "404 or 410, as the map says",
    RedirectOutcome.CHAIN: "at the new URL, but after several redirects",
    RedirectOutcome.TEMPORARY: "at the new URL, but with a temporary redirect",
    RedirectOutcome.WRONG: "at another URL than the new one",
    RedirectOutcome.LOOP: "endless redirects",
    RedirectOutcome.STILL_THERE: "no redirect; the old URL returns content",
    RedirectOutcome.LOST: "no redirect; the old URL returns an error",
    RedirectOutcome.BROKEN: "redirects to an error",
    RedirectOutcome.UNMAPPED: "no longer listed, and not in the map",
    RedirectOutcome.UNKNOWN: "no conclusive response",
}


def redirects(result: CheckedRedirects, style: Style = Style()) -> Iterator[str]:
    """Yield a line for each redirect that is not as intended (in verbose style, for all), then the numbers."""
    old, new = result.columns
    yield style.paint(f"Redirect map: old URLs from {safe(old)}, new URLs from {safe(new)}", Role.FAINT)
    for redirect in result.checked:
        if style.verbose or redirect.outcome not in GOOD:
            yield _redirect(redirect, style)
    yield ""
    yield from _redirect_counts(result.counts, style)


def _role(outcome: RedirectOutcome) -> Role:
    if outcome in GOOD:
        return Role.GOOD
    return Role.WARNING if outcome in WEAK or outcome is RedirectOutcome.UNKNOWN else Role.ERROR


def _redirect(redirect: CheckedRedirect, style: Style) -> str:
    facts = []
    if redirect.expected is not None:
        facts.append(f"should lead to {safe(redirect.expected)}")
    elif redirect.outcome is not RedirectOutcome.UNMAPPED:
        facts.append("should return 404 or 410")
    if redirect.final_url is not None and redirect.final_url != redirect.expected:
        facts.append(f"leads to {safe(redirect.final_url)}")
    if redirect.redirects is not None and redirect.redirects > 1:
        facts.append(quantity(redirect.redirects, "redirect"))
    if redirect.status is not None:
        facts.append(f"HTTP {redirect.status}")
    if redirect.reason is not None:
        facts.append(safe(redirect.reason))
    return f"{style.paint(redirect.outcome.value, _role(redirect.outcome))}  {safe(redirect.url)}" + (
        f" ({'; '.join(facts)})" if facts else ""
    )


def _redirect_counts(counts: RedirectCounts, style: Style) -> Iterator[str]:
    total = sum(counts.outcomes.values())
    yield style.paint(f"{quantity(total, 'old URL')}", Role.HEADING)
    width = max((len(f"{count:,}") for count in counts.outcomes.values()), default=1)
    for outcome in RedirectOutcome:
        if count := counts.outcomes.get(outcome):
            yield f"  {count:>{width},} {style.paint(outcome.value, _role(outcome))}: {_MEANING[outcome]}"
    if counts.unlisted_targets:
        yield (
            f"The later side does not list the new {inflect(counts.unlisted_targets, 'URL', 'URLs')} of "
            f"{quantity(counts.unlisted_targets, 'old URL')}."
        )
    if counts.still_listed:
        yield f"The later side still lists {quantity(counts.still_listed, 'old URL')} of the map."
    if counts.unlisted_before:
        yield f"The earlier side does not list {quantity(counts.unlisted_before, 'old URL')} of the map."
    if counts.repeated:
        yield f"{quantity(counts.repeated, 'row')} of the map {inflect(counts.repeated, 'repeats', 'repeat')} another."


def dates(dates: DateTrust, style: Style = Style()) -> Iterator[str]:
    """Yield the dates of each sitemap and of all, then how crawlers followed them."""
    for sitemap in dates.sitemaps:
        yield from _sitemap(sitemap, style)
    if len(dates.sitemaps) > 1:
        yield style.paint(f"All {len(dates.sitemaps):,} sitemaps", Role.HEADING)
        yield from _date_counts(dates.total, style)
        yield ""
    yield from _texts(dates, style)
    yield from _crawlers(dates, style)
    yield from (style.paint(line, Role.FAINT) for line in _basis(dates))


def _sitemap(sitemap: SitemapDates, style: Style) -> Iterator[str]:
    yield style.paint(safe(sitemap.url), Role.HEADING)
    yield from _date_counts(sitemap, style)
    if sitemap.rules:
        yield f"  rules violated: {', '.join(map(safe, sitemap.rules))}"
    yield ""


def _date_counts(counts: DateCounts, style: Style) -> Iterator[str]:
    absent = f", {counts.absent:,} without lastmod" if counts.absent else ""
    invalid = f", {counts.invalid:,} with an invalid one" if counts.invalid else ""
    yield f"  {quantity(counts.entries, 'URL')}{absent}{invalid}"
    yield f"  {_trust(counts, style)}"
    if counts.comparable or counts.unknown:
        numbers = {name: getattr(counts, name) for name in ("true", "inflated", "frozen", "unknown")}
        yield f"  {', '.join(f'{number:,} {name}' for name, number in numbers.items())}"


def _trust(counts: DateCounts, style: Style) -> str:
    if counts.trust is None:
        few = style.paint("not enough to tell", Role.WARNING)
        return f"{few}: {quantity(counts.comparable, 'comparable page')} of at least {MIN_COMPARABLE}"
    role = Role.GOOD if counts.true == counts.comparable else Role.WARNING
    # Rounded down, so that 100% means all.
    percent = int(1000 * counts.trust) / 10
    return f"{style.paint(f'{percent:.1f}% true', role)} of {quantity(counts.comparable, 'comparable page')}"


def _texts(dates: DateTrust, style: Style) -> Iterator[str]:
    """Yield which dates are false according to the history of the texts, by how much, and since which commit."""
    if dates.mapping is not None:
        yield style.paint("Sources", Role.HEADING)
        yield f"  {safe(str(dates.mapping))}"
        yield from _first([f"{one.what}: {one.reason}" for one in dates.mapping.unmapped],
                          dates.mapping.unmapped_in_total, style)  # fmt: skip
        yield ""
    if dates.notes:
        yield from (f"{style.paint('note', Role.FAINT)}: {safe(note)}" for note in dates.notes)
        yield ""
    false = [text for text in dates.texts if text.is_false]
    if dates.texts:
        dated = quantity(len(dates.texts), "date")
        yield style.paint(f"{len(false):,} of {dated} contradicted by the history of the text", Role.HEADING)
        yield from _first([_false_date(text) for text in false], len(false), style)
        yield ""


def _first(lines: Sequence[str], count: int, style: Style) -> Iterator[str]:
    shown = lines if style.verbose else lines[:MAX_SHOWN]
    yield from (f"  {safe(line)}" for line in shown)
    if count > len(shown):
        yield f"  and {count - len(shown):,} more"


def _false_date(text: TextDateOfPage) -> str:
    days = text.days or 0
    how = f"{quantity(abs(days), 'day')} too {'late' if days > 0 else 'early'}"
    return f"{text.url}: {text.lastmod}, {how}; its text dates from {text.proof.committed:%Y-%m-%d}, {text.proof}"


def _crawlers(dates: DateTrust, style: Style) -> Iterator[str]:
    if not dates.crawlers:
        return
    yield style.paint("Crawlers that requested pages after their lastmod", Role.HEADING)
    yield from (f"  {_crawler(crawler)}" for crawler in dates.crawlers)
    yield ""


def _crawler(crawler: CrawlerFollowing) -> str:
    return f"{safe(crawler.agent)}: {crawler.crawled:,} of {quantity(crawler.changed, 'page')}"


def _basis(dates: DateTrust) -> Iterator[str]:
    place = "" if dates.store is None else f" (run {dates.run_id} in {safe(str(dates.store))})"
    yield f"Based on {quantity(dates.pages, 'fetched page')}{place}."
    if dates.earlier_run is not None:
        yield f"Dates and content were compared with run {dates.earlier_run}."
    else:
        yield "There is no earlier run, so only the pages' own dates were compared; audit the site again later."


def _redirects(result: CheckedRedirects) -> QueryResult:
    """Return a row per old URL."""
    cells = (tuple(getattr(redirect, name) for name in REDIRECT_COLUMNS) for redirect in result.checked)
    return QueryResult(REDIRECT_COLUMNS, (), cells)


REDIRECTS = Table(of=_redirects)


def _dates(dates: DateTrust) -> QueryResult:
    """Return a row per sitemap. `trust` is null if there is not enough to tell."""
    columns = (
        "sitemap", "trust", "comparable", "true", "inflated", "frozen", "unknown", "absent", "invalid", "entries",
        "rules",
    )  # fmt: skip
    cells = (
        (
            sitemap.url, sitemap.trust, sitemap.comparable, sitemap.true, sitemap.inflated, sitemap.frozen,
            sitemap.unknown, sitemap.absent, sitemap.invalid, sitemap.entries, " ".join(sitemap.rules),
        )
        for sitemap in dates.sitemaps
    )  # fmt: skip
    return QueryResult(columns, (), cells)


DATES = Table(of=_dates)
