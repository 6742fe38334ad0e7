"""`coverage --clock`: times from audits, logs, reports, and impressions of a store with known rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import _duckdb as duckdb
import pytest

from urlset import _core, tables
from urlset.coverage.clock import clock_of_run
from urlset.coverage.render_clock import markdown, text
from urlset.model.clock import ClockStep, DayRange, SharedTrait, StepTimes
from urlset.monitor.search_evidence import deindexed
from urlset.store.file import Store
from urlset.store.page_timeline import timeline_of_page

SITE = "https://example.com"
SITEMAP = f"{SITE}/sitemap.xml"
PAGES = [f"{SITE}/blog/post-{number}" for number in range(10)]

TABLES = (
    *("runs", "documents", "urls", "pages", "linked", "crawl_days", "page_crawls", "index_states", "page_states"),
    *("search_analytics", "search_analytics_days", "cuts", "log_files"),
)


def at(number: int) -> datetime:
    return (datetime(2026, 3, 1, 12, tzinfo=UTC) + timedelta(days=number)).replace(tzinfo=None)


def midnight(number: int) -> datetime:
    return at(number).replace(hour=0)


class Site:
    """Writes rows as audits, logs, and imports do."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.runs = 0

    def insert(self, table: str, rows: Sequence[dict[str, Any]]) -> None:
        names = ", ".join(f'"{name}"' for name in rows[0])
        values = ", ".join(f"({', '.join('?' * len(rows[0]))})" for _ in rows)
        cells = [cell for row in rows for cell in row.values()]
        self.store.connection.execute(f"INSERT INTO {table} ({names}) VALUES {values}", cells)

    def audit(self, day: int, texts: dict[str, int], *, is_whole: bool = True) -> None:
        self.runs += 1
        run = {"run_id": self.runs}
        self.insert(
            "runs",
            [
                {
                    **run, "started_at": at(day), "finished_at": at(day), "targets": [SITE], "settings": "{}",
                    "version": "1", "documents": 1, "urls": 1, "pages": 1, "text_version": 1,
                }
            ],
        )  # fmt: skip
        document = {"document_id": 0, "url": SITEMAP, "final_url": SITEMAP, "kind": "urlset", "complete": is_whole}
        self.insert("documents", [{**run, **document}])
        entries = [
            {**run, "document_id": 0, "ordinal": number, "loc_hash": _core.url_hash(url)}
            for number, url in enumerate(texts)
        ]
        if not entries:
            return
        self.insert("urls", entries)
        self.insert(
            "pages",
            [
                {
                    **entry, "url": url, "page_hash": _core.page_hash(url), "fetched_at": at(day), "status": 200,
                    "content_hash": text, "is_indexable": True,
                }
                for entry, (url, text) in zip(entries, texts.items(), strict=True)
            ],
        )  # fmt: skip

    def logs(self, first: int, last: int, verdict: str = "verified", site: str = SITE) -> None:
        self.insert(
            "crawl_days",
            [
                {"site": site, "agent": "Googlebot", "verdict": verdict, "day": midnight(day)}
                for day in range(first, last + 1)
            ],
        )

    def crawl(self, url: str, day: int) -> None:
        row = {"page_hash": _core.page_hash(url), "agent": "Googlebot", "day": midnight(day), "hits": 1, "good_hits": 1}
        self.insert("page_crawls", [row])

    def report(self, url: str, day: int, state: str, crawled: int | None = None, reason: str | None = None) -> None:
        row = {"url": url, "page_hash": _core.page_hash(url), "engine": "google", "state": state, "at": at(day)}
        more = {"last_crawled": None if crawled is None else at(crawled), "reason": reason}
        self.insert("index_states", [{**row, **more}])

    def step(self, step: ClockStep) -> StepTimes:
        times = clock_of_run(self.store, self.store.run(), None, 40).steps
        return next(each for each in times if each.step is step)


