"""Measures how long pages take from text to crawl, from crawl to index, and to an impression, from what a store has.

The temporary tables have a row per page and change; DuckDB groups them by what is known of them, so that Python gets a
row per group. Days are numbers, from 1970-01-01, in UTC.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from urlset.coverage.index_states import engines_with_reports
from urlset.model.clock import (
    MAX_INDEX_DAYS,
    MIN_WAITS,
    ClockResult,
    ClockStep,
    CurvePoint,
    DayRange,
    SharedTrait,
    SlowPage,
    SlowPages,
    StepTimes,
    TraitCount,
    WaitGroup,
)
from urlset.model.coverage import GOOGLE
from urlset.store.file import RUN_ID
from urlset.store.log_days import days_with_logs, days_without_logs, other_days
from urlset.store.page_list import TEMPLATE
from urlset.store.page_states import states_query
from urlset.store.page_timeline import ENGINES, is_whole
from urlset.store.possible import POSSIBLE_REPORT, future_lines, future_reports, last_possible
from urlset.store.sites import by_site, finished_runs
from urlset.store.waits import (
    NOTHING_KNOWN,
    distribution,
    union,
    until_first,
    within,
)
from urlset.tables import (
    INDEX_STATES,
    LINKED,
    PAGE_CRAWLS,
    SEARCH_ANALYTICS,
    SEARCH_ANALYTICS_DAYS,
    URLS,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from urlset.model.run import RunRow
    from urlset.store.file import Store
    from urlset.store.waits import Distribution, Span, Wait

MEMORY = "256MB"
"""Memory limit of DuckDB for these queries."""

MAX_POINTS = 120
"""Maximum points of a curve."""

MAX_EXAMPLES = 10
"""Maximum examples of pages that wait long."""

ROWS_AT_ONCE = 10_000
"""Number of groups to read at once."""

DEEP = 3
"""Links from a home page beyond which a page is deep."""

SHARED_FACTOR = 2
"""How many times as large the share of pages with a trait must be as among the others."""

MIN_SHARED = 3
"""Pages that must have a trait for it to be shared."""

_EPOCH = date(1970, 1, 1)

_CRAWLERS = {engine: crawler for crawler, engine in ENGINES.items()}

_DAY = "({at}::DATE - DATE '1970-01-01')::INTEGER"

_PAGES = """
CREATE OR REPLACE TEMP TABLE clock_pages AS
SELECT page_hash, loc_hash, url, lower(regexp_extract(url, '^[A-Za-z]+://[^/?#]+')) AS site,
    regexp_extract(url, '^[A-Za-z]+://([^/?#]*/(?:[^/?#]*/)?)', 1) AS section, {template} AS template,
    NOT is_indexable AS is_barred, content_hash, len(coalesce(hops, [])) AS redirects
FROM ({pages}) WHERE page_hash IS NOT NULL
QUALIFY row_number() OVER (PARTITION BY page_hash ORDER BY document_id, ordinal) = 1
"""

_RUNS = """
CREATE OR REPLACE TEMP TABLE clock_runs (place INTEGER, run_id INTEGER, after_day INTEGER, at_day INTEGER)
"""

_STATES = f"""
CREATE OR REPLACE TEMP TABLE clock_states AS
SELECT page_hash, {_DAY.format(at="first_at")} AS first_day, {_DAY.format(at="last_at")} AS last_day, first_at,
    content_hash, text_version
