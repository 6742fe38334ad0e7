"""Results as JSON objects: the members of each class, in order. `json_schema` makes the schemas of the same objects."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from datetime import UTC, date, datetime
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, Any, Generic, Literal, TypeVar

from msgspec import Meta, Struct

from urlset.model.lastmod import MIN_COMPARABLE
from urlset.report import changes_json
from urlset.report.json import VERSION, findings_as_json, report_as_json, summary_as_json
from urlset.report.rows import plain_value
from urlset.report.style import Style
from urlset.report.words import setting_value
from urlset.safe import json_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from urlset.agents import KnownAgent
    from urlset.model.access_log import LogsResult
    from urlset.model.client_check import ClientCheck
    from urlset.model.comparison import Comparison
    from urlset.model.coverage import CoverageResult, Funnel, FunnelRow, ImportResult, InspectResult
    from urlset.model.crawl_report import CrawlReport
    from urlset.model.discovery import Discovery
    from urlset.model.fix import Change, FixReport, Omission
    from urlset.model.lastmod import DateTrust
    from urlset.model.notification import NewKey, NotifyResult
    from urlset.model.page_explanation import CrawlsOfPage, PageExplanation
    from urlset.model.policy import PolicyReport
    from urlset.model.reference import CacheState, EffectiveConfiguration, ListedRule, Setting
    from urlset.model.reported import ReportedSitemaps
    from urlset.model.robots import RobotsReport, UrlAccess
    from urlset.model.run import RunRow
    from urlset.model.signing import NewSigningKey
    from urlset.robots import Availability, Verdict
    from urlset.robots_content import ExtensionLine, Group, Problem, SitemapLine

M = TypeVar("M")

Function = Callable[[Any], object]

Member = str | Function | tuple[str, Function]
"""A member of an object: an attribute; `name=attribute` if its name differs; or a function `_name`, whose return type
and docstring describe it; or a name and a function."""

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
class StatusHits:
    """The requests with a status code.

    Attributes:
        status: The status code.
        hits: Number of requests.
    """

    status: int
    hits: int


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
CACHE: Output[CacheState] = Output("cache", "The size of the HTTP cache.", "reference.CacheState")
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
        CACHE,
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
