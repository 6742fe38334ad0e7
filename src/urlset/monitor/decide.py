"""Decides which alarms a round opens and closes: only what is new, one alarm per cause.

An alarm groups what became wrong in the same round for the same reason: a thousand pages that got a noindex are one
alarm. Consequences of an alarm, such as findings on these pages, are covered by it: they have no alarm of their own
unless they outlast it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256
from statistics import median
from typing import TYPE_CHECKING

from msgspec.structs import replace

from urlset import _core
from urlset.model.monitoring import (
    Alarm,
    AlarmKind,
    ClosedBy,
    Decision,
    Observed,
    RobotsMeaning,
    SiteState,
    problem_key,
)
from urlset.monitor.thresholds import MAX_ROUNDS, usual_limit
from urlset.rules.rule import Severity
from urlset.text.sizes import enumeration, quantity
from urlset.web.indexability import PageReason

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from urlset.model.monitoring import Observation

ROUNDS_TO_ACCEPT = 8
"""Complete rounds after which a changed robots.txt, removed URLs, or a higher number of places are taken as usual."""

MAX_EXAMPLES = 3
"""Examples that an alarm names."""

MAX_EVENTS = 20
"""Lines of the timeline of an example, the newest ones."""

MAX_SHOWN = 500
"""Characters of a line of the details, which can have URLs and patterns of any length."""

MAX_CLOSED = 3
"""Crawlers that a title names."""

DAY = 86_400.0

_REMOVED, _GAPS, _INTERVALS, _PLACES = "removed", "gaps", "intervals", "places "

_BY_ROBOTS = (PageReason.BLOCKED_BY_ROBOTS, PageReason.ROBOTS_UNREACHABLE)
_BROKEN = (AlarmKind.UNREADABLE, AlarmKind.ROBOTS, AlarmKind.PAGES, AlarmKind.FINDING)
_BY_EVIDENCE = (AlarmKind.DEINDEXED, AlarmKind.NOT_CRAWLED)
"""Kinds whose problems end only with evidence that they have, since what shows them may be deleted from the store."""

_BY_NAME = (*_BY_EVIDENCE, AlarmKind.FINDING, AlarmKind.CLIENTS, AlarmKind.CHECK)
"""Kinds whose problems are compared by name and member. Steps of the check come last, as they follow from findings."""


def decide(site: str, state: SiteState, alarms: Sequence[Alarm], observation: Observation) -> Decision:
    """Compare a round with the state of its site.

    Args:
        site: The site, as the file names it.
        alarms: Its open alarms.
    """
    work = _Round(site, state, observation, ongoing_alarms=[])
    for alarm in alarms:
        work.close_or_keep(alarm)
    work.open_unreadable()
    work.open_robots()
    work.open_pages()
    if observation.is_complete:
        work.open_removed()
        work.open_frozen()
        for kind in _BY_NAME:
            for name, problem in sorted(observation.problems.get(kind, {}).items()):
                work.open_problem(kind, name, problem)
    return Decision(
        opened=tuple(work.opened_alarms),
        closed=tuple(work.closed_alarms),
        still_open=tuple(work.ongoing_alarms),
        state=work.next_state(),
    )


@dataclass(slots=True)
class _Round:
    site: str
    state: SiteState
    observation: Observation
    ongoing_alarms: list[Alarm]
    opened_alarms: list[Alarm] = field(default_factory=list)
    closed_alarms: list[Alarm] = field(default_factory=list)
    known_keys: set[str] = field(default_factory=set)
    measurements: dict[str, float] = field(default_factory=dict)
    robots: RobotsMeaning | None = None

    def __post_init__(self) -> None:
        self.known_keys = set(self.state.known)
        self.robots = self.state.robots

    @property
    def is_first(self) -> bool:
        return self.state.rounds == 0

    def close_or_keep(self, alarm: Alarm) -> None:
        """Close an alarm that is over, or keep it with the members that still have the problem."""
        alarm = replace(alarm, rounds=alarm.rounds + self.observation.is_complete)
        members = tuple(self._still(alarm))
        if not members:
            self._close(alarm, ClosedBy.FIXED)
        elif alarm.rounds >= ROUNDS_TO_ACCEPT and self._may_be_intended(alarm):
            if alarm.kind is AlarmKind.ROBOTS:
                self.robots = self.observation.robots or self.robots
            self._close(alarm, ClosedBy.USUAL)
        else:
            self.ongoing_alarms.append(replace(alarm, members=members))

    def _may_be_intended(self, alarm: Alarm) -> bool:
        """Return whether what an alarm is about may be intended, so that it is taken as usual if it lasts."""
        if alarm.kind is AlarmKind.ROBOTS:
            return self.observation.robots is not None and self.observation.robots.problem is None
        return alarm.kind in (AlarmKind.REMOVED, AlarmKind.PLACES)

    def _close(self, alarm: Alarm, why: ClosedBy) -> None:
        self.closed_alarms.append(replace(alarm, closed_at=self.observation.at, closed_by=why))

    def _still(self, alarm: Alarm) -> Iterable[str]:
        """Return the members of an alarm that still have the problem, or of which it is unknown."""
        observation, members = self.observation, alarm.members
        match alarm.kind:
            case AlarmKind.UNREADABLE:
                # Nothing is known of a sitemap while its site, or the index that lists it, cannot be read to its end.
                is_whole = observation.is_complete and observation.documents and not observation.unreadable
                return [
                    document
                    for document in members
                    if document in observation.unreadable or not (is_whole or document in observation.documents)
                ]
            case AlarmKind.ROBOTS:
                over = observation.robots is not None and _digest(observation.robots) != alarm.name
                return () if over else members
            case AlarmKind.PAGES:
                return [page for page in members if page not in observation.recovered]
            case AlarmKind.DEINDEXED | AlarmKind.NOT_CRAWLED:
                returned = observation.returned.get((alarm.kind, alarm.name), frozenset())
                return [page for page in members if page not in returned]
            case AlarmKind.REMOVED:
                if not observation.is_complete or observation.listed is None:
                    return members
                return members if (alarm.before or 0) - observation.listed > (alarm.limit or 0) else ()
            case AlarmKind.FROZEN:
                return (
                    ()
                    if observation.newest is not None and observation.newest.timestamp() > (alarm.before or 0)
                    else members
                )
            case AlarmKind.PLACES:
                problem = observation.problems.get(AlarmKind.FINDING, {}).get(alarm.name)
                count = 0 if problem is None else problem.count
                count += sum(places for (code, _), places in observation.unchecked.items() if code == alarm.name)
                return () if observation.is_complete and count <= (alarm.limit or 0) else members
            case _:
                if not observation.is_complete:
                    return members
                problem = observation.problems.get(alarm.kind, {}).get(alarm.name)
                bad = () if problem is None else problem.members
                return [
                    document
                    for document in members
                    if document in bad
                    or self._is_unread(document)
                    or (alarm.kind is AlarmKind.FINDING and (alarm.name, document) in observation.unchecked)
                ]

    def _is_unread(self, document: str) -> bool:
        """Return whether a document could not be read, so that its findings are unknown."""
        robots = self.observation.robots
        is_robots = robots is not None and robots.problem is not None and document.endswith("/robots.txt")
        return is_robots or document in self.observation.unreadable

    def open_unreadable(self) -> None:
        """Open an alarm for documents that no longer answer."""
        had = {document for alarm in self._open_alarms(AlarmKind.UNREADABLE) for document in alarm.members}
        fresh = {name: why for name, why in self.observation.unreadable.items() if name not in had}
        if not fresh:
            return
        what = (
            quantity(len(fresh), "sitemap cannot", "sitemaps cannot") if self.site not in fresh else "the site cannot"
        )
        self._alarm(
            AlarmKind.UNREADABLE, self._moment(), Severity.ERROR, f"{what} be read", _first_members(fresh), tuple(fresh)
        )

    def open_robots(self) -> None:
        """Open an alarm for a robots.txt with another meaning."""
        now = self.observation.robots
        if now is None:
            return
        if self.robots is None and now.problem is None:
            self.robots = now
        before = self.robots or RobotsMeaning(rules={})
        name = _digest(now)
        if name == _digest(before) or any(alarm.name == name for alarm in self._open_alarms(AlarmKind.ROBOTS)):
            return
        closed = [url for url in now.closed if url not in before.closed]
        newly_open = [url for url in before.closed if url not in now.closed]
        if now.problem is not None:
            title = f"robots.txt cannot be read: {now.problem}"
        elif closed:
            title = f"robots.txt blocks the home page for {_crawler_names(closed)}"
        elif newly_open:
            title = f"robots.txt no longer blocks the home page for {_crawler_names(newly_open)}"
        else:
            title = "robots.txt has other rules"
        severity = Severity.ERROR if closed else Severity.WARNING
        details = tuple(_changes(before, now))
        more = len(details) - 2 * MAX_EXAMPLES
        first_details = (*details[: 2 * MAX_EXAMPLES], f"and {quantity(more, 'more line')}") if more > 0 else details
        self._alarm(AlarmKind.ROBOTS, name, severity, title, first_details, (self.site,))

    def open_pages(self) -> None:
        """Open an alarm per reason for pages that stopped being indexable."""
        had = self._pages_of_alarms()
        is_robots = any(True for _ in self._open_alarms(AlarmKind.ROBOTS))
        for reason, turned in sorted(self.observation.turned.items()):
            fresh = {url: detail for url, detail in turned.members.items() if _core.page_key(url) not in had}
            if fresh and not (is_robots and reason in _BY_ROBOTS):
                count = turned.count if len(fresh) == len(turned.members) else len(fresh)
                title = f"{quantity(count, 'page')} stopped being indexable: {turned.title}"
                self._alarm(AlarmKind.PAGES, reason, turned.severity, title, _first_members(fresh), tuple(fresh))

    def _pages_of_alarms(self) -> frozenset[str]:
        """Return the keys of the pages of open alarms."""
        return _keys(page for alarm in self._open_alarms(AlarmKind.PAGES) for page in alarm.members)

    def open_removed(self) -> None:
        """Open an alarm if more URLs disappeared than usual."""
        removed, listed = self.observation.removed, self.observation.listed
        if removed is None or listed is None or not self.state.url_times:
            return
        before = listed + removed
        limit = usual_limit(self._history(_REMOVED), max(5.0, before / 10), max(5.0, before**0.5))
        # After an outage, the churn of several rounds comes at once.
        limit *= (longer := self._time_factor())
        if removed <= limit:
            self.measurements[_REMOVED] = removed / longer
            return
        title = f"{quantity(removed, 'URL')} of {before:,} disappeared from the sitemaps"
        details = (
            *self.observation.removed_urls[:MAX_EXAMPLES],
            f"usual for this site: at most {limit:,.0f} per round",
        )
        self._alarm(
            AlarmKind.REMOVED, self._moment(), Severity.ERROR, title, details, (self.site,), limit=limit, before=before
        )

    def _time_factor(self) -> float:
        """Return how many times as long as usual the time was in which the URLs disappeared; at least 1."""
        first, last = self.state.url_times[0], self.state.url_times[-1]
        intervals = self._history(_INTERVALS)
        return max(1.0, (last - first).total_seconds() / median(intervals)) if intervals and median(intervals) else 1.0

    def open_frozen(self) -> None:
        """Open an alarm if the newest lastmod is older than usual."""
        newest, before = self.observation.newest, self.state.newest
        if newest is None or before is None:
            return
        if newest > before:
            self.measurements[_GAPS] = (newest - before).total_seconds() / DAY
        gaps = self._history(_GAPS)
        days = (self.observation.at - newest).total_seconds() / DAY
        # Without a change so far, an old date is nothing new.
        if not gaps or any(True for _ in self._open_alarms(AlarmKind.FROZEN)):
            return
        limit = usual_limit(gaps, 20.0, 2.0) * 1.5
        if days > limit:
            title = f"no lastmod is newer than {newest:%Y-%m-%d}"
            details = (f"{days:,.1f} days ago; usual for this site: at most {limit:,.1f} days",)
            self._alarm(
                AlarmKind.FROZEN,
                self._moment(),
                Severity.WARNING,
                title,
                details,
                (self.site,),
                before=newest.timestamp(),
            )

    def open_problem(self, kind: AlarmKind, name: str, problem: Observed) -> None:
        """Open an alarm for a problem that documents did not have before, or that is in more places than usual."""
        had = {member for alarm in self._open_alarms(kind) if alarm.name == name for member in alarm.members}
        covered = {key for alarm in (*self.ongoing_alarms, *self.opened_alarms) for key in alarm.covered}
        keys = {member: problem_key(kind, name, member) for member in problem.members}
        new = [member for member, key in keys.items() if member not in had and key not in self.known_keys | covered]
        if self.is_first or (kind is AlarmKind.FINDING and name not in self.state.rules):
            self.known_keys |= {keys[member] for member in new}
            self._count(kind, name, problem)
            return
        fresh = {
            member: problem.members[member] for member in new if not self._is_more_of_the_same(kind, name, member, had)
        }
        self.known_keys |= {keys[member] for member in new if member not in fresh}
        if not fresh:
            if covered.isdisjoint(keys.values()) and not had:
                self._count(kind, name, problem)
        elif (cause := self._cause(kind, problem, fresh)) is not None:
            self._cover(cause, tuple(keys[member] for member in fresh))
        else:
            count = max(len(fresh), problem.count if len(fresh) == len(problem.members) else 0)
            title = problem.title if kind not in _BY_EVIDENCE else f"{quantity(count, 'page')} {problem.title}"
            details = _first_members(fresh, problem.timelines)
            self._alarm(kind, name, problem.severity, title, details, tuple(fresh), before=problem.before)

    def _is_more_of_the_same(self, kind: AlarmKind, name: str, member: str, had: set[str]) -> bool:
        """Return whether a document is new and has a problem that other documents of the site had before."""
        if kind is not AlarmKind.FINDING or member in self.state.documents:
            return False
        start = problem_key(kind, name, "")
        return bool(had) or any(key.startswith(start) for key in self.state.known)

    def _cause(self, kind: AlarmKind, problem: Observed, fresh: Mapping[str, str]) -> Alarm | None:
        """Return the alarm that a problem follows from."""
        everything = (*self.opened_alarms, *self.ongoing_alarms)
        if kind is AlarmKind.CHECK:
            return next((alarm for alarm in everything if alarm.kind in _BROKEN), None)
        robots = next(self._open_alarms(AlarmKind.ROBOTS), None)
        unreadable = next(self._open_alarms(AlarmKind.UNREADABLE), None)
        if kind is AlarmKind.CLIENTS:
            return unreadable or robots
        for alarm in self._open_alarms(AlarmKind.UNREADABLE):
            if set(fresh) <= {*alarm.members}:
                return alarm
        if robots is not None and (
            problem.is_robots
            or (
                problem.urls
                and _keys(problem.urls) <= _keys(url for reason in _BY_ROBOTS for url in self._unindexable_urls(reason))
            )
        ):
            return robots
        for alarm in self._open_alarms(AlarmKind.PAGES):
            if problem.urls and _keys(problem.urls) <= _keys(alarm.members):
                return alarm
        return None

    def _unindexable_urls(self, reason: str) -> Iterable[str]:
        turned = self.observation.turned.get(reason)
        return () if turned is None else turned.members

    def _cover(self, cause: Alarm, keys: tuple[str, ...]) -> None:
        for alarms in (self.opened_alarms, self.ongoing_alarms):
            for number, alarm in enumerate(alarms):
                if alarm is cause:
                    alarms[number] = replace(alarm, covered=(*alarm.covered, *keys))

    def _count(self, kind: AlarmKind, name: str, problem: Observed) -> None:
        """Compare the number of places of a known finding with its history."""
        if kind is not AlarmKind.FINDING or any(alarm.name == name for alarm in self._open_alarms(AlarmKind.PLACES)):
            return
        history = self._history(_PLACES + name)
        last = history[-1] if history else float(problem.count)
        limit = usual_limit(history, max(2 * last, last + 10), 1.2 * last + 10)
        if problem.count <= limit:
            self.measurements[_PLACES + name] = problem.count
        elif not (problem.urls and _keys(problem.urls) <= self._pages_of_alarms()):
            title = f"{problem.title} in {quantity(problem.count, 'place')}"
            details = (*_first_members(problem.members), f"usual for this site: at most {limit:,.0f}")
            self._alarm(AlarmKind.PLACES, name, problem.severity, title, details, (self.site,), limit=limit)

    def _open_alarms(self, kind: AlarmKind) -> Iterator[Alarm]:
        """Yield the open alarms of a kind, those of this round first."""
        return (alarm for alarm in (*self.opened_alarms, *self.ongoing_alarms) if alarm.kind is kind)

    def _history(self, name: str) -> tuple[float, ...]:
        return self.state.history.get(name, ())

    def _moment(self) -> str:
        return self.observation.at.isoformat(timespec="seconds")

    def _alarm(
        self,
        kind: AlarmKind,
        name: str,
        severity: Severity,
        title: str,
        details: tuple[str, ...],
        members: tuple[str, ...],
        *,
        limit: float | None = None,
        before: float | None = None,
    ) -> None:
        self.opened_alarms.append(
            Alarm(
                site=self.site,
                kind=kind,
                name=name,
                severity=severity,
                title=title,
                details=tuple(detail if len(detail) <= MAX_SHOWN else f"{detail[:MAX_SHOWN]}…" for detail in details),
                members=members,
                limit=limit,
                before=before,
                opened_at=self.observation.at,
            )
        )

    def next_state(self) -> SiteState:
        """Return the state for the next round. A round that was cut off only adds what robots.txt usually means."""
        state, observation = self.state, self.observation
        if not observation.is_complete:
            return replace(state, robots=self.robots)
        # A problem that is over is new if it comes back. Of what was not read or requested, nothing is known.
        unchecked = {problem_key(AlarmKind.FINDING, code, document) for code, document in observation.unchecked}
        present = unchecked | {
            problem_key(kind, name, member)
            for kind, problems in observation.problems.items()
            for name, problem in problems.items()
            for member in problem.members
        }
        history, times = dict(state.history), state.url_times
        if observation.listed is not None:
            if times:
                self.measurements[_INTERVALS] = (observation.at - times[-1]).total_seconds()
            times = (*times[-1:], observation.at)
        for name, value in self.measurements.items():
            history[name] = (*history.get(name, ()), value)[-MAX_ROUNDS:]
        return replace(
            state,
            rounds=state.rounds + 1,
            history=history,
            known=frozenset(key for key in self.known_keys if key in present or self._is_unread(_member(key))),
            rules=observation.rules or state.rules,
            documents=observation.documents | (state.documents & observation.unreadable.keys()),
            robots=self.robots,
            url_times=times,
            newest=max(filter(None, (observation.newest, state.newest)), default=None),
            unchecked_since={
                key: run for key in unchecked if (run := state.unchecked_since.get(key, state.finding_run)) is not None
            },
        )


def is_due(last: float | None, every: float, now: float) -> bool:
    """Return whether a site is due, in seconds.

    A timer does not start to the second: a tenth of the interval, but at most ten minutes, may be missing.
    """
    return last is None or now < last or now - last >= every - min(every / 10, 600.0)


def _member(key: str) -> str:
    return key.split(" ", 2)[2]


def _keys(urls: Iterable[str]) -> frozenset[str]:
    """Return the keys of pages, which are the same in every spelling."""
    return frozenset(map(_core.page_key, urls))


def _first_members(
    members: Mapping[str, str], timelines: Mapping[str, tuple[str, ...]] | None = None
) -> tuple[str, ...]:
    """Return the first members with their details, and what happened to them."""
    texts = []
    for name, detail in list(members.items())[:MAX_EXAMPLES]:
        texts.append(f"{name}: {detail}" if detail else name)
        timeline = (timelines or {}).get(name, ())
        if (earlier := len(timeline) - MAX_EVENTS) > 0:
            texts.append(f"  {quantity(earlier, 'earlier line')}")
        texts += [f"  {line}" for line in timeline[-MAX_EVENTS:]]
    more = len(members) - MAX_EXAMPLES
    return (*texts, f"and {more:,} more") if more > 0 else tuple(texts)


def _crawler_names(crawlers: Sequence[str]) -> str:
    more = len(crawlers) - MAX_CLOSED
    names = [*crawlers[:MAX_CLOSED], quantity(more, "other crawler")] if more > 0 else crawlers
    return enumeration(names)


def _digest(meaning: RobotsMeaning) -> str:
    text = repr(sorted((name, tuple(rules)) for name, rules in meaning.rules.items()))
    return sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:16]


def _changes(before: RobotsMeaning, now: RobotsMeaning) -> Iterator[str]:
    """Yield the rules that were added and removed, by crawler."""
    for name in sorted({*before.rules, *now.rules}):
        old, new = before.rules.get(name, ()), now.rules.get(name, ())
        yield from (f"+ {name}: {rule}" for rule in new if rule not in old)
        yield from (f"- {name}: {rule}" for rule in old if rule not in new)