FROM ({{states}})
"""

# A page is only new if a run before, with the same targets, read all sitemaps and did not list it.
_CHANGES = f"""
CREATE OR REPLACE TEMP TABLE clock_changes AS
WITH texts AS (
    SELECT page_hash, first_day, content_hash, text_version, lag(last_day) OVER same AS before_day,
        lag(content_hash) OVER same AS hash_before, lag(text_version) OVER same AS version_before
    FROM clock_states WHERE content_hash IS NOT NULL
    WINDOW same AS (PARTITION BY page_hash ORDER BY first_at)
), listed AS (
    SELECT p.page_hash, min(r.place) AS place FROM clock_pages AS p
    JOIN {URLS.name} AS u ON u.loc_hash = p.loc_hash JOIN clock_runs AS r ON r.run_id = u.{RUN_ID} GROUP BY ALL
)
SELECT row_number() OVER () AS change, * FROM (
    SELECT page_hash, before_day AS after_day, first_day AS at_day, false AS is_new FROM texts
    WHERE hash_before <> content_hash AND version_before = text_version
    UNION ALL
    SELECT l.page_hash, r.after_day, r.at_day, true FROM listed AS l JOIN clock_runs AS r ON r.place = l.place
    WHERE r.after_day IS NOT NULL AND NOT EXISTS (
        FROM clock_states AS s WHERE s.page_hash = l.page_hash AND s.first_day < r.after_day
    )
)
"""

_CRAWLS = f"""
CREATE OR REPLACE TEMP TABLE clock_crawls AS
SELECT DISTINCT page_hash, {_DAY.format(at="day")} AS day FROM {PAGE_CRAWLS.name}
WHERE agent = $1 AND day <= $2 AND good_hits > 0 AND page_hash IN (SELECT page_hash FROM clock_pages)
"""

_REPORTS = f"""
CREATE OR REPLACE TEMP TABLE clock_reports AS
SELECT page_hash, {_DAY.format(at='"at"')} AS day, bool_or(state = 'indexed') AS is_indexed,
    bool_or(reason IN ('discovered-not-indexed', 'unknown-to-engine')) AS is_uncrawled,
    max({_DAY.format(at="last_crawled")}) AS crawled_day
