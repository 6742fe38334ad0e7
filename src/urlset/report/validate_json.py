"""The JSON of `validate`: documents and findings. Other commands have parts of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

from msgspec import UNSET, Meta, Struct, UnsetType

from urlset.model.document import was_read
from urlset.ranking import RankedRule, rank_rules
from urlset.report.json_objects import VERSION, Members, Output
from urlset.report.words import schema_counts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from urlset.model.document import Row
    from urlset.model.finding import Finding
    from urlset.model.report import Report
    from urlset.model.schema import SchemaVerdict
    from urlset.rules.rule import RuleCode

D = TypeVar("D", bound="ListedDocument")
S = TypeVar("S", bound=Struct)


@dataclass(frozen=True, slots=True)
class Tool:
    """The tool that created the report.

    Attributes:
        name: Its name.
        version: Its version.
    """

    name: Literal["urlset"]
    version: Annotated[str, Meta(min_length=1)]


class ListedDocument(Struct, frozen=True, kw_only=True):
    """A document, and how it was found and fetched.

    Attributes:
        url: The requested URL, the path, or <stdin>.
        found_by: How it was found: given, robots, well-known, html-link, http-header, or index.
        depth: Number of indexes above it.
        parent: URL of the index or robots.txt that lists it; None if it was given or found otherwise.
        http_status: Status code of the last response; None without a response or request.
        error_kind: Error that prevented fetching it completely: dns, refused, tls, cut-off …; None if nothing
            prevented it.
        assumed_from: The run (from 1) that it was taken from, because its lastmod in the index did not change; absent
            if it was requested.
    """

    url: str
    found_by: str | None
    depth: int | None
    parent: str | None
    http_status: int | None
    error_kind: str | None
    assumed_from: int | UnsetType


class ReadDocument(ListedDocument, frozen=True, kw_only=True):
    """A document that was read.

    Attributes:
        kind: Kind of its content: urlset, sitemapindex, text, rss, atom, or another kind such as html, json, empty, or
            zip.
        entries: Number of entries.
        bytes: Size after decompression.
        wire_bytes: Size as received.
        compression: Compression of the file: none, gzip, zstd, or br.
        encoding: The encoding that it was decoded with, by its name in the WHATWG Encoding Standard.
        complete: False if it is cut off, or a limit stopped the reading.
        well_formed: Whether it is namespace-well-formed XML; None if it is not XML.
        sha256: SHA-256 of the bytes as received, in hexadecimal.
    """

    kind: str
    entries: int
    bytes: int
    wire_bytes: int
    compression: str | None
    encoding: str | None
    complete: bool
    well_formed: bool | None
    sha256: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")] | None


class UnfetchedDocument(ListedDocument, frozen=True, kw_only=True):
    """A listed document that could not be fetched.

    Attributes:
        error: Why it could not be fetched, as a sentence.
    """

    error: str | None


@dataclass(frozen=True, slots=True)
class FindingCounts:
    """The findings in numbers.

    Attributes:
        errors: Number of findings of severity error.
        warnings: Number of findings of severity warning.
        infos: Number of findings of severity info.
        documents: Number of documents read.
        urls: Number of entries in all documents except sitemap indexes.
        known: Number of findings that a baseline hides, in whole or in part; absent without a baseline.
        assumed: Number of documents that were not requested but taken from the previous run, because their lastmod in
            the index did not change; absent if every document was requested.
    """

    errors: int
    warnings: int
    infos: int
    documents: int
    urls: int
    known: int | UnsetType
    assumed: int | UnsetType


@dataclass(frozen=True, slots=True)
class DocumentVerdict:
    """Whether a document is valid against the official schemas.

    Attributes:
        document: The url of the document in documents.
        verdict: The result.
    """

    document: str
    verdict: SchemaVerdict


@dataclass(frozen=True, slots=True)
class SchemaResult:
    """Results of validation against the official schemas.

    Attributes:
        valid: Number of valid documents.
        invalid: Number of invalid documents.
        unchecked: Number of documents that could not be validated.
        not_valid: One item for each document that is invalid or could not be validated, in the order of reading.
    """

    valid: int
    invalid: int
    unchecked: int
    not_valid: Sequence[DocumentVerdict]


class RankedFinding(Struct, frozen=True):
    """A rule that a document breaks, with its place in the order in which to fix what was found.

    Attributes:
        finding: The finding.
        document: The url of the document in documents.
        place: The place of its rule.
        because_of: Codes of the rules in this report whose findings cause places of this one.
        caused_places: Number of places that they cause; repairing those ends these.
    """

    finding: Finding
    document: str
    place: RankedRule
    because_of: Sequence[RuleCode]
    caused_places: int


def _version(report: Report) -> Literal[1]:  # noqa: ARG001 - the same for all
    """Version of this format."""
    return VERSION


def tool_of(report: Report) -> Tool:
    """The tool that created the report."""
    return Tool("urlset", report.tool_version)


def _documents(report: Report) -> Iterator[ReadDocument]:
    """The documents that were read, in order; with --discover, including each robots.txt."""
    return (document_of(ReadDocument, row, report.document_urls) for row in report.documents if was_read(row))


def _unfetched(report: Report) -> Iterator[UnfetchedDocument]:
    """The documents that an index or a robots.txt lists and that could not be fetched."""
    return (document_of(UnfetchedDocument, row, report.document_urls) for row in report.documents if not was_read(row))


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


def finding_counts(report: Report) -> FindingCounts:
    """The findings in numbers: a rule counts once per document that breaks it, however often; hints do not count."""
    summary = report.summary
    return FindingCounts(
        summary.errors,
        summary.warnings,
        summary.infos,
        summary.documents,
        summary.urls,
        known=UNSET if report.known is None else report.known,
        assumed=summary.assumed or UNSET,
    )


def _schema(report: Report) -> SchemaResult | UnsetType:
    """Results of validation against the official schemas; absent if it was not requested."""
    if report.schema is None:
        return UNSET
    counts = {status.value: count for status, count in schema_counts(report.schema).items()}
    return SchemaResult(**counts, not_valid=[document_verdict(report, verdict) for verdict in report.not_valid])


def document_verdict(report: Report, verdict: SchemaVerdict) -> DocumentVerdict:
    return DocumentVerdict(report.document_url(verdict.document_id), verdict)


def ranked_findings(report: Report) -> Iterator[RankedFinding]:
    """The findings, one for each document and rule that it breaks: errors first, then by document, then by code."""
    order = {place.rule.code: place for place in rank_rules(report)}
    for finding in report.findings:
        place = order[finding.rule.code]
        causes = {cause.rule.code: finding.causes.get(cause.rule.code, 0) for cause in place.because_of}
        codes = [code for code, places in causes.items() if places]
        yield RankedFinding(finding, report.document_url(finding.document_id), place, codes, sum(causes.values()))


HOW_FOUND = ("found_by", "depth", "parent", "http_status", "error_kind", "assumed_from")
"""The members of every document."""

CONTENT = ("url", "kind", "entries", "bytes", "wire_bytes", "compression", "encoding", "complete")
"""The members of a document that was read, in every report."""

MEMBERS: Members = {
    "Example": ("line", "column", "url", "field", "value", "message", "cause"),
    "Report": (
        _version, ("tool", tool_of), _documents, _unfetched, "unreadable", "skipped", ("summary", finding_counts),
        _schema, ("findings", ranked_findings),
    ),
    "RuleCount": ("rule.severity", "rule.code", "rule.name", "places", "documents", "rule.fixable"),
    "DocumentVerdict": (
        "document", "verdict.status", "count=verdict.total", "messages=verdict.faults", "verdict.reason",
    ),
    "RankedFinding": (
        "finding.rule.code", "finding.rule.name", "finding.rule.severity", "place.rank", "place.reason", "because_of",
        "caused_places", "finding.count", "document", "finding.rule.message", "finding.rule.fix", "finding.examples",
    ),
    "ReadDocument": (*CONTENT, "well_formed", "sha256", *HOW_FOUND),
    "UnfetchedDocument": ("url", *HOW_FOUND, "reason=error"),
}  # fmt: skip

VALIDATE: Output[Report] = Output("validate", "The documents that were read, and their findings.", "report.Report")
STATISTICS: Output[Report] = Output(
    "validate --statistics",
    "Counts per rule.",
    "report.Report",
    name="statistics",
    members=(("tool", tool_of), "unreadable", ("summary", finding_counts), "statistics"),
)
