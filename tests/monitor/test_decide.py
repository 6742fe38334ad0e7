"""Which alarms rounds open and close, in 60 simulated days of sites that change every day."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest
from msgspec.structs import replace
from tests.cases import case_table

from urlset.model.monitoring import Alarm, AlarmKind, ClosedBy, Observation, Observed, RobotsMeaning, SiteState
from urlset.monitor.decide import decide, is_due
from urlset.monitor.thresholds import usual_limit
from urlset.rules.rule import Severity

SITE = "https://example.com"
START = datetime(2026, 3, 2, 3, tzinfo=UTC)
DAYS = 60


@dataclass
class World:
    """A site that changes a little every day, and what is wrong with it."""

    seed: int
    churn: int
    day: int = -1
    urls: list[str] = field(default_factory=list)
    parts: int = 4
    newest: datetime = START
    before: list[set[str]] = field(default_factory=list)
    was_bad: dict[str, str] = field(default_factory=dict)
    open: tuple[Alarm, ...] = ()
    state: SiteState = field(default_factory=SiteState)
    # What is planted:
    bad: dict[str, str] = field(default_factory=dict)
    missing: set[str] = field(default_factory=set)
    dead: set[str] = field(default_factory=set)
    robots: dict[str, tuple[str, ...]] = field(default_factory=dict)
    closed_to: tuple[str, ...] = ()
    findings: dict[str, set[int]] = field(default_factory=dict)
    more: dict[str, int] = field(default_factory=dict)
    steps: dict[str, str] = field(default_factory=dict)
    clients: dict[str, str] = field(default_factory=dict)
    frozen: bool = False
    is_cut: bool = False

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)
        self.urls = [f"{SITE}/p{number}" for number in range(250)]
        self.added = 250

    def change(self) -> None:
        """A day of ordinary work: pages come and go, on weekdays, and another sitemap every month."""
        self.day += 1
        now = START + timedelta(days=self.day)
        if now.weekday() >= 5:
            return
        for _ in range(self.random.randint(0, self.churn)):
            self.urls.append(f"{SITE}/p{self.added}")
            self.added += 1
        for _ in range(self.random.randint(0, self.churn)):
            self.urls.pop(self.random.randrange(len(self.urls)))
        self.parts += self.day % 20 == 19
        if not self.frozen:
            self.newest = now - timedelta(hours=self.random.randint(1, 9))

    def document(self, number: int) -> str:
        return f"{SITE}/sitemap-{number}.xml"

    def seen(self) -> Observation:
        """What a round observes, with the consequences that a cause has."""
        now = START + timedelta(days=self.day, seconds=self.random.randint(0, 90))
        dead = {SITE} if SITE in self.dead else self.dead & {self.document(number) for number in range(self.parts)}
        documents = frozenset() if SITE in dead else frozenset(map(self.document, range(self.parts))) - dead
        if not documents:
            return Observation(at=now, is_complete=False, unreadable=dict.fromkeys(dead, "timed out"))
        listed = {url for url in self.urls if url not in self.missing}
        bad = {url: why for url, why in self.bad.items() if url in listed}
        if "Googlebot" in self.closed_to:
            bad |= dict.fromkeys(listed, "blocked-by-robots")
        findings: dict[str, Observed] = {}
        for code, where in {**self.findings, "OLD001": set(range(self.parts))}.items():
            members = {self.document(number): "" for number in where if self.document(number) in documents}
            count = len(members) * 3 + self.more.get(code, 0) + self.random.randint(0, 2)
            findings[code] = Observed(title=code, severity=Severity.WARNING, members=members, count=count)
        for reason in {*bad.values()}:
            pages = [url for url, why in bad.items() if why == reason]
            findings[f"ON-{reason}"] = Observed(
                title=reason,
                severity=Severity.ERROR,
                members={self.document(0): ""},
                urls=frozenset(pages[:10]),
                count=len(pages),
            )
        if dead:
            findings["FETCH"] = Observed(
                title="FETCH", severity=Severity.ERROR, members=dict.fromkeys(dead, ""), count=len(dead)
            )
        steps = dict(self.steps)
        if dead or self.closed_to or bad:
            steps["scope"] = "failed"
        turned: dict[str, Observed] = {}
        for url, why in bad.items():
            if self.was_bad.get(url) == "good":
                one = turned.setdefault(why, Observed(title=why, severity=Severity.ERROR, members={}))
                one.members[url] = ""  # type: ignore[index]
        turned = {why: replace(one, count=len(one.members)) for why, one in turned.items()}
        gone = None
        if not dead:
            gone = self.before[-2] - self.before[-1] - listed if len(self.before) > 1 else None
            self.before = [*self.before[-1:], listed]
        if not self.is_cut:
            self.was_bad = {url: bad.get(url, "good") for url in listed}
        rules = {"*": ("disallow /admin",), **self.robots}
        rules |= dict.fromkeys(self.closed_to, ("disallow /",))
        return Observation(
            at=now,
            is_complete=not self.is_cut,
            problems={
                AlarmKind.FINDING: findings,
                AlarmKind.CHECK: _problems(steps),
                AlarmKind.CLIENTS: _problems(self.clients),
            },
            rules=frozenset({"OLD001", "NEW001", "NEW002", "FETCH", *findings}),
            documents=documents,
            unreadable=dict.fromkeys(dead, "HTTP 503"),
            turned=turned,
            recovered=frozenset(
                url for alarm in self.open for url in alarm.members if alarm.kind is AlarmKind.PAGES and url not in bad
            ),
            listed=None if dead else len(listed),
            removed=None if gone is None else len(gone),
            removed_urls=tuple(sorted(gone or ())[:3]),
            newest=self.newest,
            robots=RobotsMeaning(rules=rules, closed=self.closed_to),
        )

    def round(self) -> tuple[tuple[Alarm, ...], tuple[Alarm, ...]]:
        """Runs a day and its round, and returns the alarms that were opened and closed."""
        self.change()
        decision = decide(SITE, self.state, self.open, self.seen())
        self.state = decision.state
        self.open = (*decision.still_open, *decision.opened)
        return decision.opened, decision.closed


def _problems(found: dict[str, str]) -> dict[str, Observed]:
    return {
        name: Observed(title=why, severity=Severity.ERROR, members={SITE: ""}, count=1) for name, why in found.items()
    }


def _bad(first: int, last: int, why: str) -> Callable[[World], None]:
    return lambda world: world.bad.update(dict.fromkeys(world.urls[first:last], why))


def _missing(share: float) -> Callable[[World], None]:
    return lambda world: world.missing.update(world.urls[: int(len(world.urls) * share)])


def _cleared(world: World) -> None:
    for each in (world.bad, world.missing, world.dead, world.robots, world.findings, world.more, world.steps):
        each.clear()
    world.clients.clear()
    world.closed_to, world.frozen = (), False


@dataclass(frozen=True)
class Planted:
    """A regression: how it is planted, what the alarm is about, and in which of the rounds after it comes.

    Attributes:
        after: 0 for the first round. URLs count as removed in the second round without them, and a lastmod is frozen
            once it is older than usual.
    """

    plant: Callable[[World], object]
    kind: AlarmKind
    after: int = 0


PLANTED = {
    "one page has a noindex": Planted(_bad(7, 8, "noindex"), AlarmKind.PAGES),
    "all pages have a noindex": Planted(_bad(0, 2000, "noindex"), AlarmKind.PAGES),
    "a section is not found": Planted(_bad(100, 160, "not-found"), AlarmKind.PAGES),
    "a template has a wrong canonical": Planted(_bad(20, 220, "canonical-elsewhere"), AlarmKind.PAGES),
    "pages redirect": Planted(_bad(20, 25, "redirect"), AlarmKind.PAGES),
    "the application fails": Planted(_bad(0, 2000, "server-error"), AlarmKind.PAGES),
    "pages redirect in a loop": Planted(_bad(3, 30, "redirect-error"), AlarmKind.PAGES),
    "pages expired": Planted(_bad(40, 44, "expired"), AlarmKind.PAGES),
    "robots.txt of staging": Planted(lambda w: setattr(w, "closed_to", ("Bingbot", "Googlebot")), AlarmKind.ROBOTS),
    "robots.txt blocks one crawler": Planted(lambda w: setattr(w, "closed_to", ("Bingbot",)), AlarmKind.ROBOTS),
    "robots.txt blocks an AI crawler": Planted(lambda w: setattr(w, "closed_to", ("GPTBot",)), AlarmKind.ROBOTS),
    "robots.txt loses its rules": Planted(lambda w: w.robots.update({"*": ()}), AlarmKind.ROBOTS),
    "robots.txt blocks a section": Planted(
        lambda w: w.robots.update({"*": ("disallow /admin", "disallow /p1")}), AlarmKind.ROBOTS
    ),
    "the AI policy changes": Planted(
        lambda w: w.robots.update({"GPTBot": ("content-signal ai-train=no",)}), AlarmKind.ROBOTS
    ),
    "the site does not answer": Planted(lambda w: w.dead.add(SITE), AlarmKind.UNREADABLE),
    "a sitemap does not answer": Planted(lambda w: w.dead.add(w.document(1)), AlarmKind.UNREADABLE),
    "two sitemaps do not answer": Planted(
        lambda w: w.dead.update((w.document(1), w.document(3))), AlarmKind.UNREADABLE
    ),
    "half of the URLs disappear": Planted(_missing(0.5), AlarmKind.REMOVED, after=1),
    "all but a few URLs disappear": Planted(_missing(0.98), AlarmKind.REMOVED, after=1),
    "a section disappears": Planted(_missing(0.2), AlarmKind.REMOVED, after=1),
    "lastmod is frozen": Planted(lambda w: setattr(w, "frozen", True), AlarmKind.FROZEN, after=2),
    "a rule is broken in a sitemap": Planted(lambda w: w.findings.update(NEW001={2}), AlarmKind.FINDING),
    "a rule is broken in every sitemap": Planted(
        lambda w: w.findings.update(NEW001=set(range(w.parts))), AlarmKind.FINDING
    ),
    "another rule is broken": Planted(lambda w: w.findings.update(NEW002={0}), AlarmKind.FINDING),
    "a known finding is in many more places": Planted(lambda w: w.more.update(OLD001=4000), AlarmKind.PLACES),
    "a known finding is in some more places": Planted(lambda w: w.more.update(OLD001=90), AlarmKind.PLACES),
    "a step of the check fails": Planted(lambda w: w.steps.update(parse="no XML"), AlarmKind.CHECK),
    "another step of the check fails": Planted(lambda w: w.steps.update(scope="other host"), AlarmKind.CHECK),
    "a firewall blocks a crawler": Planted(lambda w: w.clients.update(blocked="HTTP 403"), AlarmKind.CLIENTS),
    "the sitemap needs a cookie": Planted(lambda w: w.clients.update(cookie="sets a cookie"), AlarmKind.CLIENTS),
}

HEALED_AFTER = 7
"""Days after which a regression is over."""


def test_thirty_regressions_are_planted() -> None:
    assert len(PLANTED) == 30


@case_table("name", [*PLANTED])
def test_is_alarmed_once_in_the_first_round_after_it_happened_and_closed_once(name: str) -> None:
    planted = PLANTED[name]
    number = [*PLANTED].index(name)
    # Some before there is a history of eight rounds, and most after it. All on a Monday.
    world, day = World(seed=number, churn=(2, 6, 12)[number % 3]), (7, 21, 35)[number % 3]
    opened, closed = [], []
    for today in range(DAYS):
        if today == day:
            planted.plant(world)
        if today == day + HEALED_AFTER:
            _cleared(world)
        new, over = world.round()
        opened += [(today, alarm.kind) for alarm in new]
        closed += [(today, alarm.kind, alarm.closed_by) for alarm in over]
    assert opened == [(day + planted.after, planted.kind)]
    [(when, kind, why)] = closed
    assert (kind, why) == (planted.kind, ClosedBy.FIXED)
    assert when == day + HEALED_AFTER
    assert world.open == ()


@pytest.mark.parametrize("churn", [0, 2, 6, 12])
def test_sixty_quiet_days_cause_no_alarm(churn: int) -> None:
    for seed in range(3):
        world = World(seed=seed, churn=churn)
        for _ in range(DAYS):
            assert world.round() == ((), ())


def _world(rounds: int = 10) -> World:
    world = World(seed=1, churn=3)
    for _ in range(rounds):
        assert world.round() == ((), ())
    return world


def test_known_problems_of_the_first_round_are_no_alarm_until_they_come_back() -> None:
    world = World(seed=1, churn=3, findings={"NEW001": {1}})
    assert [world.round() for _ in range(3)] == [((), ())] * 3
    world.findings.clear()
    assert world.round() == ((), ())
    world.findings["NEW001"] = {1}
    [alarm], () = world.round()
    assert alarm.name == "NEW001"


def test_a_round_that_was_cut_off_is_never_a_before() -> None:
    world = _world()
    world.is_cut = True
    world.bad.update({world.urls[5]: "noindex"})
    [alarm], () = world.round()
    assert alarm.kind is AlarmKind.PAGES
    world.findings["NEW001"] = {1}
    # Findings of a round that was cut off are not complete: neither new ones nor missing ones count.
    assert world.round() == ((), ())
    state = world.state
    assert (state.rounds, state.documents) == (10, frozenset(map(world.document, range(4))))
    world.is_cut = False
    [alarm], () = world.round()
    assert alarm.name == "NEW001"


def test_a_partial_answer_does_not_remove_urls() -> None:
    world = _world()
    world.missing.update(world.urls[:200])
    assert world.round() == ((), ())
    world.missing.clear()
    assert [world.round() for _ in range(3)] == [((), ())] * 3


def test_what_outlasts_its_cause_is_said() -> None:
    world = _world()
    world.dead.add(world.document(1))
    world.steps["parse"] = "no XML"
    [alarm], () = world.round()
    assert alarm.kind is AlarmKind.UNREADABLE
    assert world.round() == ((), ())
    world.dead.clear()
    [step], [over] = world.round()
    assert (step.kind, over.kind) == (AlarmKind.CHECK, AlarmKind.UNREADABLE)


def test_a_new_robots_txt_becomes_usual() -> None:
    world = _world()
    world.robots["*"] = ("disallow /admin", "disallow /search")
    assert [len(world.round()[0]) for _ in range(8)] == [1, 0, 0, 0, 0, 0, 0, 0]
    (), [over] = world.round()
    assert over.closed_by is ClosedBy.USUAL
    assert world.round() == ((), ())
    world.robots.clear()
    [back], () = world.round()
    assert back.kind is AlarmKind.ROBOTS


def test_another_robots_txt_is_another_alarm() -> None:
    world = _world()
    world.closed_to = ("Bingbot",)
    [first], () = world.round()
    world.closed_to = ("Bingbot", "Googlebot")
    [second], [over] = world.round()
    assert over.alarm_id == first.alarm_id
    assert second.title == "robots.txt blocks the home page for Bingbot and Googlebot"


def test_rules_of_a_newer_version_are_no_regression() -> None:
    world = _world()
    world.findings["YOUNG1"] = {0, 1}
    assert world.round() == ((), ())


def test_a_fixed_page_of_an_open_alarm_is_new_again() -> None:
    world = _world()
    first, second = world.urls[:2]
    world.bad.update({first: "noindex", second: "noindex"})
    [alarm], () = world.round()
    assert alarm.title == "2 pages stopped being indexable: noindex"
    del world.bad[first]
    assert world.round() == ((), ())
    world.bad[first] = "noindex"
    [again], () = world.round()
    assert again.members == (first,)


def test_known_findings_on_robots_txt_survive_its_outage() -> None:
    def seen(*problems: str, why: str | None = None) -> Observation:
        found = {
            each: Observed(title=each, severity=Severity.WARNING, members={f"{SITE}/robots.txt": ""}, count=1)
            for each in problems
        }
        rules = {"*": ("cannot be read",)} if why else {}
        return Observation(
            at=START,
            problems={AlarmKind.FINDING: found},
            rules=frozenset({"A1"}),
            robots=RobotsMeaning(rules=rules, problem=why),
        )

    first = decide(SITE, SiteState(), (), seen("A1"))
    down = decide(SITE, first.state, (), seen(why="HTTP 503"))
    assert [alarm.kind for alarm in down.opened] == [AlarmKind.ROBOTS]
    up = decide(SITE, down.state, down.opened, seen("A1"))
    assert (up.opened, [alarm.kind for alarm in up.closed]) == ((), [AlarmKind.ROBOTS])


def test_details_are_bounded() -> None:
    world = _world()
    world.robots["*"] = tuple(f"disallow /{number}" + "x" * 10_000 for number in range(1000))
    [alarm], () = world.round()
    assert len(alarm.details) == 7
    assert max(map(len, alarm.details)) < 510
    assert alarm.details[-1] == "and 995 more lines"


@case_table(
    "last, expected",
    {
        "never": (None, True),
        "a day ago": (0.0, True),
        "a little less, as timers start late": (300.0, True),
        "an hour less": (3600.0, False),
        "in the future, as the clock was wrong": (90_000.0, True),
    },
)
def test_due(last: float | None, expected: bool) -> None:
    assert is_due(last, 86_400, 86_400) is expected


def test_limits_come_from_the_history_of_the_site() -> None:
    assert usual_limit([5] * 7, plain=40, least=3) == 40
    assert usual_limit([5] * 8, plain=40, least=3) == 5
    assert usual_limit([0] * 8, plain=40, least=3) == 3
    # One rare value does not move the median.
    assert usual_limit([10, 12, 9, 11, 10, 8, 10, 11, 500], plain=40, least=3) == 500
    assert 15 < usual_limit([10, 12, 9, 11, 10, 8, 10, 11], plain=40, least=3) < 25


INDEX, CHILD = f"{SITE}/index.xml", f"{SITE}/sitemap-1.xml"
KNOWN = frozenset({INDEX, CHILD})
STILL_OPEN: dict[str, tuple[AlarmKind, str, Observation, bool]] = {
    "a finding that is gone": (AlarmKind.FINDING, CHILD, Observation(at=START, documents=KNOWN), False),
    "a finding whose pages were not requested": (
        AlarmKind.FINDING, CHILD, Observation(at=START, documents=KNOWN, unchecked={("A1", CHILD): 1}), True,
    ),
    "a finding of another document": (
        AlarmKind.FINDING, CHILD, Observation(at=START, documents=KNOWN, unchecked={("A1", INDEX): 1}), False,
    ),
    "fewer places": (AlarmKind.PLACES, SITE, Observation(at=START, documents=KNOWN), False),
    "fewer places, and more that were not checked": (
        AlarmKind.PLACES, SITE, Observation(at=START, documents=KNOWN, unchecked={("A1", CHILD): 9}), True,
    ),
    "fewer places, and some that were not checked": (
        AlarmKind.PLACES, SITE, Observation(at=START, documents=KNOWN, unchecked={("A1", CHILD): 5}), False,
    ),
    "a sitemap that is read again": (AlarmKind.UNREADABLE, CHILD, Observation(at=START, documents=KNOWN), False),
    "a sitemap that is not listed any more": (
        AlarmKind.UNREADABLE, CHILD, Observation(at=START, documents=frozenset({INDEX})), False,
    ),
    "a sitemap whose index cannot be read": (
        AlarmKind.UNREADABLE, CHILD, Observation(at=START, documents=KNOWN - {CHILD}, unreadable={INDEX: "cut"}), True,
    ),
    "a sitemap beyond a limit": (
        AlarmKind.UNREADABLE, CHILD, Observation(at=START, documents=frozenset({INDEX}), is_complete=False), True,
    ),
}  # fmt: skip


@case_table("kind, member, observation, is_open", STILL_OPEN)
def test_only_what_was_checked_again_is_over(
    kind: AlarmKind, member: str, observation: Observation, is_open: bool
) -> None:
    alarm = Alarm(
        site=SITE, kind=kind, name="A1", severity=Severity.ERROR, title="", members=(member,), limit=5, opened_at=START
    )
    state = SiteState(rounds=2, rules=frozenset({"A1"}), documents=KNOWN, finding_run=4)
    decision = decide(SITE, state, [alarm], observation)
    assert bool(decision.still_open) == is_open
    assert len(decision.closed) == (not is_open)


def test_the_run_that_last_had_a_finding_is_remembered_until_its_places_are_checked() -> None:
    key = f"finding A1 {CHILD}"
    state = SiteState(rounds=2, known=frozenset({key}), documents=KNOWN, finding_run=4)
    hidden = Observation(at=START, documents=KNOWN, unchecked={("A1", CHILD): 1})
    for finding_run in (4, 5):
        state = replace(decide(SITE, replace(state, finding_run=finding_run), [], hidden).state)
        assert state.unchecked_since == {key: 4}
        assert state.known == {key}
    state = decide(SITE, state, [], Observation(at=START, documents=KNOWN)).state
    assert not state.unchecked_since
    assert not state.known


PAGES_OUT = (f"{SITE}/a", f"{SITE}/b")


def out(number: int, *pages: str, returned: tuple[str, ...] = (), engine: str = "google") -> Observation:
    """A round in which these pages are reported as not indexed."""
    problem = Observed(
        title="fell out of the index of Google",
        severity=Severity.ERROR,
        members=dict.fromkeys(pages, "reported as not indexed"),
        timelines=dict.fromkeys(pages, ("on 2026-02-01: first listed",)),
    )
    return Observation(
        at=START + timedelta(days=number),
        problems={AlarmKind.DEINDEXED: {engine: problem} if pages else {}},
        returned={(AlarmKind.DEINDEXED, "google"): frozenset(returned)},
    )


def test_pages_that_fall_out_of_an_index_are_alarmed_once_until_they_are_back() -> None:
    state, alarms = SiteState(), tuple[Alarm, ...]()
    news = []
    one, other = PAGES_OUT
    rounds = [out(0), out(1, one), out(2, one, other), out(3), out(4, returned=(one,)), out(5, one, other)]
    for seen in rounds:
        decision = decide(SITE, state, alarms, seen)
        state, alarms = decision.state, (*decision.still_open, *decision.opened)
        news.append(([alarm.members for alarm in decision.opened], [alarm.members for alarm in decision.closed]))
    assert news == [
        ([], []),
        ([(one,)], []),
        ([(other,)], []),
        # What showed it was deleted from the store, which is no evidence that they are back.
        ([], []),
        ([], [(one,)]),
        ([(one,)], []),
    ]


def test_a_page_that_is_back_in_one_index_is_not_back_in_another() -> None:
    page = PAGES_OUT[0]
    start = decide(SITE, SiteState(), (), out(0)).state
    first = decide(SITE, start, (), out(1, page, engine="bing"))
    assert decide(SITE, first.state, first.opened, out(2, returned=(page,))).closed == ()


def test_the_first_round_takes_pages_that_are_out_as_known() -> None:
    first = decide(SITE, SiteState(), (), out(0, *PAGES_OUT))
    assert first.opened == ()
    assert decide(SITE, first.state, (), out(1, *PAGES_OUT)).opened == ()


def test_an_alarm_names_pages_with_their_timelines() -> None:
    start = decide(SITE, SiteState(), (), out(0)).state
    [alarm] = decide(SITE, start, (), out(1, *PAGES_OUT)).opened
    assert alarm.title == "2 pages fell out of the index of Google"
    assert alarm.details == (
        f"{SITE}/a: reported as not indexed",
        "  on 2026-02-01: first listed",
        f"{SITE}/b: reported as not indexed",
        "  on 2026-02-01: first listed",
    )


def test_an_alarm_names_the_newest_lines_of_long_timelines() -> None:
    start, seen = decide(SITE, SiteState(), (), out(0)).state, out(1, PAGES_OUT[0])
    problem = replace(
        seen.problems[AlarmKind.DEINDEXED]["google"],
        timelines={PAGES_OUT[0]: tuple(f"event {number}" for number in range(1_000))},
    )
    [alarm] = decide(SITE, start, (), replace(seen, problems={AlarmKind.DEINDEXED: {"google": problem}})).opened
    assert len(alarm.details) == 22
    assert (alarm.details[1], alarm.details[-1]) == ("  980 earlier lines", "  event 999")