FROM {INDEX_STATES.name}
WHERE engine = $1 AND {POSSIBLE_REPORT} AND page_hash IN (SELECT page_hash FROM clock_pages) GROUP BY ALL
"""

_EMPTY = """
CREATE OR REPLACE TEMP TABLE clock_crawls (page_hash BIGINT, day INTEGER);
CREATE OR REPLACE TEMP TABLE clock_reports (
    page_hash BIGINT, day INTEGER, is_indexed BOOLEAN, is_uncrawled BOOLEAN, crawled_day INTEGER
);
CREATE OR REPLACE TEMP TABLE clock_impressions (page_hash BIGINT, day INTEGER)
"""

# A page that has impressions is indexed, although an export need not list it: the next day with reports counts, since
# the day of an impression depends on that of the index.
_WAITS = """
CREATE OR REPLACE TEMP TABLE clock_waits AS
WITH crawled AS (
    SELECT c.change, list(k.day ORDER BY k.day) FILTER (k.day <= c.at_day) AS crawl_days,
        min(k.day) FILTER (k.day > c.at_day) AS crawled_at
    FROM clock_changes AS c JOIN clock_crawls AS k ON k.page_hash = c.page_hash AND k.day >= c.after_day GROUP BY ALL
), proven AS (
    SELECT page_hash, day, is_indexed FROM clock_reports WHERE is_indexed IS NOT NULL
    UNION ALL
    SELECT i.page_hash, min(r.day), true
    FROM (SELECT page_hash, min(day) AS day FROM clock_impressions GROUP BY ALL) AS i
    JOIN (SELECT DISTINCT day FROM clock_reports) AS r ON r.day > i.day GROUP BY ALL
), reported AS (
    SELECT c.change,
        min(r.day) FILTER (r.day > c.at_day AND (r.crawled_day > c.at_day OR c.is_new AND r.is_indexed)) AS crawled_by,
        max(r.day) FILTER (
            r.day > c.at_day AND (r.crawled_day < c.after_day OR c.is_new AND r.is_uncrawled AND r.crawled_day IS NULL)
        ) AS uncrawled_at,
        arg_max(r.is_indexed, r.day) FILTER (r.day < c.after_day) AS was_indexed
    FROM clock_changes AS c JOIN clock_reports AS r ON r.page_hash = c.page_hash GROUP BY ALL
), indexed AS (
    SELECT c.change, min(p.day) AS indexed_at
    FROM clock_changes AS c JOIN proven AS p ON p.page_hash = c.page_hash AND p.day >= c.after_day AND p.is_indexed
    GROUP BY ALL
), refused AS (
    SELECT c.change, max(p.day) AS refused_at FROM clock_changes AS c
    JOIN proven AS p ON p.page_hash = c.page_hash AND p.day >= c.after_day AND NOT p.is_indexed
    LEFT JOIN indexed AS i ON i.change = c.change
    WHERE i.indexed_at IS NULL OR p.day < i.indexed_at
    GROUP BY ALL
), seen AS (
    SELECT c.change, min(m.day) AS seen_at FROM clock_changes AS c
    LEFT JOIN refused AS r ON r.change = c.change
    JOIN clock_impressions AS m ON m.page_hash = c.page_hash AND m.day >= coalesce(r.refused_at, c.after_day)
    GROUP BY ALL
)
SELECT c.page_hash, p.section, p.template, {
    'site': p.site, 'after_day': c.after_day, 'at_day': c.at_day, 'crawl_days': coalesce(k.crawl_days, []),
    'crawled_at': k.crawled_at, 'crawled_by': r.crawled_by, 'uncrawled_at': r.uncrawled_at,
    'is_entry': coalesce(NOT r.was_indexed, c.is_new) AND row_number() OVER (
        PARTITION BY c.page_hash, coalesce(NOT r.was_indexed, c.is_new) ORDER BY c.after_day, NOT c.is_new
    ) = 1,
    'indexed_at': i.indexed_at, 'refused_at': n.refused_at, 'seen_at': s.seen_at
} AS facts
FROM clock_changes AS c
JOIN clock_pages AS p ON p.page_hash = c.page_hash
LEFT JOIN crawled AS k ON k.change = c.change
LEFT JOIN reported AS r ON r.change = c.change
LEFT JOIN indexed AS i ON i.change = c.change
LEFT JOIN refused AS n ON n.change = c.change
LEFT JOIN seen AS s ON s.change = c.change
"""

_GROUPS = """
CREATE OR REPLACE TEMP TABLE clock_groups AS
SELECT row_number() OVER () AS number, section, template, facts, count(*) AS changes FROM clock_waits GROUP BY ALL
"""

_SLOW = """
CREATE OR REPLACE TEMP TABLE clock_slow AS
SELECT w.page_hash, min(g.number) AS number FROM clock_waits AS w
JOIN clock_groups AS g ON g.section = w.section AND g.template = w.template AND g.facts IS NOT DISTINCT FROM w.facts
WHERE g.number IN (SELECT unnest($1::BIGINT[])) GROUP BY ALL
"""

_EXAMPLES = """
SELECT p.url, s.number FROM clock_slow AS s JOIN clock_pages AS p ON p.page_hash = s.page_hash
ORDER BY list_position($1::BIGINT[], s.number), p.url LIMIT $2
"""

_TRAITS = {
    SharedTrait.NO_LINKS: "links = 0",
    SharedTrait.DEEP: f"links > 0 AND coalesce(clicks > {DEEP:d}, true)",
    SharedTrait.REDIRECTS: "redirects > 1",
    SharedTrait.DUPLICATE: "copies > 1",
    SharedTrait.NOT_INDEXABLE: "is_barred",
}
"""SQL for whether a page has a trait; null if that is unknown."""

_SHARED = f"""
WITH linked AS ({{linked}}), traits AS (
    SELECT p.page_hash IN (SELECT page_hash FROM clock_slow) AS is_slow, p.redirects, p.is_barred,
        CASE WHEN p.content_hash IS NOT NULL THEN count(*) OVER (PARTITION BY p.content_hash) END AS copies,
        l.links, l.clicks
    FROM clock_pages AS p LEFT JOIN linked AS l ON l.page_hash = p.page_hash
)
SELECT is_slow, {", ".join(f"count(*) FILTER ({trait}), count({trait})" for trait in _TRAITS.values())}
FROM traits GROUP BY is_slow ORDER BY is_slow
"""

_IMPRESSIONS = f"""
CREATE OR REPLACE TEMP TABLE clock_impressions AS
SELECT DISTINCT page_hash, {_DAY.format(at="day")} AS day FROM {SEARCH_ANALYTICS.name}
WHERE search_type = 'web' AND impressions > 0 AND page_hash IN (SELECT page_hash FROM clock_pages)
"""

# Of a day that was cut or is provisional, more pages may have impressions.
_ANALYTICS_DAYS = f"""
SELECT DISTINCT {_DAY.format(at="day")} AS day_number FROM {SEARCH_ANALYTICS_DAYS.name}
WHERE search_type = 'web' AND NOT is_cut AND NOT is_provisional AND property IN (
    SELECT property FROM {SEARCH_ANALYTICS.name} WHERE page_hash IN (SELECT page_hash FROM clock_pages)
) ORDER BY day_number
"""


class _Facts(NamedTuple):
    """What is known of a change, as days; those of reports and impressions are the first or last that matter."""

    site: str
    after_day: int
    at_day: int
    crawl_days: Sequence[int]
    crawled_at: int | None
    crawled_by: int | None
    uncrawled_at: int | None
    is_entry: bool | None
    indexed_at: int | None
    refused_at: int | None
    seen_at: int | None

    @property
    def changed(self) -> tuple[int, int]:
        """The first and last day on which it may have been."""
        return self.after_day, self.at_day


class _Begun(NamedTuple):
    """A wait, and the last day on which it may have begun."""

    wait: Wait
    since: int


class _Unknown(NamedTuple):
    """The days of which nothing is known, as intervals; the last one has no end.

    Attributes:
        requests: Of the requests of the crawler, by site.
    """

    requests: Mapping[str, Sequence[Span]]
    impressions: Sequence[Span]


_EVERY_DAY: Sequence[Span] = ((0, None),)


@dataclass(slots=True)
class _Step:
    """The waits of one step: how often there is each, in all groups and in each, and the numbers of groups in SQL."""

    every: Counter[Wait] = field(default_factory=Counter)
    sections: defaultdict[str, Counter[Wait]] = field(default_factory=lambda: defaultdict(Counter))
    templates: defaultdict[str, Counter[Wait]] = field(default_factory=lambda: defaultdict(Counter))
    waiting: dict[int, _Begun] = field(default_factory=dict)

    def add(self, number: int, section: str, template: str, begun: _Begun, changes: int) -> None:
        for counter in (self.every, self.sections[section], self.templates[template]):
            counter[begun.wait] += changes
        if begun.wait[-1][1] is None and begun.wait != NOTHING_KNOWN:
            self.waiting[number] = begun


def clock_of_run(store: Store, run: RunRow, engine: str | None, rows: int) -> ClockResult:
    """Return how long the pages of a run take from text to crawl, index, and impression.

    Args:
        store: The store, open for reading.
        engine: The search engine; None for google if it has reports, otherwise the first one, or google.
        rows: Maximum number of sections and templates; 0 for all.

    Raises:
        InputError: The store is damaged.
    """
    engines = engines_with_reports(store)
    engine = engine or (GOOGLE if GOOGLE in engines or not engines else engines[0])
    with store.share() as shared, shared.holding(MEMORY):
        return _Clock(shared, run, engine).result(rows)


class _Clock:
    """The tables of a run and a search engine. They end with the connection.

    Args:
        store: A connection of its own.
    """

    def __init__(self, store: Store, run: RunRow, engine: str) -> None:
        self._store, self._run, self._engine = store, run, engine
        self._crawler = _CRAWLERS.get(engine)
        self._analytics = engine == GOOGLE and store.has_table(SEARCH_ANALYTICS.name)
        execute = store.connection.execute
        execute(_PAGES.format(pages=store.pages(run.run_id), template=TEMPLATE))
        self._add_changes()
        execute(_EMPTY)
        if store.has_table(PAGE_CRAWLS.name) and self._crawler is not None:
            execute(_CRAWLS, [self._crawler, last_possible()])
        if store.has_table(INDEX_STATES.name):
            execute(_REPORTS, [engine])
        if self._analytics:
            execute(_IMPRESSIONS)
        execute(_WAITS)
        execute(_GROUPS)

    def _add_changes(self) -> None:
        execute = self._store.connection.execute
        group = next(group for group in by_site(self._store.runs()) if self._run in group)
        runs = [run for run in finished_runs(group) if run.run_id <= self._run.run_id]
        execute(_RUNS)
        for place, run in enumerate(runs):
            before = next((each for each in reversed(runs[:place]) if each.targets == run.targets), None)
            after = None if before is None or not is_whole(self._store, before.run_id) else _number(before.started_at)
            at = _number(run.finished_at or run.started_at)
            execute("INSERT INTO clock_runs VALUES ($1, $2, $3, $4)", [place, run.run_id, after, at])
        states = states_query(self._store, "page_hash IN (SELECT page_hash FROM clock_pages)", runs)
        execute(_STATES.format(states=states))
        execute(_CHANGES)

    def result(self, rows: int) -> ClockResult:
        sites = {site for (site,) in self._store.rows("SELECT DISTINCT site FROM clock_pages")}
        log_days = {} if self._crawler is None else days_with_logs(self._store, self._crawler)
        log_days = {site: days for site, days in log_days.items() if site in sites}
        every = sorted({day for days in log_days.values() for day in days})
        asked = [day for (day,) in self._store.rows(_ANALYTICS_DAYS)] if self._analytics else []
        unknown = _Unknown(
            {site: days_without_logs(days) for site, days in log_days.items()},
            other_days(asked),
        )
        steps = {step: _Step() for step in ClockStep}
        for number, section, template, facts, changes in self._groups():
            for step, begun in _waits(_Facts(**facts), unknown):
                steps[step].add(number, section, template, begun, changes)
        [(reports,)] = self._store.rows("SELECT count(DISTINCT day) FROM clock_reports")
        return ClockResult(
            store=self._store.path,
            run_id=self._run.run_id,
            made_at=self._run.finished_at or self._run.started_at,
            engine=self._engine,
            crawler=self._crawler,
            logs_from=_date(every[0]) if every else None,
            logs_to=_date(every[-1]) if every else None,
            log_days=len(every),
            days_without_logs=every[-1] - every[0] + 1 - len(every) if every else 0,
            future_lines=future_lines(self._store),
            reports=reports,
            future_reports=future_reports(self._store, self._engine),
            impression_days=len(asked),
            steps=tuple(self._times(step, waits, rows) for step, waits in steps.items()),
        )

    def _groups(self) -> Iterator[tuple[int, str, str, dict[str, Any], int]]:
        # No other statement runs on this connection meanwhile, and others do not have its temporary tables.
        groups = self._store.connection.execute("SELECT * FROM clock_groups")
        while rows := groups.fetchmany(ROWS_AT_ONCE):
            yield from rows

    def _times(self, step: ClockStep, waits: _Step, rows: int) -> StepTimes:
        every, known = _group("", waits.every)
        sections, templates = _first(waits.sections, rows), _first(waits.templates, rows)
        return StepTimes(
            step=step,
            every=every,
            curve=() if known is None else tuple(CurvePoint(*point) for point in known.curve(MAX_POINTS)),
            sections=sections,
            more_sections=len(waits.sections) - len(sections),
            templates=templates,
            more_templates=len(waits.templates) - len(templates),
            slow=None if known is None or every.ended < MIN_WAITS else self._slow(known, waits.waiting),
        )

    def _slow(self, known: Distribution, waiting: Mapping[int, _Begun]) -> SlowPages:
        limit = known.quantile(0.9 * known.ended)
        days = limit.low if limit.high is None else limit.high
        slow = sorted(
            (number for number, begun in waiting.items() if begun.wait[0][0] > days),
            key=lambda number: -waiting[number].wait[0][0],
        )
        self._store.connection.execute(_SLOW, [slow])
        [(pages,)] = self._store.rows("SELECT count(*) FROM clock_slow")
        examples = self._store.rows(_EXAMPLES, [slow, MAX_EXAMPLES])
        return SlowPages(
            days=days,
            pages=pages,
            examples=tuple(
                SlowPage(url, _date(waiting[number].since), waiting[number].wait[0][0]) for url, number in examples
            ),
            shared=tuple(self._shared()) if pages else (),
        )

    def _shared(self) -> Iterator[TraitCount]:
        """Yield what many of the slow pages have, and few of the others."""
        linked = (
            f"SELECT page_hash, links, clicks FROM {LINKED.name} WHERE {RUN_ID} = {self._run.run_id:d} "
            "AND basis IS NOT NULL"
            if self._store.has_table(LINKED.name)
            else "SELECT NULL::BIGINT AS page_hash, NULL::BIGINT AS links, NULL::INTEGER AS clicks WHERE false"
        )
        counts = {is_slow: numbers for is_slow, *numbers in self._store.rows(_SHARED.format(linked=linked))}
        others = counts.get(False, [0] * 2 * len(_TRAITS))
        for place, trait in enumerate(_TRAITS):
            have, of = counts[True][2 * place : 2 * place + 2]
            others_have, of_others = others[2 * place : 2 * place + 2]
            if have >= MIN_SHARED and have * of_others >= SHARED_FACTOR * others_have * of:
                yield TraitCount(trait, have, of, others_have, of_others)


def _waits(facts: _Facts, unknown: _Unknown) -> Iterator[tuple[ClockStep, _Begun]]:
    """Yield the waits of a change, each with its step."""
    without_logs = unknown.requests.get(facts.site, _EVERY_DAY)
    yield ClockStep.TEXT_TO_CRAWL, _Begun(_until_crawl(facts, without_logs), facts.at_day)
    if not facts.is_entry:
        return
    crawled = _crawl(facts, without_logs)
    if crawled is None:
        return
    yield ClockStep.CRAWL_TO_INDEX, _Begun(_until_index(facts, crawled), crawled[1])
    if facts.indexed_at is not None:
        first = min(max(crawled[0], facts.refused_at or 0), facts.indexed_at)
        yield (
            ClockStep.INDEX_TO_IMPRESSION,
            _Begun(_until_impression(facts, first, unknown.impressions), facts.indexed_at),
        )


def _until_impression(facts: _Facts, first: int, unasked: Sequence[Span]) -> Wait:
    """Return the possible days from the index to an impression.

    Args:
        first: The first day on which the page may have been indexed.
    """
    last = facts.indexed_at
    assert last is not None
    if last - first > MAX_INDEX_DAYS:
        return NOTHING_KNOWN
    if facts.seen_at is not None and facts.seen_at <= last:
        return ((0, max(0, facts.seen_at + 1 - first)),)
    wait = until_first((first, last), [] if facts.seen_at is None else [facts.seen_at], unasked)
    # A day of Search Analytics, in California, ends on the next one in UTC.
    return union((low, high if high is None else high + 1) for low, high in wait)


def _until_crawl(facts: _Facts, without_logs: Sequence[Span]) -> Wait:
    events = [*facts.crawl_days, *([] if facts.crawled_at is None else [facts.crawled_at])]
    wait = until_first(facts.changed, events, without_logs)
    # Logs and reports can contradict each other: Search Console shows some crawls late.
    if facts.uncrawled_at is not None:
        wait = within(wait, facts.uncrawled_at - facts.at_day + 1, None) or wait
    if facts.crawled_by is not None:
        wait = within(wait, 0, facts.crawled_by - facts.after_day) or wait
    return wait


def _crawl(facts: _Facts, without_logs: Sequence[Span]) -> tuple[int, int] | None:
    """Return the first and last day of the first crawl after a change; None if it is not known to have come."""
    ends = [day for day in (facts.crawled_at, facts.crawled_by, facts.indexed_at) if day is not None]
    if not ends:
        return None
    last = min(ends)
    starts = [day for day in facts.crawl_days if day >= facts.after_day]
    starts += [max(low, facts.after_day) for low, high in without_logs if high is None or high >= facts.after_day][:1]
    return min([*starts, last]), last


def _until_index(facts: _Facts, crawled: tuple[int, int]) -> Wait:
    first, last = crawled
    refused = first if facts.refused_at is None else max(first, facts.refused_at)
    return ((max(0, refused - last), None if facts.indexed_at is None else facts.indexed_at - first),)


def _first(groups: Mapping[str, Counter[Wait]], rows: int) -> tuple[WaitGroup, ...]:
    """Return the groups with the most waits."""
    names = sorted(groups, key=lambda name: (-_known_count(groups[name]), name))
    return tuple(_group(name, groups[name])[0] for name in (names[:rows] if rows else names))


def _known_count(waits: Counter[Wait]) -> int:
    return waits.total() - waits[NOTHING_KNOWN]


def _group(name: str, waits: Counter[Wait]) -> tuple[WaitGroup, Distribution | None]:
    """Return the waits of a group in numbers, and their distribution, unless they are too few."""
    known = {wait: count for wait, count in waits.items() if wait != NOTHING_KNOWN}
    n = sum(known.values())
    ended = {wait: count for wait, count in known.items() if wait[-1][1] is not None}
    estimate = distribution(known) if n >= MIN_WAITS else None

    def days(share: float) -> DayRange | None:
        return None if estimate is None else DayRange(*estimate.quantile(share))

    group = WaitGroup(
        name=name,
        n=n,
        ended=sum(ended.values()),
        waiting=n - sum(ended.values()),
        intervals=sum(count for wait, count in ended.items() if wait[0][0] != wait[-1][1]),
        unknown=waits[NOTHING_KNOWN],
        day_25=days(0.25),
        median=days(0.5),
        day_75=days(0.75),
        day_90=days(0.9),
    )
    return group, estimate


def _number(at: datetime) -> int:
    return (at.astimezone(UTC).date() - _EPOCH).days


def _date(day: int) -> date:
    return _EPOCH + timedelta(days=day)
