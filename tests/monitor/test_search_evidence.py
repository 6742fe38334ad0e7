"""Alarms about pages that fell out of an index, and that a crawler stopped requesting, from rows of a store."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import _duckdb as duckdb
import pytest

from urlset import _core, tables
from urlset.monitor import search_evidence
from urlset.monitor.search_evidence import crawled_again, deindexed, indexed_again, not_crawled
from urlset.store.file import Store

SITE = "https://example.com"
PAGES = [f"{SITE}/post-{number}" for number in range(6)]
PAGE = PAGES[0]
RUN = 1

TABLES = ("runs", "urls", "crawls", "crawl_days", "page_crawls", "index_states", "search_analytics")


def at(number: int) -> datetime:
    return datetime(2026, 3, 1, tzinfo=UTC) + timedelta(days=number)


class Evidence:
    """Writes rows as audits, logs, and imports do."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def insert(self, table: str, rows: Sequence[dict[str, Any]]) -> None:
        names = ", ".join(f'"{name}"' for name in rows[0])
        values = ", ".join(f"({', '.join('?' * len(rows[0]))})" for _ in rows)
        cells = [
            cell.replace(tzinfo=None) if isinstance(cell, datetime) else cell for row in rows for cell in row.values()
        ]
        self.store.connection.execute(f"INSERT INTO {table} ({names}) VALUES {values}", cells)

    def listed(self, urls: Sequence[str] = PAGES) -> None:
        self.insert("urls", [{"run_id": RUN, "loc": url, "loc_hash": _core.url_hash(url)} for url in urls])

    def report(
        self, day: int, state: str, source: str = "search-console", url: str = PAGE, engine: str = "google"
    ) -> None:
        row = {"url": url, "page_hash": _core.page_hash(url), "engine": engine, "source": source}
        self.insert("index_states", [{**row, "state": state, "reason": None, "at": at(day)}])

    def impressions(self, *days: int) -> None:
        row = {"page_hash": _core.page_hash(PAGE), "search_type": "web", "impressions": 3}
        self.insert("search_analytics", [{**row, "day": at(day)} for day in days])

    def crawls(self, url: str, days: Sequence[int]) -> None:
        row = {"page_hash": _core.page_hash(url), "agent": "Googlebot"}
        self.insert("crawls", [{**row, "site": SITE, "url": url, "verdict": "verified"}])
        self.insert("page_crawls", [{**row, "day": at(day), "hits": 1, "good_hits": 1} for day in days])

    def logs(self, days: Sequence[int], agent: str = "Googlebot") -> None:
        row = {"site": SITE, "agent": agent, "verdict": "verified"}
        self.insert("crawl_days", [{**row, "day": at(day)} for day in days])

    def out(self) -> list[str]:
        return [url for problem in deindexed(self.store, RUN) for url in problem.members]

    def silent(self) -> list[str]:
        return [url for problem in not_crawled(self.store, RUN) for url in problem.members]

    def indexed_again(self, *, is_whole: bool = True) -> frozenset[str]:
        return indexed_again(self.store, RUN, "google", [PAGE], is_whole=is_whole)


@pytest.fixture(scope="module")
def in_memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    connection = duckdb.connect()
    columns = {name: tables.TABLES[name].column_names for name in TABLES}
    yield Store.temporary(tmp_path_factory.mktemp("store"), connection, columns)
    connection.close()


@pytest.fixture
def evidence(in_memory: Store) -> Iterator[Evidence]:
    in_memory.connection.execute("BEGIN")
    yield Evidence(in_memory)
    in_memory.connection.execute("ROLLBACK")


def test_a_page_that_was_indexed_and_is_out(evidence: Evidence) -> None:
    evidence.listed()
    evidence.report(1, "indexed")
    assert evidence.out() == []
    evidence.report(30, "not-indexed")
    [problem] = deindexed(evidence.store, RUN)
    assert (problem.name, problem.title) == ("google", "fell out of the index of Google")
    assert problem.members == {PAGE: "reported as not indexed on 2026-03-31, last reported as indexed on 2026-03-02"}
    assert evidence.indexed_again() == frozenset()
    evidence.report(60, "indexed")
    assert evidence.out() == []
    assert evidence.indexed_again() == {PAGE}


def test_what_is_not_listed_has_no_alarm(evidence: Evidence) -> None:
    evidence.listed(PAGES[1:])
    evidence.report(1, "indexed")
    evidence.report(30, "not-indexed")
    assert evidence.out() == []
    assert evidence.indexed_again() == {PAGE}
    assert evidence.indexed_again(is_whole=False) == frozenset()


