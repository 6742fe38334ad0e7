"""What urlset says of a simulated year, compared with its truth."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median

import pytest
from tests.coverage.simulated_year import AUDITS, DAYS, LOST, MOVE, REPORTS, SITE, START, Page, Year, moment

import urlset
from urlset import api
from urlset.model.clock import ClockResult, ClockStep, WaitGroup
from urlset.model.monitoring import Alarm, AlarmKind, Observation, Observed, SiteState
from urlset.model.page_timeline import EventKind, PageEvent
from urlset.monitor.decide import decide
from urlset.monitor.search_evidence import deindexed, indexed_again
from urlset.rules.rule import Severity
from urlset.store.file import Store
from urlset.store.page_timeline import timeline_of_page
from urlset.store.sites import finished_runs


@pytest.fixture(scope="module")
def year(amount: Callable[[str], int]) -> Year:
    return Year(amount("a simulated year"))


@pytest.fixture(scope="module")
def store(year: Year, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("year")
    path = folder / "urlset.duckdb"
    with Store.create(path) as created:
        year.record(created)
    year.write_log(folder / "access.log")
    (folder / "ranges").mkdir()
    content = {"creationTime": datetime.now(UTC).isoformat(), "prefixes": [{"ipv4Prefix": "66.249.64.0/19"}]}
    (folder / "ranges" / "common-crawlers.json").write_text(json.dumps(content))
    urlset.logs([str(folder / "access.log")], store=path, site=SITE, ranges=folder / "ranges")
    return path


@pytest.fixture(scope="module")
def clock(store: Path) -> ClockResult:
    return api.coverage_clock(store=store)


def test_what_is_known(clock: ClockResult) -> None:
    assert (clock.engine, clock.crawler, clock.reports, clock.impression_days) == ("google", "Googlebot", 6, DAYS - 2)
    assert clock.days_without_logs == len(LOST)


def within_a_day(group: WaitGroup, truth: list[float]) -> None:
    """Check that the median is the true one, give or take a day, and that its interval is worth something."""
    assert group.median is not None
    true, low, high = median(truth), group.median.low, group.median.high
    assert high is not None, (group, true)
    assert low - 1 <= true <= high + 1, (group, true)
    assert high - low <= 8, (group, true)


@pytest.mark.parametrize("section", ["", "blog", "docs", "store"])
def test_the_median_from_text_to_crawl(section: str, year: Year, clock: ClockResult) -> None:
    step = next(each for each in clock.steps if each.step is ClockStep.TEXT_TO_CRAWL)
    groups = {"": step.every} | {group.name.removeprefix("example.com/").strip("/"): group for group in step.sections}
    within_a_day(groups[section], year.crawl_waits(section))


def test_the_median_from_crawl_to_index(year: Year, clock: ClockResult) -> None:
    steps = {each.step: each.every for each in clock.steps}
    within_a_day(steps[ClockStep.CRAWL_TO_INDEX], year.index_waits())
    # Reports that are two months apart do not tell on which day a page got into the index.
    assert steps[ClockStep.INDEX_TO_IMPRESSION].unknown > 0.9 * sum(at < float("inf") for at in year.impression_waits())
    assert steps[ClockStep.INDEX_TO_IMPRESSION].median is None


def is_in(event: PageEvent, day: float) -> bool:
    """Return whether something happened when the event says."""
    at = moment(day)
    return (event.after is None or event.after - timedelta(days=1) < at) and at < event.at + timedelta(days=1)


def test_the_timeline_of_fifty_pages(year: Year, store: Path) -> None:
    pages: list[Page] = year.chance.sample(year.pages, 40) + year.deindexed[:10]
    with Store.read(store) as opened:
        runs = finished_runs(opened.runs())
        for page in pages:
            events: dict[EventKind, list[PageEvent]] = {}
            for event in timeline_of_page(opened, page.url, page.page_hash, runs).events:
                events.setdefault(event.kind, []).append(event)
            [listed] = events[EventKind.LISTED]
            assert is_in(listed, max(page.published, 0)), (page, listed)
            changed = events.get(EventKind.TEXT_CHANGED, [])
            # Only the last change is shown.
            edits = [at for at in page.changes if at < min(page.removed, AUDITS[-1])]
            assert bool(changed) == bool(edits), page
            assert all(is_in(event, edits[-1]) for event in changed[-1:]), (page, changed)
            assert all(any(is_in(event, at) for at in edits) for event in changed), (page, changed)
            seen = [at for at in page.crawls if 0 <= at < DAYS and int(at) not in LOST]
            crawled = [event for event in events.get(EventKind.CRAWLED, []) if "log" in event.evidence]
            assert bool(crawled) == bool(seen), page
            assert all(any(is_in(event, at) for at in page.crawls) for event in crawled), page
            if seen:
                assert any(is_in(event, seen[-1]) for event in crawled), page
            reported = events.get(EventKind.REPORTED, [])
            assert bool(reported) == any(page.published <= day for day in REPORTS), page
            shown = events.get(EventKind.IMPRESSION, [])
            if page.impressions and page.impressions[0] >= 0:
                assert is_in(shown[0], page.impressions[0]), (page, shown)
            if page.impressions and page.impressions[-1] >= 0:
                assert is_in(shown[-1], page.impressions[-1]), (page, shown)
            assert bool(shown) == any(day >= 0 for day in page.impressions), page


def test_each_page_that_falls_out_of_the_index_is_alarmed_once(year: Year, tmp_path: Path) -> None:
    state, alarms, opened = SiteState(), tuple[Alarm, ...](), list[str]()
    with Store.create(tmp_path / "urlset.duckdb") as store:
        for month in range(12):
            since, until = month * 30, month * 30 + 30
            year.record(store, since + (month > 0), until + 1)
            run = sum(at < until for at in AUDITS)
            problems = {
                found.name: Observed(
                    title=found.title, severity=Severity.ERROR, members=found.members, count=len(found.members)
                )
                for found in deindexed(store, run)
            }
            urls = [url for alarm in alarms for url in alarm.members]
            decision = decide(
                SITE,
                state,
                alarms,
                Observation(
                    at=moment(until),
                    problems={AlarmKind.DEINDEXED: problems},
                    returned={
                        (AlarmKind.DEINDEXED, "google"): indexed_again(store, run, "google", urls, is_whole=True)
                    },
                ),
            )
            state, alarms = decision.state, (*decision.still_open, *decision.opened)
            opened += [url for alarm in decision.opened for url in alarm.members]
    assert sorted(opened) == sorted(page.url for page in year.deindexed)


def test_pages_that_moved_are_not_listed_any_longer(year: Year, clock: ClockResult) -> None:
    shop = [page for page in year.pages if page.removed == MOVE]
    assert shop
    step = clock.steps[0]
    assert "example.com/shop/" not in {group.name for group in step.sections}
    assert START < clock.made_at < moment(DAYS)