@pytest.fixture(scope="module")
def in_memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    connection = duckdb.connect()
    columns = {name: tables.TABLES[name].column_names for name in TABLES}
    yield Store.temporary(tmp_path_factory.mktemp("store"), connection, columns)
    connection.close()


@pytest.fixture
def site(in_memory: Store) -> Iterator[Site]:
    yield Site(in_memory)
    for name in TABLES:
        in_memory.connection.execute(f"DELETE FROM {name}")


def new_pages(site: Site, urls: Sequence[str] = PAGES) -> None:
    """Pages that came between two audits, on days 10 to 11."""
    site.audit(10, {SITE: 1})
    site.audit(11, {SITE: 1, **dict.fromkeys(urls, 2)})


def test_from_text_to_crawl(site: Site) -> None:
    new_pages(site)
    site.logs(1, 41)
    for number, url in enumerate(PAGES[:8]):
        site.crawl(url, 15 + number)
    times = site.step(ClockStep.TEXT_TO_CRAWL)
    every = times.every
    assert (every.n, every.ended, every.waiting, every.intervals, every.unknown) == (10, 8, 2, 8, 0)
    # They are new since day 10 or 11; the first one was crawled on day 15, the fifth one on day 19.
    assert every.median is not None
    assert every.median.low in (8, 9)
    # Two of ten wait since day 11 at the latest, and the last whole day of the logs is day 40.
    assert every.day_90 == DayRange(30, None)
    assert [group.name for group in times.sections] == ["example.com/blog/"]
    assert [group.name for group in times.templates] == ["/blog/*"]
    assert times.slow is not None
    assert [(page.url, page.days, f"{page.since}") for page in times.slow.examples] == [
        (url, 30, "2026-03-12") for url in PAGES[8:]
    ]


def test_days_of_the_future_are_errors_of_the_log(site: Site) -> None:
    new_pages(site)
    site.logs(1, 41)
    never = (datetime(9999, 11, 23) - at(0)).days  # noqa: DTZ001 - as the store has it
    site.logs(never, never)
    site.crawl(PAGES[0], never)
    result = clock_of_run(site.store, site.store.run(), None, 40)
    assert (f"{result.logs_to}", result.days_without_logs) == ("2026-04-11", 0)
    assert (result.steps[0].every.ended, result.steps[0].every.waiting) == (0, 10)


def test_the_memory_limit_of_other_pages_of_the_workbench_stays(site: Site) -> None:
    new_pages(site)
    with site.store.holding("512MiB"):
        clock_of_run(site.store, site.store.run(), None, 40)
        assert site.store.rows("SELECT current_setting('memory_limit')") == [("512.0 MiB",)]


def test_a_run_that_reached_a_limit_proves_no_new_page(site: Site) -> None:
    new_pages(site)
    site.insert("cuts", [{"run_id": 1, "document_id": 0, "ordinal": 0, "kind": "document-limit"}])
    site.logs(1, 41)
    assert site.step(ClockStep.TEXT_TO_CRAWL).every.n == 0


def test_a_text_that_changed_and_the_crawl_before_it(site: Site) -> None:
    site.audit(10, dict.fromkeys(PAGES, 1))
    site.audit(12, dict.fromkeys(PAGES, 2))
    site.logs(1, 41)
    for url in PAGES:
        site.crawl(url, 9)
        site.crawl(url, 14)
    every = site.step(ClockStep.TEXT_TO_CRAWL).every
    assert every.median == DayRange(2, 4)


def test_without_logs_nothing_is_known(site: Site) -> None:
    new_pages(site)
    every = site.step(ClockStep.TEXT_TO_CRAWL).every
    assert (every.n, every.unknown, every.median) == (0, 10, None)


@pytest.mark.parametrize(
    ("verdict", "of"), [("unverified", SITE), ("verified", "https://www.example.com")], ids=["unverified", "other host"]
)
def test_logs_that_do_not_tell(site: Site, verdict: str, of: str) -> None:
    new_pages(site)
    site.logs(1, 41, verdict, of)
    assert site.step(ClockStep.TEXT_TO_CRAWL).every.unknown == 10


