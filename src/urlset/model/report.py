"""Result of `validate`, which all renderers show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field
from msgspec.structs import force_setattr, replace

from urlset.errors import Unreadable
from urlset.model.document import (
    ReadDocument,
    Row,
    SkippedFile,
    UnfetchedDocument,
    document_of,
    number_of,
    was_read,
    without_copies,
)
from urlset.model.fields import VERSION, Flat, NonNegativeInt, PositiveInt, about
from urlset.model.finding import Example, Finding, in_report_order
from urlset.model.fix import Change
from urlset.model.ranking import RankedFinding, ranked_findings
from urlset.model.result import with_short_repr
from urlset.model.schema import SchemaStatus, SchemaVerdict, as_finding, schema_counts
from urlset.rules.rule import Rule, Severity
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from collections.abc import Iterable


class SeverityCount(Struct, frozen=True):
    """Number of findings of one severity."""

    findings: Annotated[NonNegativeInt, about("Number of findings: a rule counts once per document that breaks it.")]
    places: Annotated[NonNegativeInt, about("Number of places: the sum of the findings' counts.")]
    rules: Annotated[NonNegativeInt, about("Number of rules that these findings break.")]

    @classmethod
    def of(cls, findings: Iterable[Finding]) -> SeverityCount:
        counts = [(finding.rule.code, finding.count) for finding in findings]
        return cls(len(counts), sum(count for _, count in counts), len({code for code, _ in counts}))


class RuleCount(Struct, frozen=True):
    """How often one rule is broken in all documents."""

    IN_JSON: ClassVar = ("rule.severity", "rule.code", "rule.name", "places", "documents", "rule.fixable")

    rule: Annotated[
        Rule, about("The rule, with its code, name, severity, and whether `urlset fix` repairs it (`fixable`).")
    ]
    places: Annotated[NonNegativeInt, about("Number of places that break it: the sum of the counts of its findings.")]
    documents: Annotated[NonNegativeInt, about("Number of documents with such places.")]


class Place(Struct, frozen=True):
    """A place in a file or document."""

    name: Annotated[str, about("The path or URL.")]
    line: Annotated[PositiveInt | None, about("The line, from 1; None without one.")] = None
    column: Annotated[PositiveInt | None, about("The column in Unicode code points, from 1; None without one.")] = None


class ReportSummary(Struct, frozen=True):
    """The result in numbers. `errors`, `warnings`, and `infos` count findings; hints are not counted."""

    tallies: Annotated[
        Mapping[Severity, SeverityCount],
        about("Number of findings and places per severity."),
    ]
    documents: Annotated[NonNegativeInt, about("Number of documents read.")]
    urls: Annotated[NonNegativeInt, about("Number of page URLs in them, not counting entries of indexes.")]
    assumed: Annotated[
        NonNegativeInt,
        about("Number of documents that were not requested, because their index lists the same lastmod as before."),
    ] = 0

    @property
    def errors(self) -> int:
        """Number of findings that are errors."""
        return self.tallies[Severity.ERROR].findings

    @property
    def warnings(self) -> int:
        """Number of findings that are warnings."""
        return self.tallies[Severity.WARNING].findings

    @property
    def infos(self) -> int:
        """Number of findings of severity info."""
        return self.tallies[Severity.INFO].findings


class Tool(Struct, frozen=True):
    """The tool that created the report."""

    name: Annotated[Literal["urlset"], about("Its name.")]
    version: Annotated[str, Meta(min_length=1), about("Its version.")]


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
    verdict: Annotated[SchemaVerdict, Flat("status", "count=total", "messages=faults", "reason"), about("The result.")]


class SchemaResult(Struct, frozen=True):
    """Results of validation against the official schemas."""

    valid: Annotated[NonNegativeInt, about("Number of valid documents.")]
    invalid: Annotated[NonNegativeInt, about("Number of invalid documents.")]
    unchecked: Annotated[NonNegativeInt, about("Number of documents that could not be validated.")]
    not_valid: Annotated[
        Sequence[DocumentVerdict],
        about("One item for each document that is invalid or could not be validated, in the order of reading."),
    ]


@with_short_repr
class Report(Struct, frozen=True, dict=True):
    """Result of `validate`."""

    IN_JSON: ClassVar = (
        "version=format_version", "tool", "documents=read_documents", "unfetched=unfetched_documents", "unreadable",
        "skipped", "summary=finding_counts", "schema=schema_result", "findings=ranked_findings",
    )  # fmt: skip

    tool_version: Annotated[str, about("The version of urlset that created it.")]
    documents: Annotated[
        Sequence[Row],
        about("Rows of `tables.DOCUMENTS`: documents that were read, and listed documents that were not fetched."),
    ]
    findings: Annotated[
        Sequence[Finding], about("The findings in report order: errors first, then by document, then by code.")
    ]
    unreadable: Annotated[Sequence[Unreadable], about("Targets that could not be read.")] = ()
    skipped: Annotated[Sequence[SkippedFile], about("Skipped files of directories, which are not sitemaps.")] = ()
    known: Annotated[
        NonNegativeInt | None,
        about("Number of findings that a baseline hides, in whole or in part; None without a baseline."),
    ] = None
    rules: Annotated[Sequence[Rule], about("The rules that ran.")] = ()
    silenced: Annotated[
        Mapping[tuple[object, str], str],
        about("Findings that are not reported, by document number and rule code, with the reason."),
    ] = field(default_factory=dict)
    schema: Annotated[
        Sequence[SchemaVerdict] | None,
        about("Results of validation against the official schemas; None if it was not requested."),
    ] = None
    cuts: Annotated[Sequence[Row], about("Rows of `tables.CUTS`: entries of indexes that were not followed.")] = ()
    notes: Annotated[Sequence[str], about("Notes on how sites were searched.")] = ()
    compared: Annotated[
        NonNegativeInt | None, about("Number of URLs that were compared with a build; None if documents were read.")
    ] = None
    edits: Annotated[
        Mapping[int, Sequence[Change]],
        about("Repairs that `urlset fix` would make, by document number; only for a format that shows them."),
    ] = field(default_factory=dict)
    files: Annotated[
        Mapping[str, str],
        about("Paths of the files behind URLs of documents and pages; only for formats that annotate files."),
    ] = field(default_factory=dict)

    def __post_init__(self) -> None:
        force_setattr(self, "findings", tuple(in_report_order(self.findings)))

    def without(self, findings: Iterable[Finding], reason: str) -> Report:
        """Return this report with only some of its findings, in whole or in part; removed findings become silenced."""
        reported = tuple(findings)
        names = {(finding.document_id, finding.rule.code) for finding in reported}
        silenced = dict(self.silenced)
        for finding in self.findings:
            if (name := (finding.document_id, finding.rule.code)) not in names:
                silenced[name] = reason
        return replace(self, findings=reported, silenced=silenced)

    def without_quiet(self) -> Report:
        """Return this report without the hints that people rarely need."""
        return replace(self, findings=[finding for finding in self.findings if not finding.rule.is_quiet])

    @cached_property
    def document_urls(self) -> Mapping[int, str]:
        """URL or path of each document, by its number."""
        return {number_of(row, "document_id"): str(row["url"]) for row in self.documents}

    def document_url(self, document_id: int) -> str:
        """Return the URL or path of a document."""
        return self.document_urls[document_id]

    def file_of(self, document_id: int) -> str:
        """Return the file of a document if it is known, and else its URL or path."""
        url = self.document_url(document_id)
        return self.files.get(url, url)

    def place_of(self, finding: Finding, example: Example | None = None) -> Place:
        """Return where a finding, or one of its examples, is corrected: in a page, its file, or a document."""
        if example is not None and example.linked_from is not None:
            return Place(self.files.get(example.linked_from, example.linked_from))
        if example is not None and example.url is not None and finding.rule.needs_pages:
            if file := self.files.get(example.url):
                return Place(file)
            if example.line is None:
                # No document lists the page.
                return Place(example.url)
        line, column = (None, None) if example is None else (example.line, example.column)
        return Place(self.file_of(finding.document_id), line, column)

    @property
    def summary(self) -> ReportSummary:
        """The result in numbers."""
        return ReportSummary(
            tallies={
                severity: SeverityCount.of(finding for finding in self.findings if finding.severity is severity)
                for severity in Severity
            },
            documents=sum(map(was_read, self.documents)),
            urls=sum(
                number_of(row, "entries") for row in without_copies(self.documents) if row.get("kind") != "sitemapindex"
            ),
            assumed=sum(row.get("assumed_from") is not None for row in self.documents),
        )

    @property
    def format_version(self) -> Literal[1]:
        """Version of this format."""
        return VERSION

    @property
    def tool(self) -> Tool:
        """The tool that created the report."""
        return Tool("urlset", self.tool_version)

    @property
    def read_documents(self) -> Iterator[ReadDocument]:
        """The documents that were read, in order; with --discover, including each robots.txt."""
        return (document_of(ReadDocument, row, self.document_urls) for row in self.documents if was_read(row))

    @property
    def unfetched_documents(self) -> Iterator[UnfetchedDocument]:
        """The documents that an index or a robots.txt lists and that could not be fetched."""
        return (document_of(UnfetchedDocument, row, self.document_urls) for row in self.documents if not was_read(row))

    @property
    def finding_counts(self) -> FindingCounts:
        """The findings in numbers: a rule counts once per document that breaks it, however often; hints do not count."""  # noqa: E501
        summary = self.summary
        return FindingCounts(
            summary.errors,
            summary.warnings,
            summary.infos,
            summary.documents,
            summary.urls,
            known=UNSET if self.known is None else self.known,
            assumed=summary.assumed or UNSET,
        )

    @property
    def schema_result(self) -> SchemaResult | UnsetType:
        """Results of validation against the official schemas; absent if it was not requested."""
        if self.schema is None:
            return UNSET
        counts = {status.value: count for status, count in schema_counts(self.schema).items()}
        return SchemaResult(**counts, not_valid=[self.document_verdict(verdict) for verdict in self.not_valid])

    def document_verdict(self, verdict: SchemaVerdict) -> DocumentVerdict:
        """Return a result of validation against the official schemas, with the URL or path of the document."""
        return DocumentVerdict(self.document_url(verdict.document_id), verdict)

    @property
    def ranked_findings(self) -> Iterator[RankedFinding]:
        """The findings, one for each document and rule that it breaks: errors first, then by document, then by code."""
        return ranked_findings(self)

    @property
    def not_valid(self) -> list[SchemaVerdict]:
        """Documents that are invalid against the official schemas, or could not be validated."""
        return [verdict for verdict in self.schema or () if verdict.status is not SchemaStatus.VALID]

    @property
    def issues(self) -> list[Finding]:
        """Findings and schema errors in report order, for formats with a single list."""
        return in_report_order([*self.findings, *map(as_finding, self.not_valid)])

    @property
    def statistics(self) -> list[RuleCount]:
        """Counts per rule: errors first, then by number of places, then by code.

        What an XML schema reports counts as one rule.
        """
        rules: dict[str, list[Finding]] = {}
        for finding in self.issues:
            rules.setdefault(finding.rule.code, []).append(finding)
        counts = [RuleCount(group[0].rule, sum(item.count for item in group), len(group)) for group in rules.values()]
        return sorted(counts, key=lambda count: (count.rule.severity.rank, -count.places, count.rule.code))

    @property
    def caveat(self) -> str | None:
        """Statement to show instead of "no findings" if that would be misleading; None if it is accurate."""
        if self.unreadable and not self.summary.documents:
            return "nothing was checked"
        return "not valid against the official schemas" if self.not_valid else None

    def without_findings(self, nouns: str = "findings") -> str:
        """Return what to say of a run that shows no findings: its caveat, or that there are none, or no new ones."""
        return self.caveat or (f"no {nouns}" if self.known is None else f"no new {nouns}")

    @property
    def in_baseline(self) -> str:
        """How many findings a baseline hides, in words; empty for none."""
        return f"the baseline hides {quantity(self.known, 'finding')}, in whole or in part" if self.known else ""

    @property
    def pages_in_baseline(self) -> str:
        """That numbers of pages include those with findings in the baseline, in words; empty if it hides none."""
        return "pages whose findings are in the baseline are counted as well" if self.known else ""

    def failing_severity(self, fail_on: str, max_warnings: int | None) -> str:
        """Return the lowest severity that fails the run, or `never`; more warnings than `max_warnings` fail it, too."""
        is_exceeded = max_warnings is not None and self.summary.warnings > max_warnings
        return Severity.WARNING if is_exceeded and fail_on in (Severity.ERROR, "never") else fail_on

    def fails(self, fail_on: str, max_warnings: int | None = None) -> bool:
        """Return whether a finding is at least as severe as `fail_on`, or there are more warnings than `max_warnings`.

        `fail_on` is a severity or `never`. A document that is invalid against the official schemas, or could not be
        validated, counts as an error.
        """
        fail_on = self.failing_severity(fail_on, max_warnings)
        if fail_on == "never":
            return False
        if self.not_valid:
            return True
        return any(finding.fails(fail_on) for finding in self.findings)
