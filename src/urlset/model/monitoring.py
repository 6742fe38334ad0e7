"""Values of `urlset monitor`: what a round observes of a site, the alarms that it opens and closes, and its state."""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003 - the state is read from the store by these types
from dataclasses import dataclass, field
from datetime import datetime  # noqa: TC003 - see above
from enum import StrEnum

from urlset.model.result import JsonValues, with_short_repr
from urlset.rules.rule import Severity  # noqa: TC001 - see above


class AlarmKind(StrEnum):
    """What an alarm is about."""

    UNREADABLE = "unreadable"
    """Sitemaps, or the whole site, do not answer."""
    ROBOTS = "robots"
    """robots.txt has another meaning."""
    PAGES = "pages"
    """Pages stopped being indexable."""
    REMOVED = "removed"
    """More URLs disappeared than is usual for the site."""
    FROZEN = "frozen"
    """The newest lastmod is older than is usual for the site."""
    FINDING = "finding"
    """Documents break a rule that they did not break before."""
    PLACES = "places"
    """A rule is broken in more places than is usual for the site."""
    CHECK = "check"
    """A step of the scored check fails."""
    CLIENTS = "clients"
    """Something stops crawlers from reading the sitemap."""


class ClosedBy(StrEnum):
    """Why an alarm was closed."""

    FIXED = "fixed"
    """What it is about is over."""
    USUAL = "usual"
    """It lasted for so many rounds that it now counts as normal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """A problem of a site that a round observes.

    Attributes:
        title: What is wrong, in one line.
        severity: Its severity.
        members: What has the problem: documents, URLs, or the site, each with a detail.
        urls: URLs of examples, to tell whether another alarm has the same cause.
        count: Number of places or pages, which can be more than the members.
        is_robots: Whether robots.txt decides it.
    """

    title: str
    severity: Severity
    members: Mapping[str, str]
    urls: frozenset[str] = frozenset()
    count: int = 0
    is_robots: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RobotsMeaning:
    """What a robots.txt means, whatever its comments and the order of its lines.

    Attributes:
        rules: The rules of each crawler that is named, sorted; also those lines of extensions that apply to it.
        closed: The crawlers that may not fetch the home page.
        problem: Why it cannot be read, so that nothing may be fetched; None if it was read or does not exist.
    """

    rules: Mapping[str, tuple[str, ...]]
    closed: tuple[str, ...] = ()
    problem: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """What a round observes of a site.

    Attributes:
        at: When the round began, UTC.
        is_complete: Whether it ended without reaching a limit. Later rounds are not compared with one that did not.
        problems: Findings, failed steps, and what stops crawlers, by kind and name: a rule code, a step, a cause.
        rules: Codes of the rules that ran.
        documents: URLs of the documents that were read.
        unreadable: Documents, or the site, that could not be read, each with the reason.
        turned: Pages that were indexable in the round before and are not, by reason.
        recovered: Pages of open alarms that are indexable again or not listed any more.
        unchecked: Findings of earlier rounds that this one did not check everywhere: the number of places, by rule
            and document.
        listed: Number of distinct listed URLs; None if not every document was read.
        removed: Number of URLs that are missing in the second round in a row; None if that is unknown.
        removed_urls: Some of them.
        newest: The newest lastmod that is not in the future; None if there is none.
        robots: What robots.txt means; None if it was not requested.
    """

    at: datetime
    is_complete: bool = True
    problems: Mapping[AlarmKind, Mapping[str, Observed]] = field(default_factory=dict)
    rules: frozenset[str] = frozenset()
    documents: frozenset[str] = frozenset()
    unreadable: Mapping[str, str] = field(default_factory=dict)
    turned: Mapping[str, Observed] = field(default_factory=dict)
    recovered: frozenset[str] = frozenset()
    unchecked: Mapping[tuple[str, str], int] = field(default_factory=dict)
    listed: int | None = None
    removed: int | None = None
    removed_urls: tuple[str, ...] = ()
    newest: datetime | None = None
    robots: RobotsMeaning | None = None


def problem_key(kind: AlarmKind, name: str, member: str) -> str:
    """Return the key of a problem of a document, a URL, or a site."""
    return f"{kind.value} {name} {member}"


@with_short_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class Alarm(JsonValues):
    """Something new that is wrong with a site.

    Attributes:
        alarm_id: Its number in the store; 0 until it is stored.
        site: The site, as the file names it.
        kind: What it is about.
        name: What distinguishes it within its kind: a rule code, a reason, a step.
        severity: Its severity.
        title: What is wrong, in one line.
        details: More lines: examples, numbers, and the usual value.
        members: What has the problem, at most 1,000.
        covered: Problems with the same cause, which have no alarm of their own while this one is open.
        limit: The largest usual value, for alarms about a number.
        before: The value before, for alarms about URLs that disappeared.
        rounds: Number of complete rounds since it was opened.
        opened_at: When, UTC.
        closed_at: When, UTC; None while it is open.
        closed_by: fixed if the problem is over, usual if it lasted so long that it is taken as usual; None while it is
            open.
    """

    alarm_id: int = 0
    site: str
    kind: AlarmKind
    name: str
    severity: Severity
    title: str
    details: tuple[str, ...] = ()
    members: tuple[str, ...] = ()
    covered: tuple[str, ...] = ()
    limit: float | None = None
    before: float | None = None
    rounds: int = 0
    opened_at: datetime
    closed_at: datetime | None = None
    closed_by: ClosedBy | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteState:
    """What is remembered of a site between rounds.

    Attributes:
        rounds: Number of complete rounds.
        history: Values of each number that is compared with its history, oldest first, without unusual ones.
        known: Problems that are not new: those of the first round, and those that became usual.
        rules: Codes of the rules that ran in the last complete round.
        documents: The documents of the last complete round.
        robots: What robots.txt usually means.
        newest: The newest lastmod of the last complete round.
        page_run: The run whose pages the next round is compared with.
        finding_run: The run whose findings the next round is compared with.
        unchecked_since: For each problem whose places were not checked since, the last run that has it.
        url_runs: The last two runs in which every document was read, for URLs that disappear.
        url_times: When these runs began.
    """

    rounds: int = 0
    history: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    known: frozenset[str] = frozenset()
    rules: frozenset[str] = frozenset()
    documents: frozenset[str] = frozenset()
    robots: RobotsMeaning | None = None
    newest: datetime | None = None
    page_run: int | None = None
    finding_run: int | None = None
    unchecked_since: Mapping[str, int] = field(default_factory=dict)
    url_runs: tuple[int, ...] = ()
    url_times: tuple[datetime, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundFacts:
    """A round in numbers.

    Attributes:
        seconds: How long it took.
        listed: Number of distinct listed URLs; None if not every document was read.
        documents: Number of documents read.
        unreadable: Number of documents that could not be read.
        findings: Number of findings by severity.
        pages: Number of pages requested; None if they were not.
        indexable: Number of them that are indexable.
        open: Number of open alarms by kind, after the round.
    """

    seconds: float = 0.0
    listed: int | None = None
    documents: int = 0
    unreadable: int = 0
    findings: Mapping[str, int] = field(default_factory=dict)
    pages: int | None = None
    indexable: int | None = None
    open: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Delivery:
    """A message to a sink that is not sent yet.

    Attributes:
        delivery_id: Its number in the store; 0 until it is stored.
        sink: The sink.
        content: The message, as JSON.
        tries: Number of failed attempts.
        problem: Why the last one failed.
    """

    delivery_id: int
    sink: str
    content: str
    tries: int = 0
    problem: str | None = None


@with_short_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class SiteRound:
    """What a round found out about a site.

    Attributes:
        site: The site, as the file names it.
        opened: Alarms that were opened.
        closed: Alarms that were closed.
        still_open: Alarms that were open before and still are.
        is_first: Whether it is the first complete round, with which later ones are compared.
        known: Number of problems that the first round takes as known.
        notes: What else you should know, such as why a round is not complete.
        problem: Why the site could not be checked, because of an internal error; None if it was.
    """

    site: str
    opened: tuple[Alarm, ...] = ()
    closed: tuple[Alarm, ...] = ()
    still_open: tuple[Alarm, ...] = ()
    is_first: bool = False
    known: int = 0
    notes: tuple[str, ...] = ()
    problem: str | None = None


@with_short_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class MonitorResult:
    """Result of `urlset monitor`.

    Attributes:
        sites: The sites that were due.
        not_due: Number of sites that were not due.
        undelivered: Why messages could not be sent, by webhook or service. They are sent in the next round.
    """

    sites: tuple[SiteRound, ...]
    not_due: int = 0
    undelivered: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What a round changes.

    Attributes:
        opened: Alarms to open.
        closed: Alarms that were open and are closed.
        still_open: Alarms that stay open.
        state: The state for the next round.
    """

    opened: tuple[Alarm, ...]
    closed: tuple[Alarm, ...]
    still_open: tuple[Alarm, ...]
    state: SiteState
