"""Results as JSON objects: the members of each class, in order. `json_schema` makes the schemas of the same objects."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from datetime import UTC, date, datetime
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, Any, Final, Generic, Literal, TypeVar

from msgspec import UNSET, Meta, Struct, UnsetType

from urlset.model.document import number_of, was_read
from urlset.model.lastmod import MIN_COMPARABLE
from urlset.model.specification import SPECIFICATION, STEPS
from urlset.pages import PageReason
from urlset.ranking import RankedRule, rank_rules
from urlset.report import changes_json
from urlset.report.rows import plain_value
from urlset.report.style import Style
from urlset.report.words import schema_counts, setting_value
from urlset.safe import json_pieces, json_text

if TYPE_CHECKING:
    from urlset.agents import KnownAgent
    from urlset.model.access_log import LogsResult
    from urlset.model.audit import AgentAccess, AuditResult, CrawlLimit, Inventory, LinkCounts, PageCounts
    from urlset.model.build import File, Lastmod, SiteReport, SourceDate
    from urlset.model.build_result import BuildResult
    from urlset.model.check import CheckResult, Evidence, StepResult
    from urlset.model.client_check import ClientCheck
    from urlset.model.comparison import Comparison
    from urlset.model.coverage import CoverageResult, Funnel, FunnelRow, ImportResult, InspectResult
    from urlset.model.crawl_report import CrawlReport
    from urlset.model.discovery import Candidate, Discovery, Find
    from urlset.model.document import InspectedDocument, InspectReport, Row
    from urlset.model.finding import Finding
    from urlset.model.fix import Change, FixReport, Omission
    from urlset.model.lastmod import DateTrust
    from urlset.model.monitoring import Alarm, MonitorResult
    from urlset.model.notification import NewKey, NotifyResult
    from urlset.model.page_explanation import CrawlsOfPage, PageExplanation
    from urlset.model.page_list import PageVerdict
    from urlset.model.policy import PolicyReport
    from urlset.model.reference import CacheState, EffectiveConfiguration, ListedRule, Setting
    from urlset.model.report import Report
    from urlset.model.reported import ReportedSitemaps
    from urlset.model.robots import RobotsReport, UrlAccess
    from urlset.model.run import RunRow
    from urlset.model.schema import SchemaVerdict
    from urlset.model.signing import NewSigningKey
    from urlset.model.specification import Specification
    from urlset.model.stable import PartCounts, StableChanges
    from urlset.robots import Availability, Verdict
    from urlset.robots_content import ExtensionLine, Group, Problem, SitemapLine
    from urlset.rules.rule import KebabCase, RuleCode

VERSION: Final = 1
"""Version of the formats, raised on breaking changes."""

M = TypeVar("M")
D = TypeVar("D", bound="ListedDocument")
S = TypeVar("S", bound=Struct)

Function = Callable[[Any], object]

Member = str | Function | tuple[str, Function]
"""A member of an object: an attribute; `name=attribute` if its name differs; or a function `_name`, whose return type
and docstring describe it; or a name and a function. A member whose value is `UNSET` is absent; an iterator is a list,
which an `Output` writes item by item."""

DateTime = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]
"""An instant as text, for members that do not have the form of `plain_value`."""

OF_PAGE = (
    "status", "final_url", "hops", "hop_statuses", "error_kind", "error", "skipped", "blocked_by", "content_type",
    "noindex", "noindex_agents", "meta_robots", "x_robots", "unavailable_after_at", "canonical", "canonical_is_self",
    "refresh_seconds", "refresh_url", "html_lang", "title", "words", "complete", "fetched_at",
)  # fmt: skip
"""The columns of `pages` in the report on a page."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Annotates a dictionary whose keys are columns of a table."""

    table: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Output(Generic[M]):
    """JSON that a command writes. The method `json` is a renderer.

    Attributes:
        command: The command, with the option that asks for it.
        about: What it has, as a sentence.
        of: The class of the result, as in `MEMBERS`.
        listed: The member with the results, if there are several.
        name: The name of its schema, if not the command.
        members: Its members, if not those of the class.
    """

    command: str
    about: str
    of: str
    listed: str = ""
    name: str = ""
    members: tuple[Member, ...] = ()

    def json(self, result: M, style: Style = Style()) -> Iterator[str]:
        yield from json_pieces(self.content(result), ascii_only=style.ascii_only)

    def content(self, result: M) -> dict[str, object]:
        """Return the object; what is an iterator in the result is an iterator of JSON values."""
        if self.listed:
            return {"version": VERSION, self.listed: as_json(result)}
        made = _maker(self.members) if self.members else _maker_of(type(result))
        return {"version": VERSION} | {
            name: map(as_json, part) if isinstance(part, Iterator) else as_json(part)
            for name, part in made(result).items()
            if part is not UNSET
        }


@dataclass(frozen=True, slots=True)
class OneOrMore(Output[Sequence[M]]):
    """JSON of a single result, or an array if there may be several, without a version of its own."""

    def json(self, result: Sequence[M], style: Style = Style()) -> Iterator[str]:
        values = as_json(result)
        yield json_text(values if style.several else values[0], ascii_only=style.ascii_only)


