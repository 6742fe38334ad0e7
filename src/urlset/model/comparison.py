"""What changed between two runs: plain values, drawn from by every form of `urlset diff`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Generic, TypeVar

from urlset.rules.rule import Severity

if TYPE_CHECKING:
    from datetime import datetime

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two that are compared.

    Attributes:
        name: What it is called: what was given, and the run if it comes from a store.
        run_id: The run of the store; None for what was read for the comparison.
        at: When it was read.
        documents: How many documents it has.
        urls: How many different URLs they list.
        unreadable: What of it could not be read, each with its reason.
        failed: Whether an internal error is one of the reasons.
    """

    name: str
    run_id: int | None
    at: datetime
    documents: int
    urls: int
    unreadable: tuple[str, ...] = ()
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Listed:
    """A URL that one side lists.

    Attributes:
        url: The URL.
        document: The first document that lists it.
        lastmod: Its lastmod as written; of several the newest. None if it has none.
    """

    url: str
    document: str
    lastmod: str | None


class LastmodChangeKind(StrEnum):
    """What became of a lastmod."""

    LATER = "later"
    EARLIER = "earlier"
    ADDED = "added"
    REMOVED = "removed"
    REWRITTEN = "rewritten"


@dataclass(frozen=True, slots=True)
class LastmodChange:
    """A URL that both sides list, with another lastmod.

    Attributes:
        url: The URL.
        document: The first document of the later side that lists it.
        before: Its lastmod as written; None if it had none.
        after: Its lastmod now.
        moved: What became of it; `rewritten` where it is the same instant, or no instant, in other characters.
    """

    url: str
    document: str
    before: str | None
    after: str | None
    moved: LastmodChangeKind


@dataclass(frozen=True, slots=True)
class Part(Generic[Item]):
    """Some things that changed: how many, the first of them, and where most of them are.

    Attributes:
        count: How many; exact.
        examples: The first of them, by URL.
        documents: The documents with most of them and how many each has; the largest first.
    """

    count: int
    examples: tuple[Item, ...] = ()
    documents: tuple[tuple[str, int], ...] = ()


class State(StrEnum):
    """What became of a finding."""

    NEW = "new"
    GROWN = "grown"
    STILL = "still"
    SHRUNK = "shrunk"
    FIXED = "fixed"


@dataclass(frozen=True, slots=True)
class FindingChange:
    """One rule in one document, on both sides.

    Attributes:
        code: The rule's code.
        severity: How bad it is; as it is now, if it is still there.
        document: The document.
        before: Places that broke the rule.
        after: Places that break it now.
        message: One of the places, in a sentence.
    """

    code: str
    severity: Severity
    document: str
    before: int
    after: int
    message: str

    @property
    def state(self) -> State:
        """What became of it."""
        if not self.before:
            return State.NEW
        if not self.after:
            return State.FIXED
        if self.after == self.before:
            return State.STILL
        return State.GROWN if self.after > self.before else State.SHRUNK


class RemovedUrlStatus(StrEnum):
    """What a URL that is no longer listed answers now."""

    REDIRECTED = "redirected"
    STILL_THERE = "still there"
    LOST = "lost"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class RemovedUrl:
    """What became of a URL that only the earlier side lists, asked of its server.

    Attributes:
        url: The URL.
        fate: redirected; still there, although it is not listed; lost: 404, 410 or another error without a redirect;
            unknown: no answer, or one that is to us rather than to everybody (401, 403, 407, 429).
        status: The last status; None without an answer.
        target: Where it leads, for what is redirected.
        is_listed: Whether the later side lists that target.
        reason: What kept it from being known, in a sentence.
    """

    url: str
    fate: RemovedUrlStatus
    status: int | None
    target: str | None = None
    is_listed: bool = False
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Alarm:
    """A change that nobody makes on purpose without knowing of it.

    Attributes:
        name: Which: url-count-drop, sitemap-disappeared, new-errors, lastmod-earlier or page-lost.
        message: What happened, in a sentence.
    """

    name: str
    message: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """What changed between two sides.

    Attributes:
        before: The earlier side.
        after: The later side.
        added: URLs that only the later side lists.
        removed: URLs that only the earlier side lists.
        lastmod: URLs that both list, with another lastmod.
        moved: How many of those moved which way.
        children_added: Sitemaps that only indexes of the later side list.
        children_removed: Sitemaps that only indexes of the earlier side list.
        findings: Rules broken on either side, the new ones first; None where rules were not run on both. Only rules
            that both sides ran are compared.
        one_sided: The rules that are broken on a side and were not run on the other, and so are not compared: those of
            the earlier side, those of the later one.
        departed: What the removed URLs answer; None unless it was asked.
        departed_counts: How many of those have which fate.
        max_drop: The share of URLs that may go without an alarm, in percent.
    """

    before: Side
    after: Side
    added: Part[Listed]
    removed: Part[Listed]
    lastmod: Part[LastmodChange]
    moved: dict[LastmodChangeKind, int]
    children_added: Part[str]
    children_removed: Part[str]
    findings: tuple[FindingChange, ...] | None
    departed: Part[RemovedUrl] | None = None
    departed_counts: dict[RemovedUrlStatus, int] | None = None
    max_drop: float = 10.0
    one_sided: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())

    def findings_that_are(self, *states: State) -> list[FindingChange]:
        """The findings in one of these states."""
        return [change for change in self.findings or () if change.state in states]

    @property
    def alarms(self) -> list[Alarm]:
        """What somebody should look at."""
        alarms = []
        gone = self.before.urls - self.after.urls
        if self.before.urls and 100 * gone > self.max_drop * self.before.urls:
            share = 100 * gone / self.before.urls
            left = "1 URL" if self.after.urls == 1 else f"{self.after.urls:,} URLs"
            text = f"{left} instead of {self.before.urls:,}: {share:.1f} % fewer"
            alarms.append(Alarm("url-count-drop", text))
        if self.children_removed.count:
            text = f"{self.children_removed.count:,} sitemaps are in no index any more"
            alarms.append(Alarm("sitemap-disappeared", text))
        worse = [
            change for change in self.findings_that_are(State.NEW, State.GROWN) if change.severity is Severity.ERROR
        ]
        if worse:
            alarms.append(Alarm("new-errors", f"{len(worse):,} findings that are errors are new or have grown"))
        if self.moved.get(LastmodChangeKind.EARLIER):
            count = self.moved[LastmodChangeKind.EARLIER]
            have = "URL has" if count == 1 else "URLs have"
            text = f"{count:,} {have} an earlier lastmod than before: time goes one way"
            alarms.append(Alarm("lastmod-earlier", text))
        if self.departed_counts and self.departed_counts.get(RemovedUrlStatus.LOST):
            count = self.departed_counts[RemovedUrlStatus.LOST]
            lead = "URL that is no longer listed leads" if count == 1 else "URLs that are no longer listed lead"
            text = f"{count:,} {lead} nowhere"
            alarms.append(Alarm("page-lost", text))
        return alarms

    @property
    def is_same(self) -> bool:
        """Whether nothing changed."""
        states = {change.state for change in self.findings or ()}
        counts = (self.added, self.removed, self.lastmod, self.children_added, self.children_removed)
        return not any(part.count for part in counts) and states <= {State.STILL}

    def fails(self, fail_on: str) -> bool:
        """Whether a change counts as a failure: `alarm` for alarms, `any` for every change, `never`."""
        match fail_on:
            case "never":
                return False
            case "any":
                return not self.is_same
            case _:
                return bool(self.alarms)
