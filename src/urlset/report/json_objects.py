"""Results as JSON objects: the members of each class, in order. `json_schema` makes the schemas of the same objects."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from datetime import UTC, date, datetime
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, Any, Generic, Literal, TypeVar

from msgspec import Meta, Struct

from urlset.model.lastmod import MIN_COMPARABLE
from urlset.model.specification import SPECIFICATION, STEPS
from urlset.report import changes_json
from urlset.report.json import VERSION, findings_as_json, links_as_json, report_as_json, summary_as_json
from urlset.report.rows import plain_value
from urlset.report.style import Style
from urlset.report.words import setting_value
from urlset.safe import json_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.agents import KnownAgent
    from urlset.model.access_log import LogsResult
    from urlset.model.build import File, Lastmod, SiteReport, SourceDate
    from urlset.model.build_result import BuildResult
    from urlset.model.check import CheckResult, Evidence, StepResult
    from urlset.model.client_check import ClientCheck
    from urlset.model.comparison import Comparison
    from urlset.model.coverage import CoverageResult, Funnel, FunnelRow, ImportResult, InspectResult
    from urlset.model.crawl_report import CrawlReport
    from urlset.model.discovery import Candidate, Discovery, Find
    from urlset.model.fix import Change, FixReport, Omission
    from urlset.model.lastmod import DateTrust
    from urlset.model.link_check import LinkCheck
    from urlset.model.monitoring import Alarm, MonitorResult
    from urlset.model.notification import NewKey, NotifyResult
    from urlset.model.page_explanation import CrawlsOfPage, PageExplanation
    from urlset.model.policy import PolicyReport
    from urlset.model.reference import CacheState, EffectiveConfiguration, ListedRule, Setting
    from urlset.model.reported import ReportedSitemaps
    from urlset.model.robots import RobotsReport, UrlAccess
    from urlset.model.run import RunRow
    from urlset.model.signing import NewSigningKey
    from urlset.model.specification import Specification
    from urlset.model.stable import PartCounts, StableChanges
    from urlset.robots import Availability, Verdict
    from urlset.robots_content import ExtensionLine, Group, Problem, SitemapLine

M = TypeVar("M")

Function = Callable[[Any], object]

Member = str | Function | tuple[str, Function]
"""A member of an object: an attribute; `name=attribute` if its name differs; or a function `_name`, whose return type
and docstring describe it; or a name and a function."""

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


def in_validate(path: str) -> Meta:
    """Annotates what has the form of a part of the JSON of `validate`, by its path in the schema."""
    return Meta(extra_json_schema={"$ref": f"urn:urlset:schema:validate:{VERSION}{path}"})


@dataclass(frozen=True, slots=True)
class Output(Generic[M]):
    """JSON that a command writes. The method `json` is a renderer.

    Attributes:
        command: The command, with the option that asks for it.
        about: What it has, as a sentence.
        of: The class of the result, as in `MEMBERS`.
        listed: The member with the results, if there are several.
    """

    command: str
    about: str
    of: str
    listed: str = ""

    def json(self, result: M, style: Style = Style()) -> Iterator[str]:
        yield json_text(self.content(result), ascii_only=style.ascii_only)

    def content(self, result: M) -> dict[str, object]:
        value = as_json(result)
        return {"version": VERSION, **({self.listed: value} if self.listed else value)}


@dataclass(frozen=True, slots=True)
class OneOrMore(Output[Sequence[M]]):
    """JSON of a single result, or an array if there may be several, without a version of its own."""

    def json(self, result: Sequence[M], style: Style = Style()) -> Iterator[str]:
        values = as_json(result)
        yield json_text(values if style.several else values[0], ascii_only=style.ascii_only)


def as_json(value: object) -> Any:
    """Return a result, or any part of one, as values that `json` can write."""
    if isinstance(value, Struct) or (is_dataclass(value) and not isinstance(value, type)):
        return {name: as_json(get(value)) for name, get in _getters(type(value))}
    if isinstance(value, Mapping):
        return {str(key): as_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
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


def _getters(cls: type) -> list[tuple[str, Callable[[object], object]]]:
    if (getters := _KNOWN.get(cls)) is None:
        pairs = map(named, members_of(cls))
        getters = _KNOWN[cls] = [(name, attrgetter(of) if isinstance(of, str) else of) for name, of in pairs]
    return getters


_KNOWN: dict[type, list[tuple[str, Callable[[object], object]]]] = {}


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


def _coverage_summary(result: CoverageResult) -> Annotated[dict[str, int], in_validate("#/properties/summary")]:
    """The findings in numbers, as in the report of `urlset validate`."""
    return summary_as_json(result.report)


def _coverage_findings(
    result: CoverageResult,
) -> list[Annotated[dict[str, object], in_validate("#/$defs/finding")]]:
    """The findings, as in the report of `urlset validate`."""
    return [*findings_as_json(result.report)]


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


def _report_on_links(check: LinkCheck) -> dict[str, object]:
    """The findings on links, as `urlset validate --format json` shows them."""
    return report_as_json(check.report)


def _counts_of_links(check: LinkCheck) -> dict[str, object]:
    """The links in numbers, as `links` of `urlset audit --format json` shows them."""
    return links_as_json(check.counts)


def _stable(site: SiteReport) -> StableLayout | None:
    """What happened to the parts and their URLs; null if the layout is not stable."""
    summary = site.summary
    if summary.stable is None or summary.part_counts is None:
        return None
    return StableLayout(summary.part_counts, summary.stable, summary.ledger_note or None)


def _digest(file: File) -> Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]:
    """XXH3 hash of the file, 128 bits in hexadecimal, to detect changes."""
    return file.digest


def _lastmod(dated: Lastmod | SourceDate) -> str | None:
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


def _documents_of_run(crawl: CrawlReport) -> Annotated[dict[str, object], in_validate("")]:
    """Documents and findings, in the form of `urlset validate`."""
    return report_as_json(crawl.report)


COUNTS = ("entries", "absent", "invalid", "true", "inflated", "frozen", "unknown")
"""The members of `DateCounts` that are fields."""

MEMBERS: Mapping[str, tuple[Member, ...]] = {
    "access_log.CrawlerHits": (
        "agent=agent.name", "operator=agent.operator", "purpose=agent.purpose", "verdict", "urls", "hits", "statuses",
        "sitemap_hits", "first_at", "last_at",
    ),
    "access_log.LogsResult": (
        "store", "first_at", "last_at", "crawlers", "sitemaps", "sitemaps_total", "logs", "unreadable", "skipped",
        "address_lists=lists", "is_checked", "unasked", "compared=crawl", "uncompared", "assumed_site",
    ),
    "audit.Share": ("urls=part", "of=whole", "low", "high"),
    "build.File": (
        "name", "url", "kind", "group", "entries", "bytes", "file_bytes", _digest, "lastmod", "changed", "alternates",
        "images", "videos", "news", "label",
    ),
    "build.Lastmod": ("url", _lastmod, "source", "sources"),
    "build.SiteReport": (
        "base_url", "out", "changed", "received=summary.received", "written=summary.written", "files=summary.files",
        "removed=summary.removed", "dated=summary.dated", "dates_from=dates", "left_out_in_total", "left_out",
        "left_out_examples=examples", "refused=summary.refused", "fields_left_out=summary.fields_left_out",
        "refused_examples=summary.examples", "published_before=summary.before", "shrinking",
        "unescaped=summary.unescaped", "deprecated_images=summary.deprecated", "feed=summary.feed", _stable, "notes",
        "robots",
    ),
    "build.SourceDate": ("source", _lastmod, "reason"),
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
        "more_sections=overview.more_sections", _calendar, ("notes", _crawl_notes), ("report", _documents_of_run),
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
    "link_check.LinkCheck": (("report", _report_on_links), ("counts", _counts_of_links), "unread"),
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
    "reference.CacheState": ("folder", _action, "entries", "bytes"),
    "reference.ChangedRule": ("code=rule.code", "severity", "default=usual"),
    "reference.EffectiveConfiguration": ("file", "values=settings", "rules"),
    "reference.ListedRule": (
        "code=rule.code", "name=rule.name", "severity=rule.severity", "default_severity=usual", _scope,
        "lifecycle=rule.lifecycle", "since=rule.since", "fixable=rule.fixable", "check_effect=rule.check_effect",
        "message=rule.message", "fix=rule.fix", "sources=rule.sources",
    ),
    "reference.Setting": ("key", _value, "origin"),
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

OUTPUTS: Mapping[str, Output[Any]] = {
    output.command.replace("--", ""): output
    for output in (
        AGENTS,
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
    )
}
"""Every output, by the name of its schema."""