def as_json(value: object) -> Any:
    """Return a result, or any part of one, as values that `json` can write."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    if isinstance(value, _LISTS):
        return list(map(as_json, value))
    if isinstance(value, str):
        return value
    if kind in _KNOWN or isinstance(value, Struct) or is_dataclass(kind):
        made = _maker_of(kind)(value)
        # A report can have a million examples, whose parts are all plain.
        if _PLAIN.issuperset(map(type, made.values())):
            return made
        return {
            name: part if type(part) in _PLAIN else as_json(part) for name, part in made.items() if part is not UNSET
        }
    if isinstance(value, Mapping):
        return {str(key): as_json(item) for key, item in value.items()}
    if isinstance(value, Iterator):
        return list(map(as_json, value))
    if isinstance(value, datetime) and value.tzinfo is not None:
        value = value.astimezone(UTC)
    return plain_value(value)


def members_of(cls: type[Any]) -> tuple[Member, ...]:
    """Return the members of the object of a class: by default its fields."""
    if (members := MEMBERS.get(name_of(cls))) is not None:
        return members
    return tuple(field.name for field in fields(cls)) if is_dataclass(cls) else cls.__struct_fields__


def name_of(cls: type) -> str:
    """Return the name of a class, with its module in `urlset.model`."""
    return f"{cls.__module__.removeprefix('urlset.model.')}.{cls.__qualname__}"


def named(member: Member) -> tuple[str, str | Function]:
    """Return the name of a member, and its attribute or function."""
    if isinstance(member, tuple):
        return member
    if not isinstance(member, str):
        return member.__name__.removeprefix("_"), member
    name, _, attribute = member.partition("=")
    return name, attribute or name


Maker = Callable[[Any], dict[str, object]]
"""Returns the members of an object with their values as they are."""


def _maker_of(cls: type) -> Maker:
    if (maker := _KNOWN.get(cls)) is None:
        maker = _KNOWN[cls] = _maker(members_of(cls))
    return maker


def _maker(members: tuple[Member, ...]) -> Maker:
    """Return what gives the members of an object: by a single call in C if they are all attributes."""
    names, parts = zip(*map(named, members), strict=True)
    if all(isinstance(of, str) for of in parts) and len(names) > 1:
        values = attrgetter(*parts)
        return lambda value: dict(zip(names, values(value), strict=True))
    getters = [attrgetter(of) if isinstance(of, str) else of for of in parts]
    return lambda value: {name: get(value) for name, get in zip(names, getters, strict=True)}


_KNOWN: dict[type, Maker] = {}

_LISTS = (list, tuple)

_PLAIN = frozenset({str, int, bool, type(None)})
"""Types of which `json` writes every value as it is."""


@dataclass(frozen=True, slots=True)
class ReasonCount:
    """A reason with the number of its URLs.

    Attributes:
        reason: The reason, or the state without one; null if neither is known.
        urls: Number of URLs.
    """

    reason: str | None
    urls: int


@dataclass(frozen=True, slots=True)
class AllListed:
    """All listed URLs, each counted once."""

    row: FunnelRow


@dataclass(frozen=True, slots=True)
class FixSummary:
    """The result of all documents.

    Attributes:
        documents: Number of documents.
        repairs: Number of repairs.
        omitted: Number of parts that could not be repaired and were left out.
        whole: Whether everything was repaired, or there was nothing to repair.
    """

    documents: int
    repairs: int
    omitted: int
    whole: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RobotsFile:
    """The robots.txt.

    Attributes:
        target: Its path or URL.
        http_status: Status code of the last response; null for a file, or without a response.
        availability: read; unavailable (no robots.txt: everything is allowed); unreachable (nothing is allowed).
        reason: Why it is unreachable; null otherwise.
        bytes: Size of the file.
        bytes_unread: Number of bytes after the limit of 500 KiB, which were not read.
        lines: Number of lines read.
        encoding: The encoding that it was decoded with, by its name in the WHATWG Encoding Standard.
        has_bom: Whether it starts with a byte order mark.
        is_html: Whether it starts like an HTML page.
        problems_unlisted: Number of problems that are not listed.
        groups: The groups, in file order.
        sitemaps: The Sitemap lines with a value.
        extensions: The lines of other specifications, such as Content-Signal and Crawl-delay, in the order of the file.
        problems: Lines that were repaired or ignored, and problems of the whole file.
    """

    target: str
    http_status: int | None
    availability: Availability
    reason: str | None
    bytes: int
    bytes_unread: int
    lines: int
    encoding: str
    has_bom: bool
    is_html: bool
    problems_unlisted: int
    groups: Sequence[Group]
    sitemaps: Sequence[SitemapLine]
    extensions: Sequence[ExtensionLine]
    problems: Sequence[Problem]


@dataclass(frozen=True, slots=True)
class AgentVerdict:
    """Whether a crawler may fetch a URL.

    Attributes:
        agent: The crawler.
        verdict: The verdict.
    """

    agent: str
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class RobotsOfPage:
    """The robots.txt of the host of a page.

    Attributes:
        url: Its URL.
        availability: read; unavailable (no robots.txt: everything is allowed); unreachable (nothing is allowed).
        closed_to: The crawlers of search engines that it blocks from the page.
        verdicts: For each crawler whether it may fetch the page, and the line that decides.
    """

    url: str | None
    availability: Availability
    closed_to: Sequence[str]
    verdicts: Sequence[AgentVerdict]


@dataclass(frozen=True, slots=True)
class CheckedCandidate:
    """A URL that may be a sitemap, and the result of fetching it.

    Attributes:
        candidate: The candidate.
        judged: Whether it was assessed in the steps from parse on.
    """

    candidate: Candidate
    judged: bool


@dataclass(frozen=True, slots=True)
class StatusHits:
    """The requests with a status code.

    Attributes:
        status: The status code.
        hits: Number of requests.
    """

    status: int
    hits: int


@dataclass(frozen=True, slots=True)
class StableLayout:
    """What a build with the stable layout changed.

    Attributes:
        parts: What happened to the parts.
        changes: What happened to the URLs.
        ledger_note: Why the ledger was created or rebuilt; null if it was not.
    """

    parts: PartCounts
    changes: StableChanges
    ledger_note: str | None


@dataclass(frozen=True, slots=True)
class DayHits:
    """The requests on a day.

    Attributes:
        day: The day, UTC.
        hits: Number of requests.
    """

    day: date
    hits: int


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
        because_of: Codes of the rules whose findings cause these, as far as the examples show.
    """

    finding: Finding
    document: str
    place: RankedRule
    because_of: Sequence[RuleCode]


@dataclass(frozen=True, slots=True)
class PagesAtDepth:
    """The pages that are as many clicks from the home page.

    Attributes:
        clicks: Fewest links from a home page; 20 includes deeper pages.
        pages: Number of pages.
    """

    clicks: Annotated[int, Meta(ge=0)]
    pages: int


