"""The JSON of `validate`: documents and findings. Other commands have parts of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, TypeVar

from msgspec import UNSET, Meta, Struct, UnsetType

from urlset.model.document import Row, was_read
from urlset.model.fields import NonNegativeInt, PositiveInt, about
from urlset.model.finding import Finding
from urlset.model.report import Report
from urlset.model.schema import SchemaVerdict, schema_counts
from urlset.ranking import RankedRule, rank_rules
from urlset.report.json_objects import VERSION, Members, Output
from urlset.rules.rule import RuleCode

D = TypeVar("D", bound="ListedDocument")
S = TypeVar("S", bound=Struct)


class Tool(Struct, frozen=True):
    """The tool that created the report."""

    name: Annotated[Literal["urlset"], about("Its name.")]
    version: Annotated[str, Meta(min_length=1), about("Its version.")]


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


class ReadDocument(ListedDocument, frozen=True, kw_only=True):
    """A document that was read."""

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

    error: Annotated[str | None, about("Why it could not be fetched, as a sentence.")]


class FindingCounts(Struct, frozen=True):
    """The findings in numbers."""

    errors: Annotated[NonNegativeInt, about("Number of findings of severity error.")]
    warnings: Annotated[NonNegativeInt, about("Number of findings of severity warning.")]
    infos: Annotated[NonNegativeInt, about("Number of findings of severity info.")]
    documents: Annotated[NonNegativeInt, about("Number of documents read.")]
    urls: Annotated[NonNegativeInt, about("Number of entries in all documents except sitemap indexes.")]
    known: Annotated[
        NonNegativeInt | UnsetType,
        about("Number of findings that a baseline hides, in whole or in part; absent without a baseline."),
    ]
    assumed: Annotated[
        NonNegativeInt | UnsetType,
        about(
            "Number of documents that were not requested but taken from the previous run, because their lastmod in "
            "the index did not change; absent if every document was requested."
        ),
    ]


class DocumentVerdict(Struct, frozen=True):
    """Whether a document is valid against the official schemas."""

    document: Annotated[str, about("The url of the document in documents.")]
    verdict: Annotated[SchemaVerdict, about("The result.")]


class SchemaResult(Struct, frozen=True):
    """Results of validation against the official schemas."""

    valid: Annotated[NonNegativeInt, about("Number of valid documents.")]
    invalid: Annotated[NonNegativeInt, about("Number of invalid documents.")]
    unchecked: Annotated[NonNegativeInt, about("Number of documents that could not be validated.")]
    not_valid: Annotated[
        Sequence[DocumentVerdict],
        about("One item for each document that is invalid or could not be validated, in the order of reading."),
    ]


class RankedFinding(Struct, frozen=True):
    """A rule that a document breaks, with its place in the order in which to fix what was found."""

    finding: Annotated[Finding, about("The finding.")]
    document: Annotated[str, about("The url of the document in documents.")]
    place: Annotated[RankedRule, about("The place of its rule.")]
    because_of: Annotated[
        Sequence[RuleCode], about("Codes of the rules in this report whose findings cause places of this one.")
    ]
    caused_places: Annotated[NonNegativeInt, about("Number of places that they cause; repairing those ends these.")]


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