def test_a_gap_in_the_logs_may_have_a_crawl(site: Site) -> None:
    new_pages(site)
    site.logs(1, 13)
    site.logs(21, 41)
    for url in PAGES[:9]:
        site.crawl(url, 22)
    times = site.step(ClockStep.TEXT_TO_CRAWL)
    # Lags of days 14 to 20: also that of the tenth page, so that no page needs that of day 22.
    assert times.every.median == DayRange(3, 10)
    # The last one may have been crawled in the gap, so it does not surely wait for long.
    assert times.every.waiting == 1
    assert times.slow is not None
    assert times.slow.pages == 0


def test_below_eight_nothing_is_claimed(site: Site) -> None:
    new_pages(site, PAGES[:7])
    site.logs(1, 41)
    for url in PAGES[:7]:
        site.crawl(url, 15)
    times = site.step(ClockStep.TEXT_TO_CRAWL)
    assert (times.every.n, times.every.median, times.curve, times.slow) == (7, None, (), None)


def test_pages_of_the_first_audit_are_not_new(site: Site) -> None:
    site.audit(10, dict.fromkeys(PAGES, 1))
    site.logs(1, 41)
    assert site.step(ClockStep.TEXT_TO_CRAWL).every.n == 0


def test_pages_of_an_audit_after_one_that_was_cut_are_not_new(site: Site) -> None:
    site.audit(10, {SITE: 1}, is_whole=False)
    site.audit(11, dict.fromkeys(PAGES, 1))
    site.logs(1, 41)
    assert site.step(ClockStep.TEXT_TO_CRAWL).every.n == 0


def test_from_crawl_to_index(site: Site) -> None:
    new_pages(site)
    site.logs(1, 41)
    for url in PAGES:
        site.crawl(url, 15)
        site.report(url, 18, "not-indexed")
    for url in PAGES[:8]:
        site.report(url, 21, "indexed")
    for url in PAGES[8:]:
        site.report(url, 35, "not-indexed")
    every = site.step(ClockStep.CRAWL_TO_INDEX).every
    assert (every.n, every.ended, every.waiting) == (10, 8, 2)
    # The first crawl was on day 15; they were indexed between the reports of days 18 and 21.
    assert every.median == DayRange(3, 6)
    assert every.day_90 == DayRange(20, None)


def test_a_page_that_was_indexed_before_is_not_waited_for(site: Site) -> None:
    site.audit(10, dict.fromkeys(PAGES, 1))
    site.audit(12, dict.fromkeys(PAGES, 2))
    site.logs(1, 41)
    for url in PAGES:
        site.report(url, 9, "indexed")
        site.crawl(url, 15)
        site.report(url, 20, "indexed")
    assert site.step(ClockStep.CRAWL_TO_INDEX).every.n == 0
    assert site.step(ClockStep.TEXT_TO_CRAWL).every.n == 10


def test_without_logs_a_report_says_that_a_page_was_not_crawled(site: Site) -> None:
    """A site whose host has no access logs: only the reports tell."""
    new_pages(site)
    for url in PAGES:
        site.report(url, 14, "not-indexed", reason="discovered-not-indexed")
        site.report(url, 17, "indexed", crawled=16)
    every = site.step(ClockStep.TEXT_TO_CRAWL).every
    assert (every.n, every.ended) == (10, 10)
    assert every.median == DayRange(4, 7)


