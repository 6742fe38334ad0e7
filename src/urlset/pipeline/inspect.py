"""`inspect`: what documents are and hold, without a judgement."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.config import ReadOptions
from urlset.documents import DocumentReader
from urlset.errors import InputError
from urlset.fetch import fetch
from urlset.pipeline.read import SITEMAP_KINDS, ReadMany, list_sources
from urlset.report.model import InspectedDocument, InspectReport, LeftOut, Row, Unreadable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from urlset.config import Progress
    from urlset.sources import Target

MOST_BARS = 12
"""Periods in a histogram, at most: months if they fit, else years, else spans of years."""


def inspect(
    targets: Sequence[Target], options: ReadOptions | None = None, progress: Progress | None = None
) -> InspectReport:
    """Reads documents and says what they are.

    Args:
        targets: What to look at.
        options: How to read.
        progress: Told after each document.

    Returns:
        Facts, children, anomalies and the histogram of lastmod of each document, and what could not be read.
    """
    documents: list[InspectedDocument] = []
    unreadable: list[Unreadable] = []
    left_out: list[LeftOut] = []
    with ReadMany(targets, options or ReadOptions(), _keep_little, progress) as outcomes:
        for outcome in outcomes:
            match outcome:
                case Unreadable():
                    unreadable.append(outcome)
                case LeftOut():
                    left_out.append(outcome)
                case reader, (children, anomalies):
                    documents.append(InspectedDocument(reader.facts, children, anomalies, histogram(reader.months)))
    return InspectReport(tuple(documents), tuple(unreadable), tuple(left_out))


def _keep_little(reader: DocumentReader) -> tuple[list[Row], list[Row]]:
    """The rows of children and anomalies; those of the other tables are counted in the facts and dropped."""
    children: list[Row] = []
    anomalies: list[Row] = []
    for batch in reader:
        if "children" in batch:
            children += batch["children"].to_dicts()
        if "anomalies" in batch:
            anomalies += batch["anomalies"].to_dicts()
    return children, anomalies


def histogram(months: Sequence[tuple[int, int, int]]) -> tuple[tuple[str, int], ...]:
    """Counts by month, gathered into at most a dozen periods of equal length without a gap, oldest first."""
    if not months:
        return ()
    counts = {year * 12 + month - 1: count for year, month, count in months}
    first, last = min(counts), max(counts)
    if last - first < MOST_BARS:
        return tuple((f"{m // 12:04d}-{m % 12 + 1:02d}", counts.get(m, 0)) for m in range(first, last + 1))
    first_year, last_year = first // 12, last // 12
    span = -(-(last_year - first_year + 1) // MOST_BARS)
    bars: list[tuple[str, int]] = []
    for begin in range(first_year, last_year + 1, span):
        end = min(begin + span - 1, last_year)
        label = f"{begin:04d}" if begin == end else f"{begin:04d}-{end:04d}"
        bars.append((label, sum(count for m, count in counts.items() if begin <= m // 12 <= end)))
    return tuple(bars)


def iter_urls(targets: Sequence[Target], options: ReadOptions, note: Callable[[Unreadable], None]) -> Iterator[str]:
    """The URLs of documents, one after the other as they are read, in constant memory.

    Args:
        targets: What to read.
        options: How to read.
        note: Called for each target that could not be read (to its end).

    Yields:
        Each loc that is not empty, as written: of pages for sitemaps and feeds, of sitemaps for indexes.
    """
    for source in list_sources(targets):
        if isinstance(source, Unreadable):
            note(source)
            continue
        try:
            reader = DocumentReader(source, fetch(source, options), 0, options)
            for batch in reader:
                for name in ("urls", "children"):
                    if name in batch:
                        yield from filter(None, batch[name].column("loc"))
        except InputError as error:
            note(Unreadable(error.target, error.reason))
            continue
        if reader.facts["kind"] not in SITEMAP_KINDS and not source.is_searched:
            note(Unreadable(source.name, f"no sitemap: it is {reader.facts['kind']}"))
        elif not reader.facts["complete"]:
            note(Unreadable(source.name, _why_incomplete(reader.facts, options)))


def _why_incomplete(facts: Row, options: ReadOptions) -> str:
    """Why the URLs printed are not all: nobody looking at them alone could tell."""
    if facts["bytes"] == options.max_inflated:
        return f"only its first {options.max_inflated:,} bytes were read; --max-bytes sets the bound"
    return "it is cut off or damaged; the URLs before that were printed"