@dataclass(frozen=True, slots=True)
class Uncrawled:
    """Linked pages of the site that a crawl did not request.

    Attributes:
        why: The reason.
        count: Number of URLs.
        example: One of the URLs.
    """

    why: CrawlLimit
    count: int
    example: str


class Extensions(Struct, frozen=True):
    """Number of records of each extension.

    Attributes:
        images: Number of image records.
        videos: Number of video records.
        news: Number of news records.
        alternates: Number of hreflang links.
    """

    images: int
    videos: int
    news: int
    alternates: int


class LastmodRange(Struct, frozen=True):
    """lastmod of the entries of sitemaps and feeds.

    Attributes:
        oldest: The oldest, in UTC; None if no entry has a valid lastmod.
        newest: The newest, in UTC; None if no entry has a valid lastmod.
        missing: Number of entries without lastmod.
    """

    oldest: datetime | None
    newest: datetime | None
    missing: int


class LastmodPeriod(Struct, frozen=True):
    """A period with the entries last modified in it.

    Attributes:
        period: A month (2026-03), a year (2026), or years (2020-2023).
        entries: Number of entries.
    """

    period: str
    entries: int


class DocumentLastmods(LastmodRange, frozen=True):
    """lastmod of the entries of a document.

    Attributes:
        distribution: Number of entries by time of lastmod, in at most a dozen consecutive periods of equal length,
            oldest first.
    """

    distribution: Sequence[LastmodPeriod]


class InspectTotals(Struct, frozen=True, kw_only=True):
    """Totals over all documents.

    Attributes:
        indexes: Number of sitemap indexes.
        sitemaps: Number of sitemaps and feeds.
        urls: Number of entries of sitemaps and feeds.
        unfetched: Number of listed documents that could not be fetched.
        bytes: Size after decompression.
        wire_bytes: Size as received.
        lastmod: lastmod of the entries of sitemaps and feeds.
        extensions: Number of records of each extension.
    """

    indexes: int
    sitemaps: int
    urls: int
    unfetched: int
    bytes: int
    wire_bytes: int
    lastmod: LastmodRange
    extensions: Extensions


class ListedChild(Struct, frozen=True):
    """An entry of a sitemap index.

    Attributes:
        loc: The child's URL as written; None if absent.
        lastmod: Its lastmod as written; None if absent.
        line: Its line, from 1; None if it has no position in the text.
        col: Its column, from 1; None if it has no position in the text.
    """

    loc: str | None
    lastmod: str | None
    line: int | None
    col: int | None


class Anomaly(Struct, frozen=True):
    """An anomaly that the reader reported, repaired, or dropped.

    Attributes:
        kind: Name of the kind.
        line: Its line, from 1; None if it has no position in the text.
        col: Its column in Unicode code points, from 1; None if it has no position in the text.
        evidence: Excerpt of the document, at most 120 characters, with control characters escaped.
        count: How many anomalies it represents: at least 1, or all after the first 1,000 of its kind in the document.
    """

    kind: KebabCase
    line: int | None
    col: int | None
    evidence: str | None
    count: int


class Cut(Struct, frozen=True):
    """An entry of an index that was not read, or not read again.

    Attributes:
        document: The index that lists it.
        line: Its line, from 1; None if it has no position in the text.
        col: Its column, from 1; None if it has no position in the text.
        kind: The reason: the index lists itself, a parent index, or a document that was already read; or a limit was
            reached.
        url: The listed URL.
        duplicate_of: The document that was read instead; None if a limit was reached.
        count: How many entries it represents: at least 1, and more only if a limit was reached.
    """

    document: str
    line: int | None
    col: int | None
    kind: Literal["self", "cycle", "repeated", "depth-limit", "document-limit", "byte-limit"]
    url: str
    duplicate_of: str | None
    count: int


class InspectedFile(Struct, frozen=True):
    """A document that was read.

    Attributes:
        document: How it was found and read.
        inspected: What it has.
    """

    document: ReadDocument
    inspected: InspectedDocument


@dataclass(frozen=True, slots=True)
class PageHealth:
    """The pages that are indexable at their listed URL, among those of which that is known.

    Attributes:
        indexable: Number of indexable pages.
        pages: Number of pages that this is a share of.
        low: Lower bound of the indexable share of all pages, with 95% confidence.
        high: Upper bound.
    """

    indexable: int
    pages: int
    low: Annotated[float, Meta(ge=0, le=1)]
    high: Annotated[float, Meta(ge=0, le=1)]


@dataclass(frozen=True, slots=True)
class Section:
    """The listed URLs of a section, a host and first folder.

    Attributes:
        section: The section.
        urls: Number of listed URLs in it.
        blocked: Number of those that are blocked.
    """

    section: str
    urls: int
    blocked: int


@dataclass(frozen=True, slots=True)
class UrlSample:
    """Some URLs.

    Attributes:
        count: Number of URLs.
        examples: The first of them.
    """

    count: int
    examples: Sequence[str]


def _version(report: Report) -> Literal[1]:  # noqa: ARG001 - the same for all
    """Version of this format."""
    return VERSION


def tool_of(report: Report) -> Tool:
    """The tool that created the report."""
    return Tool("urlset", report.tool_version)


def read_documents(report: Report) -> Iterator[ReadDocument]:
    """The documents that were read, in order; with --discover, including each robots.txt."""
    return (document_of(ReadDocument, row, report.document_urls) for row in report.documents if was_read(row))


def unfetched_documents(report: Report) -> Iterator[UnfetchedDocument]:
    """The documents that an index or a robots.txt lists and that could not be fetched."""
    return (document_of(UnfetchedDocument, row, report.document_urls) for row in report.documents if not was_read(row))


def document_of(cls: type[D], row: Row, urls: Mapping[int, str]) -> D:
    """Return a row of `tables.DOCUMENTS` as an object.

    Args:
        urls: The URL or path of each document, by its number.
    """
    parent, run = row.get("parent_id"), row.get("assumed_from")
    return _of_row(
        cls,
        row,
        parent=urls[parent] if isinstance(parent, int) else None,
        assumed_from=UNSET if run is None else run,
    )


