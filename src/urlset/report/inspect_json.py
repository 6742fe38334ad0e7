"""The JSON of `inspect`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, Literal

from msgspec import Struct, field

from urlset.model.document import InspectedDocument, InspectReport, Row, number_of, was_read, without_copies
from urlset.model.fields import NonNegativeInt, PositiveInt, about
from urlset.report.json_objects import Members, Output
from urlset.report.validate_json import CONTENT, HOW_FOUND, ReadDocument, UnfetchedDocument, document_of, of_row
from urlset.rules.rule import KebabCase


class Extensions(Struct, frozen=True):
    """Number of records of each extension."""

    images: Annotated[NonNegativeInt, about("Number of image records.")]
    videos: Annotated[NonNegativeInt, about("Number of video records.")]
    news: Annotated[NonNegativeInt, about("Number of news records.")]
    alternates: Annotated[NonNegativeInt, about("Number of hreflang links.")]


class LastmodRange(Struct, frozen=True):
    """lastmod of the entries of sitemaps and feeds."""

    oldest: Annotated[datetime | None, about("The oldest, in UTC; None if no entry has a valid lastmod.")]
    newest: Annotated[datetime | None, about("The newest, in UTC; None if no entry has a valid lastmod.")]
    missing: Annotated[NonNegativeInt, about("Number of entries without lastmod.")]


class LastmodPeriod(Struct, frozen=True):
    """A period with the entries last modified in it."""

    period: Annotated[str, about("A month (2026-03), a year (2026), or years (2020-2023).")]
    entries: Annotated[NonNegativeInt, about("Number of entries.")]


class DocumentLastmods(LastmodRange, frozen=True):
    """lastmod of the entries of a document."""

    distribution: Annotated[
        Sequence[LastmodPeriod],
        about(
            "Number of entries by time of lastmod, in at most a dozen consecutive periods of equal length, oldest "
            "first."
        ),
    ]


class InspectTotals(Struct, frozen=True, kw_only=True):
    """Totals over all documents."""

    indexes: Annotated[NonNegativeInt, about("Number of sitemap indexes.")]
    sitemaps: Annotated[NonNegativeInt, about("Number of sitemaps and feeds.")]
    urls: Annotated[NonNegativeInt, about("Number of entries of sitemaps and feeds.")]
    unfetched: Annotated[NonNegativeInt, about("Number of listed documents that could not be fetched.")]
    bytes: Annotated[NonNegativeInt, about("Size after decompression.")]
    wire_bytes: Annotated[NonNegativeInt, about("Size as received.")]
    lastmod: Annotated[LastmodRange, about("lastmod of the entries of sitemaps and feeds.")]
    extensions: Annotated[Extensions, about("Number of records of each extension.")]


class ListedChild(Struct, frozen=True):
    """An entry of a sitemap index."""

    loc: Annotated[str | None, about("The child's URL as written; None if absent.")]
    lastmod: Annotated[str | None, about("Its lastmod as written; None if absent.")]
    line: Annotated[PositiveInt | None, about("Its line, from 1; None if it has no position in the text.")]
    col: Annotated[PositiveInt | None, about("Its column, from 1; None if it has no position in the text.")] = field(
        name="column"
    )


class Anomaly(Struct, frozen=True):
    """An anomaly that the reader reported, repaired, or dropped."""

    kind: Annotated[KebabCase, about("Name of the kind.")]
    line: Annotated[PositiveInt | None, about("Its line, from 1; None if it has no position in the text.")]
    col: Annotated[
        PositiveInt | None, about("Its column in Unicode code points, from 1; None if it has no position in the text.")
    ] = field(name="column")
    evidence: Annotated[
        str | None, about("Excerpt of the document, at most 120 characters, with control characters escaped.")
    ]
    count: Annotated[
        PositiveInt,
        about(
            "How many anomalies it represents: at least 1, or all after the first 1,000 of its kind in the document."
        ),
    ]


class Cut(Struct, frozen=True):
    """An entry of an index that was not read, or not read again."""

    document: Annotated[str, about("The index that lists it.")]
    line: Annotated[PositiveInt | None, about("Its line, from 1; None if it has no position in the text.")]
    col: Annotated[PositiveInt | None, about("Its column, from 1; None if it has no position in the text.")] = field(
        name="column"
    )
    kind: Annotated[
        Literal["self", "cycle", "repeated", "file", "depth-limit", "document-limit", "byte-limit"],
        about(
            "The reason: the index lists itself, a parent index, or a document that was already read; or a limit was "
            "reached."
        ),
    ]
    url: Annotated[str, about("The listed URL.")]
    duplicate_of: Annotated[str | None, about("The document that was read instead; None if a limit was reached.")]
    count: Annotated[
        PositiveInt, about("How many entries it represents: at least 1, and more only if a limit was reached.")
    ]


class InspectedFile(Struct, frozen=True):
    """A document that was read."""

    document: Annotated[ReadDocument, about("How it was found and read.")]
    inspected: Annotated[InspectedDocument, about("What it has.")]


def _urls_of(report: InspectReport) -> dict[int, str]:
    return {document.number: str(document.facts["url"]) for document in report.documents}


def _documents(report: InspectReport) -> Iterator[InspectedFile]:
    """The documents that were read, in order; with --discover, including each robots.txt."""
    urls = _urls_of(report)
    read = (one for one in report.documents if was_read(one.facts))
    return (InspectedFile(document_of(ReadDocument, one.facts, urls), one) for one in read)


def _unfetched(report: InspectReport) -> Iterator[UnfetchedDocument]:
    """The documents that an index or a robots.txt lists and that could not be fetched."""
    urls = _urls_of(report)
    unfetched = (one.facts for one in report.documents if not was_read(one.facts))
    return (document_of(UnfetchedDocument, facts, urls) for facts in unfetched)


def _cuts(report: InspectReport) -> Iterator[Cut]:
    """Entries of indexes that were not read, or not read again."""
    urls: Mapping[Any, str] = _urls_of(report)
    return (
        of_row(Cut, cut, document=urls[cut["document_id"]], duplicate_of=urls.get(cut["duplicate_of"]))
        for cut in report.cuts
    )


def _totals(report: InspectReport) -> InspectTotals:
    """Totals over all documents; a document that is neither an index nor a sitemap only counts with its bytes."""
    from urlset.tables import PAGE_LIST_KINDS

    read = [document.facts for document in report.documents if was_read(document.facts)]
    sitemaps = [facts for facts in read if facts["kind"] in PAGE_LIST_KINDS]
    counted = without_copies(sitemaps)
    oldest, newest = (
        [at for facts in sitemaps if isinstance(at := facts.get(name), datetime)]
        for name in ("lastmod_oldest", "lastmod_newest")
    )
    return InspectTotals(
        indexes=sum(facts["kind"] == "sitemapindex" for facts in read),
        sitemaps=len(sitemaps),
        urls=_sum(counted, "entries"),
        unfetched=len(report.documents) - len(read),
        bytes=_sum(read, "bytes"),
        wire_bytes=_sum(read, "wire_bytes"),
        lastmod=LastmodRange(min(oldest, default=None), max(newest, default=None), _sum(counted, "lastmod_missing")),
        extensions=Extensions(*(_sum(counted, name) for name in Extensions.__struct_fields__)),
    )


def _sum(rows: list[Row], name: str) -> int:
    return sum(number_of(row, name) for row in rows)


def _lastmod(file: InspectedFile) -> DocumentLastmods:
    """Lastmod of its entries."""
    facts: Mapping[str, Any] = file.inspected.facts
    return DocumentLastmods(
        facts.get("lastmod_oldest"),
        facts.get("lastmod_newest"),
        facts["lastmod_missing"],
        [LastmodPeriod(period, entries) for period, entries in file.inspected.histogram],
    )


def _extensions(file: InspectedFile) -> Extensions:
    """Number of records of each extension in its entries."""
    return of_row(Extensions, file.inspected.facts)


def _children(file: InspectedFile) -> list[ListedChild]:
    """The sitemaps that an index lists, in document order; empty if the document is not an index."""
    return [of_row(ListedChild, row) for row in file.inspected.children]


def _anomalies(file: InspectedFile) -> list[Anomaly]:
    """Anomalies that the reader reported, repaired, or dropped, in document order."""
    return [of_row(Anomaly, row, count=row.get("count", 1)) for row in file.inspected.anomalies]


MEMBERS: Members = {
    "InspectReport": (_totals, _documents, _unfetched, _cuts, "unreadable", "skipped"),
    "InspectedFile": (
        *(f"document.{name}" for name in CONTENT), _lastmod, _extensions, _children, _anomalies,
        *(f"document.{name}" for name in HOW_FOUND),
    ),
}  # fmt: skip

INSPECT: Output[InspectReport] = Output(
    "inspect", "Facts about each document, without running rules.", "document.InspectReport"
)
