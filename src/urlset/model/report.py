"""Result of `validate`, which all renderers show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Annotated

from msgspec import Struct, field
from msgspec.structs import force_setattr, replace

from urlset.errors import Unreadable
from urlset.model.document import Row, SkippedFile, number_of, was_read, without_copies
from urlset.model.fields import NonNegativeInt, about
from urlset.model.finding import Finding, in_report_order
from urlset.model.fix import Change
from urlset.model.result import with_short_repr
from urlset.model.schema import SchemaStatus, SchemaVerdict, as_finding
from urlset.rules.rule import Rule, Severity

if TYPE_CHECKING:
    from collections.abc import Iterable


class SeverityCount(Struct, frozen=True):
    """Number of findings of one severity."""

    findings: Annotated[NonNegativeInt, about("Number of findings: a rule counts once per document that breaks it.")]
    places: Annotated[NonNegativeInt, about("Number of places: the sum of the findings' counts.")]

    @classmethod
    def of(cls, findings: Iterable[Finding]) -> SeverityCount:
        counts = [finding.count for finding in findings]
        return cls(len(counts), sum(counts))


class RuleCount(Struct, frozen=True):
    """How often one rule is broken in all documents."""

    rule: Annotated[
        Rule, about("The rule, with its code, name, severity, and whether `urlset fix` repairs it (`fixable`).")
    ]
    places: Annotated[NonNegativeInt, about("Number of places that break it: the sum of the counts of its findings.")]
    documents: Annotated[NonNegativeInt, about("Number of documents with such places.")]


class ReportSummary(Struct, frozen=True):
    """The result in numbers. `errors`, `warnings`, and `infos` count findings; hints are not counted."""

    tallies: Annotated[
        Mapping[Severity, SeverityCount],
        about("Number of findings and places per severity, without hints of quiet rules."),
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


@with_short_repr
class Report(Struct, frozen=True, dict=True):
    """Result of `validate`."""

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
    edits: Annotated[
        Mapping[int, Sequence[Change]],
        about("Repairs that `urlset fix` would make, by document number; only for a format that shows them."),
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

    @property
    def summary(self) -> ReportSummary:
        """The result in numbers."""
        return ReportSummary(
            tallies={
                severity: SeverityCount.of(
                    finding for finding in self.findings if finding.severity is severity and not finding.rule.is_quiet
                )
                for severity in Severity
            },
            documents=sum(map(was_read, self.documents)),
            urls=sum(
                number_of(row, "entries") for row in without_copies(self.documents) if row.get("kind") != "sitemapindex"
            ),
            assumed=sum(row.get("assumed_from") is not None for row in self.documents),
        )

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