def _of_row(cls: type[S], row: Row, **others: object) -> S:
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
    order = {place.rule.code: (place, [cause.code for cause in place.because_of]) for place in rank_rules(report)}
    return (
        RankedFinding(finding, report.document_url(finding.document_id), *order[finding.rule.code])
        for finding in report.findings
    )


def _urls_of(report: InspectReport) -> dict[int, str]:
    return {document.number: str(document.facts["url"]) for document in report.documents}


def _inspected(report: InspectReport) -> Iterator[InspectedFile]:
    """The documents that were read, in order; with --discover, including each robots.txt."""
    urls = _urls_of(report)
    read = (one for one in report.documents if was_read(one.facts))
    return (InspectedFile(document_of(ReadDocument, one.facts, urls), one) for one in read)


def _uninspected(report: InspectReport) -> Iterator[UnfetchedDocument]:
    """The documents that an index or a robots.txt lists and that could not be fetched."""
    urls = _urls_of(report)
    unfetched = (one.facts for one in report.documents if not was_read(one.facts))
    return (document_of(UnfetchedDocument, facts, urls) for facts in unfetched)


def _cuts(report: InspectReport) -> Iterator[Cut]:
    """Entries of indexes that were not read, or not read again."""
    urls: Mapping[Any, str] = _urls_of(report)
    return (
        _of_row(Cut, cut, document=urls[cut["document_id"]], duplicate_of=urls.get(cut["duplicate_of"]))
        for cut in report.cuts
    )


