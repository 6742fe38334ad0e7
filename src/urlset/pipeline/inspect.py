"""`inspect`: facts and contents of documents, without running rules."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from urlset.documents import DocumentFacts
from urlset.errors import Unreadable
from urlset.model.document import InspectedDocument, InspectReport, Row
from urlset.options.verbs import InspectOptions
from urlset.sources.home_page import HOME_PAGE, is_home_page
from urlset.stages.buffered import BufferedDocument
from urlset.stages.outcomes import DocumentRead, ReadSummary, RobotsTxt, Unfetched, UnreadableDocument
from urlset.stages.session import Session
from urlset.tables import SITEMAP_KINDS
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from urlset._core import Table
    from urlset.model.host_redirects import HostRedirects
    from urlset.net.trust import Trust
    from urlset.sources import Target
    from urlset.text.progress import Progress

OF_HOSTS = ("", ".toml", ".json")
"""The suffixes of files in which hosts read redirects: `_redirects`, `.htaccess`, `netlify.toml`, `vercel.json`."""

CHILD_COLUMNS = ("ordinal", "line", "col", "loc", "lastmod")
"""Columns to keep per child; an index may have 50,000."""

MAX_PER_KIND = 10
"""Anomalies to keep per kind in a document that an index lists."""

ROWS_HELD = 20_000
"""Maximum rows of a document to hold before its URLs are yielded."""

FEW = 0.1
"""Share of the dates that may stand apart from all others in a histogram."""

MAX_BARS = 12
"""Maximum periods in a histogram: months if they fit, otherwise years, otherwise spans of years."""


def inspect(
    targets: Sequence[Target],
    options: InspectOptions | None = None,
    progress: Progress | None = None,
    trust: Trust | None = None,
) -> InspectReport:
    """Read documents, and return their facts, children, anomalies, and lastmod histograms.

    Args:
        progress: Called after each document.
        trust: Trusted hosts; by default those of the targets.
    """
    options = options or InspectOptions()
    # Rows of these tables are held; rows of other tables are counted in the facts and dropped.
    buffer = partial(BufferedDocument, row_limit=sys.maxsize, tables=("children", "anomalies"))
    inspected: list[InspectedDocument] = []
    summary = ReadSummary()
    found = {number: _redirects_of(target) for number, target in enumerate(targets)}
    redirects = [one for one in found.values() if one is not None]
    targets = [target for number, target in enumerate(targets) if found[number] is None]
    if not targets:
        return InspectReport((), redirects=redirects)
    with (
        Session.over(targets, options, progress, trust) as session,
        session.read(targets, options, buffer) as outcomes,
    ):
        for outcome in outcomes:
            match outcome:
                case DocumentRead():
                    inspected.append(_inspected_document(outcome))
                case Unfetched(facts) | RobotsTxt(facts):
                    inspected.append(InspectedDocument(DocumentFacts(facts)))
                case ReadSummary():
                    summary = outcome
    return InspectReport(tuple(inspected), summary.unreadable, summary.skipped, summary.cuts, summary.notes, redirects)


def _redirects_of(target: Target) -> HostRedirects | None:
    """Return the redirects of a file of a host; None for other targets."""
    if not isinstance(target, str | Path) or Path(target).suffix not in OF_HOSTS:
        return None
    # Imported only for such files, because the import is slow.
    from urlset.stages.host_redirects import redirects_of_target

    return redirects_of_target(target)


def _inspected_document(document: DocumentRead) -> InspectedDocument:
    children: list[Row] = []
    anomalies: list[dict[str, object]] = []
    for batch in document.batches:
        if "children" in batch:
            columns = [batch["children"].column(name) for name in CHILD_COLUMNS]
            children += [dict(zip(CHILD_COLUMNS, row, strict=True)) for row in zip(*columns, strict=True)]
        if "anomalies" in batch:
            anomalies += batch["anomalies"].to_dicts()
    # Documents listed by an index may number in the thousands.
    rows = list(anomalies) if document.facts["depth"] == 0 else _first_of_each_kind(anomalies)
    return InspectedDocument(DocumentFacts(document.facts), children, rows, histogram(document.document.reader.months))


def _first_of_each_kind(anomalies: Sequence[dict[str, Any]]) -> list[Row]:
    """Return the first anomalies of each kind; the last one also represents all that follow."""
    shown: list[Row] = []
    of_a_kind: dict[str, list[dict[str, object]]] = {}
    for row in anomalies:
        rows = of_a_kind.setdefault(row["kind"], [])
        if len(rows) < MAX_PER_KIND:
            rows.append(row)
            shown.append(row)
        else:
            rows[-1]["count"] += row["count"]
    return shown


def histogram(months: Sequence[tuple[int, int, int]]) -> tuple[tuple[str, int], ...]:
    """Group counts by month into at most a dozen consecutive periods of equal length, oldest first.

    A few dates that are far from all others, such as one in 2099, have a bar of their own before or after these.
    """
    if not months:
        return ()
    counts = {year * 12 + month - 1: count for year, month, count in months}
    first, last = _month_range(counts)
    before = sum(count for month, count in counts.items() if month < first)
    after = sum(count for month, count in counts.items() if month > last)
    max_bars = MAX_BARS - bool(before) - bool(after)
    bars = _periods({month: count for month, count in counts.items() if first <= month <= last}, max_bars)
    return (
        *([("earlier", before)] if before else []),
        *bars,
        *([("later", after)] if after else []),
    )


def _month_range(counts: Mapping[int, int]) -> tuple[int, int]:
    """Return the first and the last month without dates that would stretch the range to more than twice its length."""
    months = sorted(counts)
    few = sum(counts.values()) * FEW
    first, last = 0, len(months) - 1
    left_out = 0
    while first < last:
        rest = {
            first: (months[first + 1] - months[first], months[last] - months[first + 1]),
            last: (months[last] - months[last - 1], months[last - 1] - months[first]),
        }
        end = max(rest, key=lambda place: rest[place][0])
        gap, length = rest[end]
        left_out += counts[months[end]]
        if gap <= max(length, MAX_BARS) or left_out > few:
            break
        first, last = (first + 1, last) if end == first else (first, last - 1)
    return months[first], months[last]


def _periods(counts: Mapping[int, int], max_bars: int) -> tuple[tuple[str, int], ...]:
    first, last = min(counts), max(counts)
    if last - first < max_bars:
        return tuple((f"{m // 12:04d}-{m % 12 + 1:02d}", counts.get(m, 0)) for m in range(first, last + 1))
    first_year, last_year = first // 12, last // 12
    span = -(-(last_year - first_year + 1) // max_bars)
    bars: list[tuple[str, int]] = []
    for begin in range(first_year, last_year + 1, span):
        end = min(begin + span - 1, last_year)
        label = f"{begin:04d}" if begin == end else f"{begin:04d}-{end:04d}"
        bars.append((label, sum(count for m, count in counts.items() if begin <= m // 12 <= end)))
    return tuple(bars)


def iter_urls(
    targets: Sequence[Target],
    options: InspectOptions,
    note: Callable[[Unreadable], None],
    on_lines: Callable[[str, int], None] | None = None,
) -> Iterator[str]:
    """Yield the URLs of documents as they are read, in bounded memory.

    Args:
        note: Called for each document that could not be read, or not to the end.
        on_lines: Called with the name of each text sitemap that has lines that are not URLs, and their number.

    Yields:
        Each non-empty loc as written: page URLs for sitemaps and feeds, and sitemap URLs for indexes unless the
        sitemaps are read as well. Lines of text sitemaps without a scheme are left out.
    """
    names = ("urls", "children") if not options.expand else ("urls",)
    buffer = partial(BufferedDocument, row_limit=ROWS_HELD, tables=names)
    with Session.over(targets, options) as session, session.read(targets, options, buffer) as outcomes:
        for outcome in outcomes:
            match outcome:
                case DocumentRead():
                    lines = 0
                    with outcome.as_far_as_readable():
                        for table in (table for batch in outcome.batches for table in batch.values()):
                            urls, left_out = _urls_of(table)
                            lines += left_out
                            yield from urls
                        _note_problems(outcome, options, note)
                    if lines and on_lines is not None:
                        on_lines(outcome.source.name, lines)
                case Unfetched(facts):
                    note(Unreadable(facts["url"], facts["error"]))
                case UnreadableDocument(unreadable=why):
                    note(why)


def _urls_of(table: Table) -> tuple[list[str], int]:
    """Return every non-empty loc, and the number of lines of a text sitemap that are left out because not URLs."""
    locs = [loc for loc in table.column("loc") if loc]
    if not any(problem not in (None, "empty") for problem in table.column("loc_problem")):
        return locs, 0
    # Only in a text sitemap the position of an entry is that of its URL. The kind is known only at the end.
    columns = ("loc", "scheme", "line", "loc_line", "col", "loc_col")
    urls = [
        loc
        for loc, scheme, *place in zip(*map(table.column, columns), strict=True)
        if loc and (scheme is not None or place[0] != place[1] or place[2] != place[3])
    ]
    return urls, len(locs) - len(urls)


def _note_problems(document: DocumentRead, options: InspectOptions, note: Callable[[Unreadable], None]) -> None:
    facts = document.facts
    if is_home_page(facts, options):
        note(Unreadable(document.source.name, HOME_PAGE))
    elif facts["kind"] not in SITEMAP_KINDS and not document.source.is_searched:
        note(Unreadable(document.source.name, f"not a sitemap, but {facts['kind']}"))
    elif not facts["complete"]:
        note(Unreadable(document.source.name, _why_incomplete(facts, options)))


def _why_incomplete(facts: Row, options: InspectOptions) -> str:
    if facts["bytes"] == options.max_document_bytes:
        limit = quantity(options.max_document_bytes, "byte")
        return f"only the first {limit} were read; raise the limit with --max-document-bytes"
    return "it is cut off or damaged; the URLs before the damage were printed"
