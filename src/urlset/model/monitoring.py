"""Values of `urlset monitor`: what a round observes of a site, the alarms that it opens and closes, and its state."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Annotated

from msgspec import Struct, field

from urlset.model.fields import NOT_IN_JSON, DateTimeText, NonNegativeInt, about, computed
from urlset.model.result import JsonValues, with_short_repr
from urlset.rules.rule import Severity


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
    DEINDEXED = "deindexed"
    """A search engine no longer has listed pages in its index."""
    NOT_CRAWLED = "not-crawled"
    """A crawler no longer requests listed pages, but others of the site."""


class ClosedBy(StrEnum):
    """Why an alarm was closed."""

    FIXED = "fixed"
    """What it is about is over."""
    USUAL = "usual"
    """It lasted for so many rounds that it now counts as normal."""

    @property
    def words(self) -> str:
        """What became of the alarm, to precede its title."""
        return "over" if self is ClosedBy.FIXED else "now usual"


class Observed(Struct, frozen=True, kw_only=True):
    """A problem of a site that a round observes."""

    title: Annotated[str, about("What is wrong, in one line.")]
    severity: Annotated[Severity, about("Its severity.")]
    members: Annotated[
        Mapping[str, str], about("What has the problem: documents, URLs, or the site, each with a detail.")
    ]
    urls: Annotated[frozenset[str], about("URLs of examples, to tell whether another alarm has the same cause.")] = (
        frozenset()
    )
    count: Annotated[NonNegativeInt, about("Number of places or pages, which can be more than the members.")] = 0
    before: Annotated[float | None, about("Of pages that are not crawled, the time of their last request.")] = None
    is_robots: Annotated[bool, about("Whether robots.txt decides it.")] = False
    timelines: Annotated[Mapping[str, tuple[str, ...]], about("What happened to some of the members, a line each.")] = (
        field(default_factory=dict)
    )


class RobotsMeaning(Struct, frozen=True, kw_only=True):
    """What a robots.txt means, whatever its comments and the order of its lines."""

    rules: Annotated[
        Mapping[str, tuple[str, ...]],
        about("The rules of each crawler that is named, sorted; also those lines of extensions that apply to it."),
    ]
    closed: Annotated[tuple[str, ...], about("The crawlers that may not fetch the home page.")] = ()
    problem: Annotated[
        str | None,
        about("Why it cannot be read, so that nothing may be fetched; None if it was read or does not exist."),
    ] = None


class Observation(Struct, frozen=True, kw_only=True):
    """What a round observes of a site."""

    at: Annotated[datetime, about("When the round began, UTC.")]
    is_complete: Annotated[
        bool, about("Whether it ended without reaching a limit. Later rounds are not compared with one that did not.")
    ] = True
    problems: Annotated[
        Mapping[AlarmKind, Mapping[str, Observed]],
        about("Findings, failed steps, and what stops crawlers, by kind and name: a rule code, a step, a cause."),
    ] = field(default_factory=dict)
    rules: Annotated[frozenset[str], about("Codes of the rules that ran.")] = frozenset()
    documents: Annotated[frozenset[str], about("URLs of the documents that were read.")] = frozenset()
    unreadable: Annotated[
        Mapping[str, str], about("Documents, or the site, that could not be read, each with the reason.")
    ] = field(default_factory=dict)
    turned: Annotated[
        Mapping[str, Observed], about("Pages that were indexable in the round before and are not, by reason.")
    ] = field(default_factory=dict)
    recovered: Annotated[
        frozenset[str], about("Pages of open alarms that are indexable again or no longer listed.")
    ] = frozenset()
    returned: Annotated[
        Mapping[tuple[AlarmKind, str], frozenset[str]],
        about("Pages of open alarms that are indexed or crawled again, or no longer listed, by kind and name."),
    ] = field(default_factory=dict)
    unchecked: Annotated[
        Mapping[tuple[str, str], int],
        about(
            "Findings of earlier rounds that this one did not check everywhere: the number of places, by rule and "
            "document."
        ),
    ] = field(default_factory=dict)
    listed: Annotated[
        NonNegativeInt | None, about("Number of distinct listed URLs; None if not every document was read.")
    ] = None
    removed: Annotated[
        NonNegativeInt | None,
        about("Number of URLs that are missing in the second round in a row; None if that is unknown."),
    ] = None
    removed_urls: Annotated[tuple[str, ...], about("Some of them.")] = ()
    newest: Annotated[
        datetime | None, about("The newest lastmod that is not in the future; None if there is none.")
    ] = None
    robots: Annotated[RobotsMeaning | None, about("What robots.txt means; None if it was not requested.")] = None


def problem_key(kind: AlarmKind, name: str, member: str) -> str:
    """Return the key of a problem of a document, a URL, or a site."""
    return f"{kind.value} {name} {member}"


@with_short_repr
class Alarm(Struct, JsonValues, frozen=True, kw_only=True):
    """Something new that is wrong with a site."""

    alarm_id: Annotated[int, about("Its number in the store; 0 until it is stored.")] = field(default=0, name="id")
    site: Annotated[str, NOT_IN_JSON, about("The site, as the file names it.")]
    kind: Annotated[AlarmKind, about("What it is about.")]
    name: Annotated[str, about("What distinguishes it within its kind: a rule code, a reason, a step.")]
    severity: Annotated[Severity, about("Its severity.")]
    title: Annotated[str, about("What is wrong, in one line.")]
    details: Annotated[tuple[str, ...], about("More lines: examples, numbers, and the usual value.")] = ()
    members: Annotated[tuple[str, ...], NOT_IN_JSON, about("What has the problem, at most 1,000.")] = ()
    covered: Annotated[
        tuple[str, ...],
        NOT_IN_JSON,
        about("Problems with the same cause, which have no alarm of their own while this one is open."),
    ] = ()
    limit: Annotated[float | None, NOT_IN_JSON, about("The largest usual value, for alarms about a number.")] = None
    before: Annotated[
        float | None,
        NOT_IN_JSON,
        about("The value before, or the last time, for alarms about what disappeared, or does not happen any more."),
    ] = None
    rounds: Annotated[NonNegativeInt, NOT_IN_JSON, about("Number of complete rounds since it was opened.")] = 0
    opened_at: Annotated[datetime, about("When, UTC.")]
    closed_at: Annotated[datetime | None, about("When, UTC; None while it is open.")] = None
    closed_by: Annotated[
        ClosedBy | None,
        about(
            "fixed if the problem is over, usual if it lasted so long that it is taken as usual; None while it is open."
        ),
    ] = None

    @property
    @computed("opened_at")
    def opening_time(self) -> DateTimeText:
        """When it was opened."""
        return self.opened_at.isoformat()

    @property
    @computed("closed_at")
    def closing_time(self) -> DateTimeText | None:
        """When it was closed; None while it is open."""
        return None if self.closed_at is None else self.closed_at.isoformat()


class SiteState(Struct, frozen=True, kw_only=True):
    """What is remembered of a site between rounds."""

    rounds: Annotated[NonNegativeInt, about("Number of complete rounds.")] = 0
    history: Annotated[
        Mapping[str, tuple[float, ...]],
        about("Values of each number that is compared with its history, oldest first, without unusual ones."),
    ] = field(default_factory=dict)
    known: Annotated[
        frozenset[str], about("Problems that are not new: those of the first round, and those that became usual.")
    ] = frozenset()
    rules: Annotated[frozenset[str], about("Codes of the rules that ran in the last complete round.")] = frozenset()
    documents: Annotated[frozenset[str], about("The documents of the last complete round.")] = frozenset()
    robots: Annotated[RobotsMeaning | None, about("What robots.txt usually means.")] = None
    newest: Annotated[datetime | None, about("The newest lastmod of the last complete round.")] = None
    page_run: Annotated[int | None, about("The run whose pages the next round is compared with.")] = None
    finding_run: Annotated[int | None, about("The run whose findings the next round is compared with.")] = None
    unchecked_since: Annotated[
        Mapping[str, int], about("For each problem whose places were not checked since, the last run that has it.")
    ] = field(default_factory=dict)
    url_runs: Annotated[
        tuple[int, ...], about("The last two runs in which every document was read, for URLs that disappear.")
    ] = ()
    url_times: Annotated[tuple[datetime, ...], about("When these runs began.")] = ()


class RoundFacts(Struct, frozen=True, kw_only=True):
    """A round in numbers."""

    seconds: Annotated[float, about("How long it took.")] = 0.0
    listed: Annotated[
        NonNegativeInt | None, about("Number of distinct listed URLs; None if not every document was read.")
    ] = None
    documents: Annotated[NonNegativeInt, about("Number of documents read.")] = 0
    unreadable: Annotated[NonNegativeInt, about("Number of documents that could not be read.")] = 0
    findings: Annotated[Mapping[str, NonNegativeInt], about("Number of findings by severity.")] = field(
        default_factory=dict
    )
    pages: Annotated[NonNegativeInt | None, about("Number of pages requested; None if they were not.")] = None
    indexable: Annotated[NonNegativeInt | None, about("Number of them that are indexable.")] = None
    open: Annotated[Mapping[str, NonNegativeInt], about("Number of open alarms by kind, after the round.")] = field(
        default_factory=dict
    )


class StoredRound(Struct, frozen=True, kw_only=True):
    """A round in a store."""

    at: Annotated[datetime, about("When it began, UTC.")]
    run_id: Annotated[int | None, about("Its run; None if nothing could be read.")]
    is_complete: Annotated[bool, about("Whether it ended without reaching a limit.")]
    facts: Annotated[RoundFacts, about("Its numbers.")]
    opened: Annotated[NonNegativeInt, about("Number of alarms that it opened.")] = 0
    closed: Annotated[NonNegativeInt, about("Number of alarms that it closed.")] = 0


class WaitingMessages(Struct, frozen=True):
    """The messages that a sink has not taken yet."""

    sink: Annotated[str, about("The sink.")]
    messages: Annotated[NonNegativeInt, about("Their number.")]
    since: Annotated[datetime, about("When the oldest one was made, UTC.")]
    problem: Annotated[str | None, about("Why the last attempt failed.")]


class AlarmInMessage(Struct, frozen=True):
    """The fields of an alarm from which text is made; the message has the JSON of the whole alarm."""

    severity: Annotated[Severity, about("Its severity.")]
    title: Annotated[str, about("What is wrong, in one line.")]
    details: Annotated[tuple[str, ...], about("More lines.")]
    closed_by: Annotated[ClosedBy | None, about("Why it was closed; None while it is open.")]


class Message(Struct, frozen=True):
    """The content of a message to a sink."""

    site: Annotated[str, about("The site, as the file names it.")]
    at: Annotated[str, about("When the round began.")]
    opened: Annotated[tuple[AlarmInMessage, ...], about("Alarms that were opened.")]
    closed: Annotated[tuple[AlarmInMessage, ...], about("Alarms that were closed.")]
    still_open: Annotated[tuple[AlarmInMessage, ...], about("Alarms that were open before and still are.")] = ()


class Delivery(Struct, frozen=True):
    """A message to a sink that is not sent yet."""

    delivery_id: Annotated[int, about("Its number in the store; 0 until it is stored.")]
    sink: Annotated[str, about("The sink.")]
    content: Annotated[str, about("The message, as JSON.")]
    tries: Annotated[NonNegativeInt, about("Number of failed attempts.")] = 0
    problem: Annotated[str | None, about("Why the last one failed.")] = None


class Sent(Struct, frozen=True, kw_only=True):
    """What became of messages that a sink was asked to take together."""

    deliveries: Annotated[tuple[Delivery, ...], about("The messages.")]
    problem: Annotated[str | None, about("Why they were not taken; None if they were.")] = None
    is_refused: Annotated[bool, about("Whether they will never be taken, so that they are not sent again.")] = False


@with_short_repr
class SiteRound(Struct, frozen=True, kw_only=True):
    """What a round found out about a site."""

    site: Annotated[str, about("The site, as the file names it.")]
    opened: Annotated[tuple[Alarm, ...], about("Alarms that were opened.")] = ()
    closed: Annotated[tuple[Alarm, ...], about("Alarms that were closed.")] = ()
    still_open: Annotated[tuple[Alarm, ...], about("Alarms that were open before and still are.")] = ()
    is_first: Annotated[bool, about("Whether it is the first complete round, with which later ones are compared.")] = (
        False
    )
    known: Annotated[NonNegativeInt, NOT_IN_JSON, about("Number of problems that the first round takes as known.")] = 0
    notes: Annotated[tuple[str, ...], about("What else you should know, such as why a round is not complete.")] = ()
    problem: Annotated[
        str | None, about("Why the site could not be checked, because of an internal error; None if it was.")
    ] = None


@with_short_repr
class MonitorResult(Struct, frozen=True, kw_only=True):
    """Result of `urlset monitor`."""

    sites: Annotated[tuple[SiteRound, ...], about("The sites that were due.")]
    not_due: Annotated[NonNegativeInt, about("Number of sites that were not due.")] = 0
    undelivered: Annotated[
        Mapping[str, str],
        about("Why messages could not be sent, by webhook or service. They are sent in the next round."),
    ] = field(default_factory=dict)
    refused: Annotated[
        Mapping[str, str],
        about(
            "Why a webhook or a service will never take messages, by its name. They are not sent again, and others are."
        ),
    ] = field(default_factory=dict)


class Decision(Struct, frozen=True, kw_only=True):
    """What a round changes."""

    opened: Annotated[tuple[Alarm, ...], about("Alarms to open.")]
    closed: Annotated[tuple[Alarm, ...], about("Alarms that were open and are closed.")]
    still_open: Annotated[tuple[Alarm, ...], about("Alarms that stay open.")]
    state: Annotated[SiteState, about("The state for the next round.")]