def _totals(report: InspectReport) -> InspectTotals:
    """Totals over all documents; a document that is neither an index nor a sitemap only counts with its bytes."""
    from urlset.tables import PAGE_LIST_KINDS

    read = [document.facts for document in report.documents if was_read(document.facts)]
    sitemaps = [facts for facts in read if facts["kind"] in PAGE_LIST_KINDS]
    oldest, newest = (
        [at for facts in sitemaps if isinstance(at := facts.get(name), datetime)]
        for name in ("lastmod_oldest", "lastmod_newest")
    )
    return InspectTotals(
        indexes=sum(facts["kind"] == "sitemapindex" for facts in read),
        sitemaps=len(sitemaps),
        urls=_sum(sitemaps, "entries"),
        unfetched=len(report.documents) - len(read),
        bytes=_sum(read, "bytes"),
        wire_bytes=_sum(read, "wire_bytes"),
        lastmod=LastmodRange(min(oldest, default=None), max(newest, default=None), _sum(sitemaps, "lastmod_missing")),
        extensions=Extensions(*(_sum(sitemaps, name) for name in Extensions.__struct_fields__)),
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
    return _of_row(Extensions, file.inspected.facts)


def _children(file: InspectedFile) -> list[ListedChild]:
    """The sitemaps that an index lists, in document order; empty if the document is not an index."""
    return [_of_row(ListedChild, row) for row in file.inspected.children]


def _anomalies(file: InspectedFile) -> list[Anomaly]:
    """Anomalies that the reader reported, repaired, or dropped, in document order."""
    return [_of_row(Anomaly, row, count=row.get("count", 1)) for row in file.inspected.anomalies]


def _not_indexable(audited: AuditResult) -> Sequence[PageVerdict] | None:
    """The first 20,000 pages not known to be indexable (`urlset pages` lists all); null if they were not fetched."""
    return None if audited.not_indexable is None else audited.not_indexable.pages


def _clients(audited: AuditResult) -> Sequence[ClientCheck] | UnsetType:
    """What some pages answer to crawlers, as by `urlset check --clients`; absent unless requested."""
    return audited.clients or UNSET


def _health(pages: PageCounts) -> PageHealth:
    """Page health: the pages that are indexable at their listed URL, among those of which that is known."""
    share = pages.good
    return PageHealth(share.part, share.whole, round(share.low, 6), round(share.high, 6))


def _is_indexable(page: PageVerdict) -> Annotated[bool | None, Meta(extra_json_schema={"enum": [False, None]})]:
    """False; null if it is unknown."""
    return page.is_indexable


def _reason(page: PageVerdict) -> PageReason:
    """Why it is not indexable, or why that is unknown."""
    assert page.reason is not None
    return PageReason(page.reason)


def _sections(access: AgentAccess) -> list[Section]:
    """Sections (host and first folder) with blocked URLs, largest first."""
    return [Section(*section) for section in access.sections]


def _unlisted(inventory: Inventory) -> UrlSample:
    """URLs of the inventory that no sitemap lists."""
    return UrlSample(inventory.unlisted, inventory.unlisted_examples)


def _unknown(inventory: Inventory) -> UrlSample:
    """Listed URLs that are not in the inventory."""
    return UrlSample(inventory.unknown, inventory.unknown_examples)


def _depths(links: LinkCounts) -> list[PagesAtDepth]:
    """Pages by clicks from the home page; 20 includes deeper pages."""
    return [PagesAtDepth(clicks, pages) for clicks, pages in links.depths]


def _uncrawled(links: LinkCounts) -> list[Uncrawled]:
    """Why linked pages of the site were not requested by a crawl."""
    return [Uncrawled(why, count, example) for why, count, example in links.uncrawled]


def _action(cache: CacheState) -> Literal["info", "clear"]:
    """What the command did."""
    return "clear" if cache.is_cleared else "info"


def _started_at(run: RunRow) -> datetime:
    """Time at which it started."""
    return run.started_at.astimezone(UTC).replace(microsecond=0)


def _finished_at(run: RunRow) -> datetime | None:
    """Time at which it finished; null for an unfinished run."""
    return None if run.finished_at is None else run.finished_at.astimezone(UTC).replace(microsecond=0)


def _settings(run: RunRow) -> dict[str, object]:
    """Its settings, without secrets."""
    settings: dict[str, object] = json.loads(run.settings)
    return settings


def _scope(entry: ListedRule) -> Literal["entry", "anomaly", "set"]:
    """What it is applied to: entries one by one, anomalies of documents, or sets of rows."""
    kind: Literal["entry", "anomaly", "set"] = entry.rule.kind  # type: ignore[assignment]
    return kind


def _value(setting: Setting) -> object:
    """Its value; secrets are masked."""
    return setting_value(setting.value)


def _reasons(result: InspectResult) -> list[ReasonCount]:
    """Number of inspected URLs by reason, most frequent first."""
    return [ReasonCount(reason or None, count) for reason, count in result.reasons]


def _total(funnel: Funnel) -> AllListed:
    """All listed URLs, each counted once."""
    return AllListed(funnel.total)


def _listed_reasons(funnel: Funnel) -> list[ReasonCount]:
    """Number of listed URLs by reason, most frequent first."""
    return [ReasonCount(reason or None, count) for reason, count in funnel.reasons]


def _logs_from(funnel: Funnel) -> datetime | None:
    """Earliest time in the access logs, UTC; null without logs."""
    return None if funnel.logs is None else funnel.logs[0]


def _logs_to(funnel: Funnel) -> datetime | None:
    """Latest time in the access logs, UTC; null without logs."""
    return None if funnel.logs is None else funnel.logs[1]


def _coverage_summary(result: CoverageResult) -> FindingCounts:
    """The findings in numbers, as in the report of `urlset validate`."""
    return finding_counts(result.report)


def _coverage_findings(result: CoverageResult) -> Iterator[RankedFinding]:
    """The findings, as in the report of `urlset validate`."""
    return ranked_findings(result.report)


def _min_comparable(dates: DateTrust) -> int:  # noqa: ARG001 - the same for all
    """Minimum number of comparable dates for `trust`."""
    return MIN_COMPARABLE


def _summary(report: FixReport) -> FixSummary:
    """The result of all documents."""
    return FixSummary(len(report.documents), report.repaired, report.omitted, report.is_whole)


def _line(edit: Change | Omission) -> int | None:
    """Line in the original document; null if it has no line."""
    return edit.line or None


def _robots(report: RobotsReport) -> RobotsFile:
    """The robots.txt."""
    robots = report.robots
    return RobotsFile(
        target=report.name,
        http_status=report.status,
        availability=robots.availability,
        reason=report.reason,
        **robots.facts,
        groups=robots.groups,
        sitemaps=robots.sitemaps,
        extensions=robots.extensions,
        problems=robots.problems,
    )


def _covered(access: UrlAccess) -> bool:
    """Whether this robots.txt applies to the URL."""
    return access.verdicts is not None


def _verdicts(access: UrlAccess) -> list[AgentVerdict]:
    """The verdict for each crawler."""
    return [AgentVerdict(agent, verdict) for agent, verdict in (access.verdicts or {}).items()]


def _robots_of_page(page: PageExplanation) -> RobotsOfPage:
    """The robots.txt of its host."""
    verdicts = [AgentVerdict(agent, verdict) for agent, verdict in page.access.items()]
    return RobotsOfPage(page.robots.url, page.robots.availability, page.closed_to, verdicts)


def _page(page: PageExplanation) -> Annotated[dict[str, object], Columns("pages", OF_PAGE)]:
    """The response, by the columns of the table `pages`."""
    return {name: page.page.get(name) for name in OF_PAGE}


def _statuses(crawls: CrawlsOfPage) -> list[StatusHits]:
    """Number of requests by status code."""
    return [StatusHits(status, hits) for status, hits in crawls.statuses.items()]


def _opened_at(alarm: Alarm) -> DateTime:
    """When it was opened."""
    return alarm.opened_at.isoformat()


def _closed_at(alarm: Alarm) -> DateTime | None:
    """When it was closed; null while it is open."""
    return None if alarm.closed_at is None else alarm.closed_at.isoformat()


def _check(result: CheckResult) -> Annotated[Specification, Meta(extra_json_schema={"const": as_json(SPECIFICATION)})]:  # noqa: ARG001 - the same for all
    """Metadata of the check, from its specification."""
    return SPECIFICATION


def _origin(result: CheckResult) -> Annotated[str, Meta(pattern="^https?://[^/]+$")]:
    """Scheme, host, and port that were checked, without a trailing slash."""
    return result.origin


def _status(result: CheckResult) -> Literal["pass", "warn", "fail"]:
    """The status of the worst step."""
    status: Literal["pass", "warn", "fail"] = result.status.value  # type: ignore[assignment]
    return status


def _steps(result: CheckResult) -> Annotated[Sequence[StepResult], FIVE_STEPS]:
    """The five steps of the specification, in order."""
    return result.steps


def _candidates(result: CheckResult) -> list[CheckedCandidate]:
    """All URLs that were discovered or tried: first sitemaps, then others, each in the order of discovery."""
    return [CheckedCandidate(candidate, candidate.url == result.judged) for candidate in result.candidates]


def _found_by(checked: CheckedCandidate) -> Annotated[Sequence[Find], Meta(min_length=1)]:
    """All ways in which it was found, in the order of discovery."""
    return checked.candidate.finds


def _evidence(step: StepResult) -> Annotated[Sequence[Evidence], Meta(min_length=1)]:
    """Evidence for the status, worst first."""
    return step.evidence


def _rule(evidence: Evidence) -> Annotated[str, Meta(pattern="^[A-Z]{3}[0-9]{3}$")] | None:
    """Code of the rule that found it; null if it is not a finding."""
    return evidence.rule


def _elapsed_seconds(result: BuildResult) -> Annotated[float, Meta(ge=0)]:
    """Duration of the build."""
    return round(result.report.elapsed, 3)


def _diff(result: BuildResult) -> Annotated[dict[str, object], DIFF] | None:
    """The changes, as `urlset diff --format json` shows them; null without --diff, or if nothing was published yet."""
    comparison = result.checks.comparison
    return None if comparison is None else DIFF.content(comparison)


def _notified(result: BuildResult) -> Annotated[dict[str, object], NOTIFY] | None:
    """What --notify sent, as `urlset notify --format json` shows it; null without the option."""
    notified = result.report.notified
    return None if notified is None else NOTIFY.content(notified)


def _stable(site: SiteReport) -> StableLayout | None:
    """What happened to the parts and their URLs; null if the layout is not stable."""
    summary = site.summary
    if summary.stable is None or summary.part_counts is None:
        return None
    return StableLayout(summary.part_counts, summary.stable, summary.ledger_note or None)


def _digest(file: File) -> Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]:
    """XXH3 hash of the file, 128 bits in hexadecimal, to detect changes."""
    return file.digest


