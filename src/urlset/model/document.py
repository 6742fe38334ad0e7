"""Documents as `inspect` shows them, and rows of documents that every report has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeAlias, TypeVar

from msgspec import UNSET, Meta, Struct, UnsetType, field

from urlset.errors import Unreadable
from urlset.model.fields import NonNegativeInt, PositiveInt, about
from urlset.model.host_redirects import HostRedirects
from urlset.model.result import with_short_repr
from urlset.rules.rule import KebabCase

if TYPE_CHECKING:
    from collections.abc import Iterable


D = TypeVar("D", bound="ListedDocument")
S = TypeVar("S", bound=Struct)

Row: TypeAlias = Mapping[str, object]

COMPRESSED = (".gz", ".zst", ".br")
"""The endings of compressed copies."""


class SkippedFile(Struct, frozen=True):
    """A file of a directory that is neither a sitemap nor named like one."""

    target: Annotated[str, about("Its path.")]
    kind: Annotated[str, about("Its kind: xml (of another vocabulary), robots, unknown …")]


class ListedDocument(Struct, frozen=True, kw_only=True):
    """A document, and how it was found and fetched."""

    url: Annotated[str, about("The requested URL, the path, or <stdin>.")]
    found_by: Annotated[
        str | None, about("How it was found: given, robots, well-known, html-link, http-header, or index.")
    ]
    depth: Annotated[NonNegativeInt | None, about("Number of indexes above it.")]
    parent: Annotated[
        str | None, about("URL of the index or robots.txt that lists it; None if it was given or found otherwise.")
    ]
    http_status: Annotated[
        NonNegativeInt | None, about("Status code of the last response; None without a response or request.")
    ]
    error_kind: Annotated[
        str | None,
        about(
            "Error that prevented fetching it completely: dns, refused, tls, cut-off …; None if nothing prevented it."
        ),
    ]
    assumed_from: Annotated[
        PositiveInt | UnsetType,
        about(
            "The run (from 1) that it was taken from, because its lastmod in the index did not change; absent if it "
            "was requested."
        ),
    ]


HOW_FOUND = ("found_by", "depth", "parent", "http_status", "error_kind", "assumed_from")
"""The members of every document."""

CONTENT = ("url", "kind", "entries", "bytes", "wire_bytes", "compression", "encoding", "complete")
"""The members of a document that was read, in every report."""


class ReadDocument(ListedDocument, frozen=True, kw_only=True):
    """A document that was read."""

    IN_JSON: ClassVar = (*CONTENT, "well_formed", "sha256", *HOW_FOUND)

    kind: Annotated[
        str,
        about(
            "Kind of its content: urlset, sitemapindex, text, rss, atom, or another kind such as html, json, empty, "
            "or zip."
        ),
    ]
    entries: Annotated[NonNegativeInt, about("Number of entries.")]
    bytes: Annotated[NonNegativeInt, about("Size after decompression.")]
    wire_bytes: Annotated[NonNegativeInt, about("Size as received.")]
    compression: Annotated[str | None, about("Compression of the file: none, gzip, zstd, or br.")]
    encoding: Annotated[
        str | None, about("The encoding that it was decoded with, by its name in the WHATWG Encoding Standard.")
    ]
    complete: Annotated[bool, about("False if it is cut off, or a limit stopped the reading.")]
    well_formed: Annotated[bool | None, about("Whether it is namespace-well-formed XML; None if it is not XML.")]
    sha256: Annotated[
        Annotated[str, Meta(pattern="^[0-9a-f]{64}$")] | None,
        about("SHA-256 of the bytes as received, in hexadecimal."),
    ]


class UnfetchedDocument(ListedDocument, frozen=True, kw_only=True):
    """A listed document that could not be fetched."""

    error: Annotated[str | None, about("Why it could not be fetched, as a sentence.")] = field(name="reason")


class InspectedDocument(Struct, frozen=True):
    """One document as `inspect` shows it."""

    facts: Annotated[Row, about("Its row of `tables.DOCUMENTS`.")]
    children: Annotated[
        Sequence[Row], about("Its rows of `tables.CHILDREN`, in document order, with the columns to show.")
    ] = ()
    anomalies: Annotated[Sequence[Row], about("Its rows of `tables.ANOMALIES`, in document order.")] = ()
    histogram: Annotated[
        Sequence[tuple[str, int]],
        about("Number of entries last modified in each period: label and count, oldest first."),
    ] = ()

    @property
    def number(self) -> int:
        """Its number in the run."""
        return number_of(self.facts, "document_id")


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

    IN_JSON: ClassVar = (
        *(f"document.{name}" for name in CONTENT),
        "lastmod",
        "extensions",
        "children",
        "anomalies",
        *(f"document.{name}" for name in HOW_FOUND),
    )

    document: Annotated[ReadDocument, about("How it was found and read.")]
    inspected: Annotated[InspectedDocument, about("Its content.")]

    @property
    def lastmod(self) -> DocumentLastmods:
        """Lastmod of its entries."""
        facts: Mapping[str, Any] = self.inspected.facts
        return DocumentLastmods(
            facts.get("lastmod_oldest"),
            facts.get("lastmod_newest"),
            facts["lastmod_missing"],
            [LastmodPeriod(period, entries) for period, entries in self.inspected.histogram],
        )

    @property
    def extensions(self) -> Extensions:
        """Number of records of each extension in its entries."""
        return of_row(Extensions, self.inspected.facts)

    @property
    def children(self) -> list[ListedChild]:
        """The sitemaps that an index lists, in document order; empty if the document is not an index."""
        return [of_row(ListedChild, row) for row in self.inspected.children]

    @property
    def anomalies(self) -> list[Anomaly]:
        """Anomalies that the reader reported, repaired, or dropped, in document order."""
        return [of_row(Anomaly, row, count=row.get("count", 1)) for row in self.inspected.anomalies]


@with_short_repr
class InspectReport(Struct, frozen=True):
    """Result of `inspect`."""

    IN_JSON: ClassVar = (
        "totals", "documents=inspected_files", "unfetched=unfetched_documents", "cuts=unread_entries", "unreadable",
        "skipped", "redirects",
    )  # fmt: skip

    documents: Annotated[
        Sequence[InspectedDocument], about("Documents that were read, and listed documents that were not fetched.")
    ]
    unreadable: Annotated[Sequence[Unreadable], about("Targets that could not be read.")] = ()
    skipped: Annotated[Sequence[SkippedFile], about("Skipped files of directories, which are not sitemaps.")] = ()
    cuts: Annotated[Sequence[Row], about("Rows of `tables.CUTS`: entries of indexes that were not followed.")] = ()
    notes: Annotated[Sequence[str], about("Notes on how sites were searched.")] = ()
    redirects: Annotated[
        Sequence[HostRedirects], about("The redirects of targets that are files of a host, such as `_redirects`.")
    ] = ()

    @property
    def inspected_files(self) -> Iterator[InspectedFile]:
        """The documents that were read, in order; with --discover, including each robots.txt."""
        urls = self._urls()
        read = (one for one in self.documents if was_read(one.facts))
        return (InspectedFile(document_of(ReadDocument, one.facts, urls), one) for one in read)

    @property
    def unfetched_documents(self) -> Iterator[UnfetchedDocument]:
        """The documents that an index or a robots.txt lists and that could not be fetched."""
        urls = self._urls()
        unfetched = (one.facts for one in self.documents if not was_read(one.facts))
        return (document_of(UnfetchedDocument, facts, urls) for facts in unfetched)

    @property
    def unread_entries(self) -> Iterator[Cut]:
        """Entries of indexes that were not read, or not read again."""
        urls: Mapping[Any, str] = self._urls()
        return (
            of_row(Cut, cut, document=urls[cut["document_id"]], duplicate_of=urls.get(cut["duplicate_of"]))
            for cut in self.cuts
        )

    @property
    def totals(self) -> InspectTotals:
        """Totals over all documents; a document that is neither an index nor a sitemap only counts with its bytes."""
        from urlset.tables import PAGE_LIST_KINDS

        read = [document.facts for document in self.documents if was_read(document.facts)]
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
            unfetched=len(self.documents) - len(read),
            bytes=_sum(read, "bytes"),
            wire_bytes=_sum(read, "wire_bytes"),
            lastmod=LastmodRange(
                min(oldest, default=None), max(newest, default=None), _sum(counted, "lastmod_missing")
            ),
            extensions=Extensions(*(_sum(counted, name) for name in Extensions.__struct_fields__)),
        )

    def _urls(self) -> dict[int, str]:
        return {document.number: str(document.facts["url"]) for document in self.documents}


def was_read(row: Row) -> bool:
    """Return whether a row of `tables.DOCUMENTS` describes a document that was read, in whole or in part."""
    return row.get("kind") is not None


def _sum(rows: list[Row], name: str) -> int:
    return sum(number_of(row, name) for row in rows)


def number_of(row: Row, name: str) -> int:
    """Return the integer in a column of a row; 0 if it is null."""
    value = row.get(name)
    return value if isinstance(value, int) else 0


def document_of(cls: type[D], row: Row, urls: Mapping[int, str]) -> D:
    """Return a row of `tables.DOCUMENTS` as an object.

    Args:
        urls: The URL or path of each document, by its number.
    """
    parent, run = row.get("parent_id"), row.get("assumed_from")
    return of_row(
        cls,
        row,
        parent=urls[parent] if isinstance(parent, int) else None,
        assumed_from=UNSET if run is None else run,
    )


def of_row(cls: type[S], row: Row, **others: object) -> S:
    """Return an object whose fields are columns of a row, except for the others."""
    values: dict[str, Any] = {name: row.get(name) for name in cls.__struct_fields__}
    values.update(others)
    return cls(**values)


_CONTENT = ("kind", "bytes", "entries", "lastmod_newest", "lastmod_oldest", "loc_longest")
"""Columns of `tables.DOCUMENTS` that are equal for a sitemap and its compressed copy."""


def without_copies(documents: Iterable[Row]) -> list[Row]:
    """Return the documents without the compressed copies of others, such as `sitemap.xml.gz` next to `sitemap.xml`.

    Their URLs are those of the other document.
    """
    rows = list(documents)
    contents = {(str(row["url"]), *(row.get(name) for name in _CONTENT)) for row in rows if row.get("entries")}
    return [
        row
        for row in rows
        if not (name := str(row["url"])).endswith(COMPRESSED)
        or (name.rpartition(".")[0], *(row.get(column) for column in _CONTENT)) not in contents
    ]
