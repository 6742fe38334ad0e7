"""Text of `coverage import`, `coverage inspect`, `coverage impressions`, and `coverage sitemaps`.

Also the sentences of the HTML report on impressions.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from urlset.coverage.render import MAX_REASONS, day
from urlset.model.coverage import ExportKind, InspectOutcome
from urlset.model.reported import NAMES
from urlset.report.paint import Role
from urlset.report.rows import table
from urlset.report.style import Style
from urlset.text.safe import safe
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date, datetime

    from urlset.model.coverage import ImportedFile, ImportResult, InspectResult
    from urlset.model.impressions import ImpressionsResult, SiteImpressions
    from urlset.model.reported import ReportedSitemap, ReportedSitemaps

_KINDS = {
    ExportKind.SEARCH_CONSOLE: "Search Console",
    ExportKind.BING: "Site Explorer of Bing",
    ExportKind.CSV: "CSV",
}


def imports(result: ImportResult, style: Style = Style()) -> Iterator[str]:
    """Yield what each file added to the store, with notes on what was skipped."""
    for file in result.files:
        yield f"{style.paint(safe(file.path), Role.PLACE)}: {_KINDS[file.kind]}, {quantity(file.urls, 'URL')}"
        yield f"  {_about(file)}"
        yield from (style.paint(f"  note: {note}", Role.WARNING) for note in _import_notes(file))
    for other in result.left_out:
        yield f"{style.paint(safe(other.target), Role.PLACE)}: {safe(other.reason)}"
    yield f"{safe(str(result.store))}: {quantity(result.urls, 'URL')} with a report. Run `urlset coverage` to see them."


def _about(file: ImportedFile) -> str:
    states = ", ".join(f"{count:,} {state.value.replace('-', ' ')}" for state, count in file.states.items())
    if file.reason is not None:
        subject = f"reason: {safe(file.reason)}"
    else:
        subject = "indexed pages" if file.kind is ExportKind.SEARCH_CONSOLE else f"{safe(file.engine)}"
    when = f"report of {day(file.at)}" if file.is_dated else "the file has no date, so the date of the import is used"
    return "; ".join(filter(None, (subject, states, when)))


def _import_notes(file: ImportedFile) -> Iterator[str]:
    for reason, count in file.unknown_reasons.items():
        yield (
            f"urlset does not know the reason {safe(reason)!r}, so the state of {quantity(count, 'URL')} is unknown; "
            "name it with --state"
        )
    without = file.urls - sum(file.states.values()) - sum(file.unknown_reasons.values())
    if without:
        urls = quantity(without, "URL is", "URLs are")
        yield f"the file does not say whether {urls} indexed; if all have the same state, name it with --state"
    if file.skipped:
        yield f"{quantity(file.skipped, 'row')} without an absolute http(s) URL skipped"
    if file.unread_dates:
        yield f"{quantity(file.unread_dates, 'date')} could not be read, or in the future"
    if file.elsewhere:
        yield (
            f"{quantity(file.elsewhere, 'URL')} on hosts that no run in the store lists; check that the export is of "
            "the right property"
        )
    if file.is_cut:
        yield "an export has at most 1,000 URLs, so there may be more with this reason"


def inspections(result: InspectResult, style: Style = Style()) -> Iterator[str]:
    """Yield the progress on the sample, then the reasons."""
    yield style.paint(safe(result.site), Role.HEADING)
    yield (
        f"Inspected {result.inspected:,} of {quantity(result.sample, 'URL')} in the sample, "
        f"of {quantity(result.listed, 'listed URL')} of the property."
    )
    if result.outside:
        yield f"Left out: {quantity(result.outside, 'listed URL')} outside of the property."
    if (share := result.indexed) is not None:
        line = f"Indexed: {share.part:,} of {share.whole:,} ({share.part / share.whole:.1%})"
        if share.low != share.high:
            line += f"; of all listed URLs {share.low:.1%} to {share.high:.1%}, with 95% confidence"
        yield f"{line}."
    for one in result.reasons[:MAX_REASONS]:
        yield f"  {one.urls:,}  {safe(one.reason or 'unknown')}"
    if more := result.reasons[MAX_REASONS:]:
        yield style.paint(f"  … {quantity(len(more), 'more reason')}", Role.FAINT)
    for problem, count in result.failed.items():
        yield f"Not inspected: {quantity(count, 'URL')}: {safe(problem)}"
    yield f"Requests: {result.asked:,} now, {result.used:,} of {result.per_day:,} in the last 24 hours."
    for note in result.notes:
        yield style.paint(f"Note: {safe(note)}.", Role.FAINT)
    yield from _inspection_end(result, style)


def _inspection_end(result: InspectResult, style: Style) -> Iterator[str]:
    if result.outcome is InspectOutcome.COMPLETE:
        yield style.paint("Complete.", Role.GOOD) + f" Run `urlset coverage --store {safe(str(result.store))}` next."
        return
    role = Role.WARNING if result.outcome is InspectOutcome.QUOTA else Role.ERROR
    remainder = result.sample - result.inspected - sum(result.failed.values())
    yield style.paint(f"Stopped: {safe(result.reason or '')}; {quantity(remainder, 'URL is', 'URLs are')} left.", role)
    when = "" if result.next_at is None else f" after {result.next_at:%Y-%m-%d %H:%M} UTC"
    yield f"Continue{when} with --resume."


def impressions(result: ImpressionsResult, style: Style = Style()) -> Iterator[str]:
    """Yield which days were added, what the store has of them, and what can be missing."""
    yield style.paint(f"{safe(result.site)}, {result.search_type} search", Role.HEADING)
    if result.first is not None and result.last is not None:
        yield (
            f"{result.first} to {result.last}: {quantity(result.fetched, 'day')} added or updated, "
            f"{quantity(result.kept, 'day')} already in the store."
        )
        yield (
            f"{quantity(result.pages, 'page')} with {quantity(result.impressions, 'impression')} and "
            f"{quantity(result.clicks, 'click')}. Pages without impressions may be indexed, too."
        )
    if days := result.provisional:
        yield f"Provisional: {_days(days)}; Google still collects their data, so the next call requests them again."
    if days := result.cut:
        yield f"Incomplete: {_days(days)} with 50,000 pages, the most that Google returns."
    if result.skipped:
        yield f"Left out: {quantity(result.skipped, 'row')} without an absolute http(s) URL."
    for note in result.notes:
        yield style.paint(f"Note: {safe(note)}.", Role.FAINT)
    if result.outcome is InspectOutcome.COMPLETE:
        yield style.paint("Complete.", Role.GOOD)
        return
    role = Role.WARNING if result.outcome is InspectOutcome.QUOTA else Role.ERROR
    left = f"; {quantity(result.left, 'day is', 'days are')} left" if result.left else ""
    yield style.paint(f"Stopped: {safe(result.reason or '')}{left}.", role)
    when = "" if result.next_at is None else f" after {result.next_at:%Y-%m-%d %H:%M} UTC"
    yield f"Run the command again{when} to continue."


def type_of_search(found: SiteImpressions) -> str:
    """Return the name of a type of search, as Google writes it."""
    name = found.search_type.replace("-", " ").title()
    return name if name in ("Discover", "Google News") else f"{name} search"


def impressions_gist(found: SiteImpressions) -> str:
    """Return the impressions of a site in a sentence."""
    pages, clicks = quantity(found.pages, "page"), quantity(found.clicks, "click")
    return f"{pages} with {quantity(found.impressions, 'impression')} and {clicks}, {found.first} to {found.last}"


def impressions_basis(found: SiteImpressions) -> Iterator[str]:
    """Yield what the impressions of a site say of other pages, and which days are missing or can change."""
    if found.listed:
        yield f"{found.listed_with:,} of {quantity(found.listed, 'listed page')} had impressions."
    yield "A page with impressions was indexed; a page without impressions may be indexed, too."
    known, period = found.days, (found.last - found.first).days + 1
    if known < period:
        yield f"The store has {known} of these {period} days; impressions on the other days are not counted."
    if days := found.provisional:
        yield (
            f"Provisional: {_days(days)}; Google was still collecting their data. "
            "Run `urlset coverage impressions` again to update them."
        )
    if days := found.cut:
        yield f"Incomplete: {_days(days)} with 50,000 pages, the most that Google returns."
    yield "Google counts for the canonical of a page, in days of Pacific time."


def _days(days: Sequence[date]) -> str:
    first, last = days[0], days[-1]
    return f"{quantity(len(days), 'day')}, {first}" + (f" to {last}" if last != first else "")


COLUMNS = ("engine", "sitemap", "last read (UTC)", "submitted", "state", "errors", "warnings", "URLs")


def sitemaps(result: ReportedSitemaps, style: Style = Style()) -> Iterator[str]:
    """Yield a table of the sitemaps that were submitted to each search engine."""
    for engine, site in result.asked.items():
        count = sum(sitemap.engine == engine for sitemap in result.sitemaps)
        yield style.paint(f"{NAMES[engine]}, {safe(site)}: {quantity(count, 'submitted sitemap')}", Role.HEADING)
    if result.sitemaps:
        yield ""
        is_compared = any(sitemap.bytes_seen for sitemap in result.sitemaps)
        columns = (*COLUMNS, "its bytes") if is_compared else COLUMNS
        rows = [
            (*_sitemap_row(sitemap), sitemap.bytes_seen) if is_compared else _sitemap_row(sitemap)
            for sitemap in result.sitemaps
        ]
        yield from table(columns, rows, replace(style, max_rows=0), null="")
    for note in result.notes:
        yield style.paint(f"Note: {safe(note)}.", Role.FAINT)


def _sitemap_row(sitemap: ReportedSitemap) -> tuple[object, ...]:
    state = (
        "pending" if sitemap.is_pending else sitemap.status or ("read" if sitemap.read_at is not None else "never read")
    )
    urls = sum(sitemap.urls.values()) if sitemap.urls else None
    read, submitted = _minute(sitemap.read_at), sitemap.submitted_at and f"{sitemap.submitted_at:%Y-%m-%d}"
    return (sitemap.engine, sitemap.url, read, submitted, state, sitemap.errors, sitemap.warnings, urls)


def _minute(moment: datetime | None) -> str | None:
    return None if moment is None else f"{moment:%Y-%m-%d %H:%M}"