def _found_lastmod(dated: Lastmod | SourceDate) -> str | None:
    """The date, before it is truncated to a day; null if no date was found."""
    value = dated.value
    return value if value is None or isinstance(value, str) else value.isoformat()


FIVE_STEPS = Meta(
    min_length=len(STEPS),
    max_length=len(STEPS),
    extra_json_schema={
        "allOf": [
            {
                "prefixItems": [
                    {"properties": {"id": {"const": step.id.value}, "weight": {"const": step.weight}}} for step in STEPS
                ]
            }
        ]
    },
)
"""The order of the steps of a check."""


def _days(crawl: CrawlReport) -> float:
    """Length of this period as a number of days."""
    return round(crawl.overview.days, 3)


def _calendar(crawl: CrawlReport) -> dict[str, list[DayHits]]:
    """Requests on each day, by crawler, for the crawlers with the most requests."""
    return {agent: [DayHits(*day) for day in days] for agent, days in crawl.overview.calendar.items()}


def _crawl_notes(crawl: CrawlReport) -> Sequence[str]:
    """What the logs do not allow to say."""
    return crawl.report.notes


COUNTS = ("entries", "absent", "invalid", "true", "inflated", "frozen", "unknown")
"""The members of `DateCounts` that are fields."""

HOW_FOUND = ("found_by", "depth", "parent", "http_status", "error_kind", "assumed_from")
"""The members of every document."""

CONTENT = ("url", "kind", "entries", "bytes", "wire_bytes", "compression", "encoding", "complete")
"""The members of a document that was read, in every report."""