def test_reports_on_what_is_not_listed_displace_no_alarm(evidence: Evidence, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_evidence, "ROWS_AT_ONCE", 2)
    monkeypatch.setattr(search_evidence, "MAX_PAGES", 1)
    evidence.listed()
    others = [f"https://other.example/{number}" for number in range(5)]
    for day, state in ((1, "indexed"), (30, "not-indexed")):
        for url in others:
            evidence.report(day, state, url=url, engine="bing")
        for url in PAGES[:2]:
            evidence.report(day, state, url=url)
    [problem] = deindexed(evidence.store, RUN)
    assert (problem.name, [*problem.members], problem.pages) == ("google", [PAGE], 2)


def test_a_page_that_was_never_indexed(evidence: Evidence) -> None:
    evidence.listed()
    evidence.report(1, "not-indexed")
    evidence.report(30, "not-indexed")
    assert evidence.out() == []


@pytest.mark.parametrize(
    ("days", "is_out"),
    [((1, 8, 15, 22), True), ((22, 23, 24, 25, 26), False), ((1, 8, 15), False), ((8, 15, 22, 29, 36), False)],
    ids=["four weeks", "one week", "three weeks", "also after the report"],
)
def test_impressions_show_that_a_page_was_indexed(evidence: Evidence, days: Sequence[int], *, is_out: bool) -> None:
    evidence.listed()
    evidence.impressions(*days)
    evidence.report(30, "not-indexed")
    assert bool(evidence.out()) == is_out


def test_an_impression_after_the_report_shows_that_it_is_indexed(evidence: Evidence) -> None:
    evidence.listed()
    evidence.report(1, "indexed")
    evidence.report(30, "not-indexed")
    evidence.impressions(33)
    assert evidence.out() == []
    assert evidence.indexed_again() == {PAGE}


def test_an_inspection_outweighs_an_export_that_is_little_newer(evidence: Evidence) -> None:
    evidence.listed()
    evidence.report(20, "indexed", "url-inspection")
    evidence.report(23, "not-indexed")
    assert evidence.out() == []
    evidence.report(28, "not-indexed")
    assert evidence.out() == [PAGE]


def test_a_page_that_is_no_longer_requested(evidence: Evidence) -> None:
    evidence.listed()
    evidence.logs(range(101))
    for url in PAGES[1:]:
        evidence.crawls(url, range(0, 100, 5))
    evidence.crawls(PAGE, range(0, 50, 5))
    [problem] = not_crawled(evidence.store, RUN)
    assert (problem.name, problem.title) == ("Googlebot", "no longer requested by Googlebot")
    assert problem.members == {
        PAGE: "last requested on 2026-04-15; not requested since then in access logs until 2026-06-08; usual for this "
        "site: again within 14 days"
    }
    assert problem.last_request == at(45).timestamp()
    again = [crawled_again(evidence.store, RUN, "Googlebot", [PAGE], at(45).timestamp(), is_whole=True)]
    evidence.insert(
        "page_crawls",
        [{"page_hash": _core.page_hash(PAGE), "agent": "Googlebot", "day": at(46), "hits": 1, "good_hits": 1}],
    )
    again.append(crawled_again(evidence.store, RUN, "Googlebot", [PAGE], at(45).timestamp(), is_whole=True))
    assert again == [frozenset(), {PAGE}]


def test_a_wrong_year_in_logs_hides_no_page(evidence: Evidence) -> None:
    evidence.listed()
    future = (datetime(9999, 11, 23, tzinfo=UTC) - at(0)).days
    evidence.logs([*range(101), future])
    for url in PAGES[1:]:
        evidence.crawls(url, [*range(0, 100, 5), future])
    evidence.crawls(PAGE, range(0, 50, 5))
    assert evidence.silent() == [PAGE]


@pytest.mark.parametrize(
    ("days", "others"),
    [
        ([*range(60), *range(90, 101)], range(0, 100, 5)),
        (range(101), [*range(0, 51, 5)]),
    ],
    ids=["logs are missing", "the crawler does not come to the site"],
)
def test_what_may_have_other_reasons(evidence: Evidence, days: Sequence[int], others: Sequence[int]) -> None:
    evidence.listed()
    evidence.logs(days, "Bingbot")
    evidence.logs([day for day in days if day in others])
    for url in PAGES[1:]:
        evidence.crawls(url, [day for day in others if day in days])
    evidence.crawls(PAGE, range(0, 50, 5))
    assert evidence.silent() == []


def test_a_page_with_a_slow_rhythm_of_its_own(evidence: Evidence) -> None:
    evidence.listed()
    evidence.logs(range(101))
    for url in PAGES[1:]:
        evidence.crawls(url, range(0, 100, 5))
    evidence.crawls(PAGE, [0, 30, 60])
    assert evidence.silent() == []