def test_from_index_to_impression(site: Site) -> None:
    new_pages(site)
    site.logs(1, 41)
    page = {"property": "sc-domain:example.com", "search_type": "web"}
    for number, url in enumerate(PAGES):
        site.crawl(url, 15)
        site.report(url, 16, "indexed")
        if number < 9:
            site.insert(
                "search_analytics",
                [{**page, "page_hash": _core.page_hash(url), "day": midnight(20 + number), "impressions": 1}],
            )
    times = site.step(ClockStep.INDEX_TO_IMPRESSION)
    assert times.every.unknown == 1
    site.insert(
        "search_analytics_days",
        [{**page, "day": midnight(day), "is_provisional": day > 30, "is_cut": False} for day in range(1, 35)],
    )
    times = site.step(ClockStep.INDEX_TO_IMPRESSION)
    assert (times.every.n, times.every.ended, times.every.waiting) == (10, 9, 1)
    assert times.every.median is not None
    # The fifth impression was on day 24 in California, 8 or 9 days after day 15 or 16.
    assert times.every.median.low in (8, 9)
    assert times.every.day_25 is not None
    assert times.every.day_25.low in (6, 7)


def test_what_slow_pages_share(site: Site) -> None:
    new_pages(site, [*PAGES, *(f"{url}b" for url in PAGES)])
    site.logs(1, 61)
    for url in PAGES:
        site.crawl(url, 15)
    for number, url in enumerate([*PAGES, *(f"{url}b" for url in PAGES)]):
        links = int(number < 10)
        site.insert(
            "linked",
            [
                {
                    "run_id": 2,
                    "page_hash": _core.page_hash(url),
                    "links": links,
                    "clicks": links or None,
                    "basis": "listed",
                }
            ],
        )
    slow = site.step(ClockStep.TEXT_TO_CRAWL).slow
    assert slow is not None
    assert slow.pages == 10
    assert [(trait.trait, trait.pages, trait.of, trait.others) for trait in slow.shared] == [
        (SharedTrait.NO_LINKS, 10, 10, 0)
    ]


def test_what_it_says(site: Site) -> None:
    new_pages(site)
    site.logs(1, 41)
    for url in PAGES[:8]:
        site.crawl(url, 15)
    result = clock_of_run(site.store, site.store.run(), None, 40)
    lines = "\n".join(text(result))
    assert "Text to crawl: 50% in 4 to 5 days, 90% in 30 days or more" in lines
    assert "2 pages wait longer than 90% of those that were crawled took (5 days):" in lines
    assert "41 days of access logs from 2026-03-02 to 2026-04-11." in lines
    assert "Index: unknown; no reports of Google" in lines
    assert "| 4 to 5 |" in "\n".join(markdown(result))


def test_what_is_dated_in_the_future_is_left_out_with_its_number(site: Site) -> None:
    new_pages(site)
    ahead = datetime.now(UTC).replace(tzinfo=None) + timedelta(days=400)
    report = {"engine": "google", "source": "url-inspection", "state": "indexed", "at": ahead}
    site.insert("index_states", [{**report, "url": url, "page_hash": _core.page_hash(url)} for url in PAGES[:3]])
    site.insert(
        "log_files", [{"name": "a.log", "lines": 9, "future": 4}, {"name": "b.log", "lines": 9, "future": None}]
    )
    result = clock_of_run(site.store, site.store.run(), "google", 40)
    assert (result.future_lines, result.future_reports, result.reports) == (4, 3, 0)
    lines = "\n".join(text(result))
    assert "Left out: 4 lines of access logs dated in the future; check the clock." in lines
    assert "Left out: 3 reports dated in the future; check the clock." in lines
    key = _core.page_hash(PAGES[0])
    assert "reports it as" not in str(timeline_of_page(site.store, PAGES[0], key, site.store.runs()).events)
    assert deindexed(site.store, site.runs) == []


def test_a_step_that_is_unknown_says_what_it_needs(site: Site) -> None:
    new_pages(site)
    site.logs(1, 61)
    for url in PAGES:
        site.crawl(url, 12)
        site.report(url, 60, "indexed")
    result = clock_of_run(site.store, site.store.run(), None, 40)
    for lines in ("\n".join(text(result)), "\n".join(markdown(result))):
        assert "unknown for 10 new or changed pages" in lines
        assert "This step needs the day of indexing to within 3 days, which monthly exports do not show" in lines