MEMBERS: Mapping[str, tuple[Member, ...]] = {
    "access_log.CrawlerHits": (
        "agent=agent.name", "operator=agent.operator", "purpose=agent.purpose", "verdict", "urls", "hits", "statuses",
        "sitemap_hits", "first_at", "last_at",
    ),
    "access_log.LogsResult": (
        "store", "first_at", "last_at", "crawlers", "sitemaps", "sitemaps_total", "logs", "unreadable", "skipped",
        "address_lists=lists", "is_checked", "unasked", "compared=crawl", "uncompared", "assumed_site",
    ),
    "audit.AgentAccess": (
        "agent=agent.name", "operator=agent.operator", "purpose=agent.purpose", "urls", "blocked", _sections,
    ),
    "audit.AuditResult": (
        "store", "run=run_id", "earlier_run", "report", "checks", "pages", _not_indexable, "images=media", "links",
        "agents", "inventory", _clients,
    ),
    "audit.Inventory": ("known", "column", "skipped", _unlisted, _unknown),
    "audit.LinkCounts": (
        "pages", "links", "skipped", "needs_script", "basis", "unlinked", "unlisted", "crawled", _depths, _uncrawled,
        "stopped_by",
    ),
    "audit.MediaCounts": ("selected", "fetched", "videos", "blocked", "stopped_by", "statuses"),
    "audit.PageCounts": (
        "listed", "selected", "fetched", "blocked", "stopped_by", "statuses", "private", "outside", "partial", _health,
        "not_indexable", "unknown", "reasons",
    ),
    "audit.Share": ("urls=part", "of=whole", "low", "high"),
    "build.File": (
        "name", "url", "kind", "group", "entries", "bytes", "file_bytes", _digest, "lastmod", "changed", "alternates",
        "images", "videos", "news", "label",
    ),
    "build.Lastmod": ("url", ("lastmod", _found_lastmod), "source", "sources"),
    "build.SiteReport": (
        "base_url", "out", "changed", "received=summary.received", "written=summary.written", "files=summary.files",
        "removed=summary.removed", "dated=summary.dated", "dates_from=dates", "left_out_in_total", "left_out",
        "left_out_examples=examples", "refused=summary.refused", "fields_left_out=summary.fields_left_out",
        "refused_examples=summary.examples", "published_before=summary.before", "shrinking",
        "unescaped=summary.unescaped", "deprecated_images=summary.deprecated", "feed=summary.feed", _stable, "notes",
        "robots",
    ),
    "build.SourceDate": ("source", ("lastmod", _found_lastmod), "reason"),
    "build_result.BuildResult": (
        "published=report.published", "changed=report.changed", "problems", "urls=report.written", _elapsed_seconds,
        "sites=report.sites", "index=report.index", "explained=report.explained", _diff, "links=checks.links",
        _notified,
    ),
    "check.CheckResult": (_check, _origin, _status, "score", _steps, _candidates),
    "check.Evidence": ("effect", "message", _rule, "count", "url", "line"),
    "check.StepResult": (
        "id=step.id", "title=step.title", "description=step.about", "weight=step.weight", "status", "score", _evidence,
    ),
    "coverage.CoverageResult": (
        "store", "run=run_id", "made_at", "funnel", ("summary", _coverage_summary), ("findings", _coverage_findings),
    ),
    "coverage.Funnel": (
        "engine", "engines", "crawlers", "reported_from=oldest", "reported_to=newest", _logs_from, _logs_to, _total,
        "by", "rows", "more_rows", ("reasons", _listed_reasons), "indexed_not_listed=unlisted", "left_out=elsewhere",
    ),
    "coverage.ImportResult": ("store", "reported_urls=urls", "files"),
    "coverage.ImportedFile": (
        "file=path", "kind", "engine", "urls", "states", "reason", "unknown_reasons", "skipped", "unread_dates", "at",
        "is_dated", "is_cut",
    ),
    "coverage.InspectResult": (
        "store", "property=site", "outcome", "reason", "next_at", "listed", "outside", "sample", "inspected", "failed",
        "asked", "used", "per_day", "indexed", _reasons, "notes",
    ),
    "crawl_report.CrawlReport": (
        "run=overview.run_id", "period=overview.period", _days, "is_verified=overview.is_verified",
        "crawlers=overview.crawlers", "more_crawlers=overview.more_crawlers", "sections=overview.sections",
        "more_sections=overview.more_sections", _calendar, ("notes", _crawl_notes), "report",
    ),
    "discovery.Candidate": (
        "url", "found_by=finds", "final_url", "http_status=status", "error_kind", "is_sitemap", "why_not", "kind",
        "entries", "bytes", "wire_bytes",
    ),
    "discovery.Discovery": (
        "written", "origin", "unreachable", "sitemaps=candidates", "tried", "robots", "home", "indexnow_keys=keys",
        "llms_txt=llms", "notes",
    ),
    "discovery.KeyHint": ("declared_by=way", "page", "line", "written", "key", "url"),
    "discovery.LlmsFile": (
        "url", "bytes=text.bytes", "title=text.title", "sections=text.sections", "links=text.links",
        "problems=text.faults",
    ),
    "discovery.VisitedPage": ("url", "http_status=status", "reason", "named"),
    "document.InspectReport": (
        _totals, ("documents", _inspected), ("unfetched", _uninspected), _cuts, "unreadable", "skipped",
    ),
    "finding.Example": ("line", "column", "url", "field", "value", "message"),
    "fix.Change": (_line, "before", "after"),
    "fix.FixReport": ("dry_run", _summary, "documents", "unreadable"),
    "fix.FixedDocument": (
        "target", "kind", "outcome", "reason", "entries", "files", "repairs", "omitted", "omissions", "diff",
    ),
    "fix.Omission": ("kind", "reason", _line, "text"),
    "lastmod.DateCounts": (*COUNTS, "comparable", "trust"),
    "lastmod.DateTrust": (
        "target", "store", "run=run_id", "earlier_run", "pages", _min_comparable, "total", "sitemaps", "crawlers",
        "missing", "unreadable",
    ),
    "lastmod.SitemapDates": (*COUNTS, "url", "rules", "comparable", "trust"),

    "monitoring.Alarm": (
        "id=alarm_id", "kind", "name", "severity", "title", "details", _opened_at, _closed_at, "closed_by",
    ),
    "monitoring.SiteRound": ("site", "opened", "closed", "still_open", "is_first", "notes", "problem"),
    "notification.NewKey": ("key", "file=path"),
    "notification.NotifyResult": (
        "outcome", "reason", "urls", "accepted", "accepted_before=already", "listed", "found", "not_sent", "altered",
        "hosts", "endpoints", "examples", "ledger",
    ),
    "notification.HostNotices": ("host", "urls", "accepted", "key_location"),
    "notification.EndpointUse": ("endpoint", "accepted", "statuses", "problem"),
    "page_explanation.CrawlsOfPage": ("agent", "verdict", "hits", "first_at", "last_at", _statuses),
    "page_explanation.PageExplanation": (
        "url", "verdict", "fix", "is_indexable", "reason", "value", "is_listed", "listings", "entries", "similar",
        "sitemaps", "unread", ("robots", _robots_of_page), _page, "canonical", "versions", "referring", "stored",
        "unknown", "notes",
    ),
    "page_list.PageVerdict": (
        "url", _is_indexable, _reason, "value", "document", "line", "column=col", "status",
    ),
    "reference.CacheState": ("folder", _action, "entries", "bytes"),
    "reference.ChangedRule": ("code=rule.code", "severity", "default=usual"),
    "reference.EffectiveConfiguration": ("file", "values=settings", "rules"),
    "reference.ListedRule": (
        "code=rule.code", "name=rule.name", "severity=rule.severity", "default_severity=usual", _scope,
        "lifecycle=rule.lifecycle", "since=rule.since", "fixable=rule.fixable", "check_effect=rule.check_effect",
        "message=rule.message", "fix=rule.fix", "sources=rule.sources",
    ),
    "reference.Setting": ("key", _value, "origin"),
    "report.Report": (
        _version, ("tool", tool_of), ("documents", read_documents), ("unfetched", unfetched_documents), "unreadable",
        "skipped", ("summary", finding_counts), _schema, ("findings", ranked_findings),
    ),
    "report.RuleCount": (
        "severity=rule.severity", "code=rule.code", "name=rule.name", "places", "documents", "fixable=rule.fixable",
    ),
    "robots.RobotsReport": (_robots, "agents", "urls", "listed=sitemaps"),
    "robots.UrlAccess": ("url", _covered, _verdicts),
    "run.RunRow": (
        "run=run_id", _started_at, _finished_at, "targets", _settings, "version", "documents", "urls", "pages",
        "errors", "warnings", "infos",
    ),
    "urlset.report.json_objects.AgentVerdict": (
        "agent", *(f"{name}=verdict.{name}" for name in ("allowed", "reason", "line", "pattern", "group")),
    ),
    "urlset.report.json_objects.AllListed": (
        *(f"{name}=row.{name}" for name in ("listed", "fetched", "indexable", "indexed")),
    ),
    "urlset.report.json_objects.CheckedCandidate": (
        "url=candidate.url", _found_by, "final_url=candidate.final_url", "http_status=candidate.status",
        *(
            f"{name}=candidate.{name}"
            for name in ("error_kind", "is_sitemap", "why_not", "kind", "entries", "bytes", "wire_bytes")
        ),
        "judged",
    ),
    "urlset.report.json_objects.StableLayout": (
        "parts",
        *(f"{name}=changes.{name}" for name in ("kept", "added", "removed", "regrouped", "outgrown", "merged")),
        "merges=changes.merges", "ledger_note",
    ),
    "urlset.report.json_objects.Anomaly": ("kind", "line", "column=col", "evidence", "count"),
    "urlset.report.json_objects.Cut": ("document", "line", "column=col", "kind", "url", "duplicate_of", "count"),
    "urlset.report.json_objects.DocumentVerdict": (
        "document", "status=verdict.status", "count=verdict.total", "messages=verdict.faults", "reason=verdict.reason",
    ),
    "urlset.report.json_objects.InspectedFile": (
        *(f"{name}=document.{name}" for name in CONTENT), _lastmod, _extensions, _children, _anomalies,
        *(f"{name}=document.{name}" for name in HOW_FOUND),
    ),
    "urlset.report.json_objects.ListedChild": ("loc", "lastmod", "line", "column=col"),
    "urlset.report.json_objects.RankedFinding": (
        "code=finding.rule.code", "name=finding.rule.name", "severity=finding.rule.severity", "rank=place.rank",
        "reason=place.reason", "because_of", "count=finding.count", "document", "message=finding.rule.message",
        "fix=finding.rule.fix", "examples=finding.examples",
    ),
    "urlset.report.json_objects.ReadDocument": (*CONTENT, "well_formed", "sha256", *HOW_FOUND),
    "urlset.report.json_objects.UnfetchedDocument": ("url", *HOW_FOUND, "reason=error"),
    "urlset.robots_content.ExtensionLine": (
        "line", "column", "key", "value", "group_line", "search", "ai_input", "ai_train", "content_use", "problem",
        "evidence", "about",
    ),
    "urlset.robots_content.Problem": ("kind", "line", "column", "evidence", "about"),
    **changes_json.MEMBERS,
}  # fmt: skip
"""The members of each class whose object is not the same as its fields."""

AGENTS: Output[Sequence[KnownAgent]] = Output(
    "robots --agents", "The known crawlers.", "urlset.agents.KnownAgent", "agents"
)
AUDIT: Output[AuditResult] = Output(
    "audit", "Findings, the listed pages in numbers, and crawler access.", "audit.AuditResult"
)
BUILD: Output[BuildResult] = Output(
    "build", "The built files, and what was left out and why.", "build_result.BuildResult"
)
CACHE: Output[CacheState] = Output("cache", "The size of the HTTP cache.", "reference.CacheState")
CHECK: OneOrMore[CheckResult] = OneOrMore(
    "check",
    f"The scored check `{SPECIFICATION.id}` {SPECIFICATION.version}: a result for a single origin, or an array of "
    "results for several origins or a file of origins.",
    "check.CheckResult",
)
CLIENTS: Output[ClientCheck] = Output(
    "check --clients", "What an address answers to crawlers, and what stops them.", "client_check.ClientCheck"
)
CONFIG: Output[EffectiveConfiguration] = Output(
    "config", "The effective configuration.", "reference.EffectiveConfiguration"
)
COVERAGE: Output[CoverageResult] = Output(
    "coverage",
    "How many listed URLs are fetched by crawlers, indexable, and indexed, and the findings of the rules on coverage.",
    "coverage.CoverageResult",
)
DATES: Output[DateTrust] = Output("lastmod", "How many dates of each sitemap are true.", "lastmod.DateTrust")
DIFF: Output[Comparison] = Output("diff", "Changes between two sides.", "comparison.Comparison")
DISCOVERY: Output[Sequence[Discovery]] = Output(
    "discover", "The sitemaps of sites, and how each was found.", "discovery.Discovery", "origins"
)
FIX: Output[FixReport] = Output("fix", "What was repaired, and what was left out.", "fix.FixReport")
HISTORY: Output[Sequence[RunRow]] = Output("history", "The runs of a store, oldest first.", "run.RunRow", "runs")
IMPORT: Output[ImportResult] = Output(
    "coverage import", "What each imported file was, and what could not be used.", "coverage.ImportResult"
)
INSPECTION: Output[InspectResult] = Output(
    "coverage inspect", "The share of indexed URLs in a sample, and the reasons.", "coverage.InspectResult"
)
INSPECT: Output[InspectReport] = Output(
    "inspect", "Facts about each document, without running rules.", "document.InspectReport"
)
KEY: Output[NewKey] = Output("notify key", "The key for IndexNow, and its file.", "notification.NewKey")
LOGS: Output[LogsResult] = Output("logs", "What crawlers requested according to access logs.", "access_log.LogsResult")
MONITOR: Output[MonitorResult] = Output(
    "monitor", "What is new on the sites that were due.", "monitoring.MonitorResult"
)
NOTIFY: Output[NotifyResult] = Output(
    "notify", "What changed, what was sent with IndexNow, and what was not.", "notification.NotifyResult"
)
PAGE: Output[PageExplanation] = Output(
    "audit page", "What is known about one page.", "page_explanation.PageExplanation"
)
POLICY: Output[PolicyReport] = Output(
    "robots --policy", "What a site declares to crawlers, and what it answers to them.", "policy.PolicyReport"
)
REPORTED: Output[ReportedSitemaps] = Output(
    "coverage sitemaps", "What search engines say about submitted sitemaps.", "reported.ReportedSitemaps"
)
ROBOTS: Output[RobotsReport] = Output(
    "robots", "What robots.txt says, and the verdict for each tested URL and crawler.", "robots.RobotsReport"
)
SIGNING_KEY: Output[NewSigningKey] = Output(
    "key new", "The key that was made, without its private part.", "signing.NewSigningKey"
)
RULES: Output[Sequence[ListedRule]] = Output("rules", "The rules.", "reference.ListedRule", "rules")
STATISTICS: Output[Report] = Output(
    "validate --statistics",
    "Counts per rule.",
    "report.Report",
    name="statistics",
    members=(("tool", tool_of), "unreadable", ("summary", finding_counts), "statistics"),
)
VALIDATE: Output[Report] = Output("validate", "The documents that were read, and their findings.", "report.Report")

OUTPUTS: Mapping[str, Output[Any]] = {
    output.name or output.command.replace("--", ""): output
    for output in (
        AGENTS,
        AUDIT,
        BUILD,
        CACHE,
        CHECK,
        CLIENTS,
        CONFIG,
        COVERAGE,
        DATES,
        DIFF,
        DISCOVERY,
        FIX,
        HISTORY,
        IMPORT,
        INSPECT,
        INSPECTION,
        KEY,
        LOGS,
        MONITOR,
        NOTIFY,
        PAGE,
        POLICY,
        REPORTED,
        ROBOTS,
        RULES,
        SIGNING_KEY,
        STATISTICS,
        VALIDATE,
    )
}
"""Every output, by the name of its schema."""
