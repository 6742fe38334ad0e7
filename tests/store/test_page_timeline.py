"""What happened to a page: dates from runs, access logs, and reports, and what stays after runs are deleted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import _duckdb as duckdb
import pytest

from urlset import _core, tables
from urlset.model.page_timeline import EventKind, PageTimeline
from urlset.store.file import Store
from urlset.store.page_states import delete_dates, delete_runs
from urlset.store.page_timeline import is_whole, timeline_of_page
from urlset.store.sites import finished_runs

URL = "https://example.com/page"
SITEMAP = "https://example.com/sitemap.xml"
KEY = _core.page_hash(URL)


def day(number: int) -> datetime:
    return datetime(2026, 11, number, 12, tzinfo=UTC)


class History:
    """Writes rows as audits, logs, and imports do."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.runs = 0

    def insert(self, table: str, **values: Any) -> None:
        plain = {
            name: value.astimezone(UTC).replace(tzinfo=None) if isinstance(value, datetime) else value
            for name, value in values.items()
        }
        names, marks = ", ".join(f'"{name}"' for name in plain), ", ".join(f"${n}" for n in range(1, len(plain) + 1))
        self.store.connection.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", [*plain.values()])

    def run(
        self,
        at: int,
        text: int | None = 1,
        *,
        lastmod: int = 1,
        reason: str | None = None,
        is_listed: bool = True,
        version: int = 1,
        is_whole: bool = True,
        status: int = 200,
        redirects_to: str | None = None,
    ) -> None:
        self.runs += 1
        run_id, start = self.runs, day(at)
        self.insert(
            "runs",
            run_id=run_id,
            started_at=start,
            finished_at=start + timedelta(minutes=5),
            targets=[SITEMAP],
            settings="{}",
            version="1",
            documents=1,
            urls=1,
            pages=1,
            text_version=version,
        )
        self.insert(
            "documents", run_id=run_id, document_id=0, url=SITEMAP, final_url=SITEMAP, kind="urlset", complete=is_whole
        )
        if not is_listed:
            return
        self.insert("urls", run_id=run_id, document_id=0, ordinal=0, loc=URL, loc_hash=_core.url_hash(URL))
        self.insert(
            "pages",
            run_id=run_id,
            document_id=0,
            ordinal=0,
            url=URL,
            page_hash=KEY,
            fetched_at=start + timedelta(minutes=1),
            status=status,
            content_hash=text,
            hops=[] if redirects_to is None else [redirects_to],
            spelling_hash=_core.spelling_hash(URL),
            final_spelling_hash=_core.spelling_hash(redirects_to or URL),
            lastmod_at=day(lastmod),
            is_indexable=reason is None,
            reason=reason,
        )

    def logs(self, first: int, last: int, verdict: str = "verified") -> None:
        self.insert("log_files", name="a", format="combined", first_at=day(first), last_at=day(last))
        for number in range(first, last + 1):
            self.insert(
                "crawl_days", site="https://example.com", agent="Googlebot", verdict=verdict, day=midnight(number)
            )

    def crawl(self, at: int, agent: str = "Googlebot", good: int = 1) -> None:
        self.insert("page_crawls", page_hash=KEY, agent=agent, day=midnight(at), hits=1, good_hits=good)

    def fetch(self, at: int, agent: str = "Googlebot", verdict: str = "verified", status: int = 200) -> None:
        self.insert(
            "sitemap_fetches",
            site="https://example.com",
            document=SITEMAP,
            agent=agent,
            verdict=verdict,
            at=day(at),
            status=status,
        )

    def reading(self, at: int, engine: str = "google") -> None:
        self.insert("sitemap_readings", engine=engine, url=SITEMAP, read_at=day(at))

    def asked(self, *days: int, is_cut: bool = False, is_provisional: bool = False) -> None:
        row = {"property": "p", "search_type": "web", "is_cut": is_cut, "is_provisional": is_provisional}
        for at in days:
            self.insert("search_analytics_days", **row, day=midnight(at))

    def impression(self, at: int, page_hash: int = KEY, impressions: int = 1) -> None:
        self.insert(
            "search_analytics",
            property="p",
            search_type="web",
            page_hash=page_hash,
            day=midnight(at),
            impressions=impressions,
        )

    def report(
        self, at: int, state: str | None = "indexed", reason: str | None = None, crawled: int | None = None
    ) -> None:
        self.insert(
            "index_states",
            url=URL,
            page_hash=KEY,
            engine="google",
            source="search-console",
            state=state,
            reason_text=reason,
            last_crawled=None if crawled is None else day(crawled),
            at=day(at),
        )

    def timeline(self) -> PageTimeline:
        return timeline_of_page(self.store, URL, KEY, finished_runs(self.store.runs()))

    def dates(self) -> dict[str, str]:
        return {event.kind.value: event.when for event in self.timeline().events}


def midnight(number: int) -> datetime:
    return day(number).replace(hour=0)


TABLES = (
    *("runs", "documents", "cuts", "urls", "pages", "log_files", "crawl_days", "page_crawls", "sitemap_fetches"),
    *("sitemap_readings", "index_states", "page_states", "search_analytics", "search_analytics_days"),
)


@pytest.fixture(scope="module")
def in_memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    connection = duckdb.connect()
    columns = {name: tables.TABLES[name].column_names for name in TABLES}
    yield Store.temporary(tmp_path_factory.mktemp("store"), connection, columns)
    connection.close()


@pytest.fixture
def history(in_memory: Store) -> Iterator[History]:
    in_memory.connection.execute("BEGIN")
    yield History(in_memory)
    in_memory.connection.execute("ROLLBACK")


def test_dates_of_audits(history: History) -> None:
    history.run(1, is_listed=False)
    history.run(3, text=1)
    history.run(5, text=2, lastmod=4)
    history.run(7, text=2, lastmod=4, reason="noindex")
    assert history.dates() == {
        "listed": "between 2026-11-01 and 2026-11-03",
        "text-changed": "between 2026-11-03 and 2026-11-05",
        "lastmod-changed": "between 2026-11-03 and 2026-11-05",
        "verdict-changed": "between 2026-11-05 and 2026-11-07",
    }


def test_a_page_that_was_never_indexable_says_so(history: History) -> None:
    history.run(3, reason="not-found")
    history.run(5, reason="not-found")
    assert history.dates()["verdict-changed"] == "on or before 2026-11-03"
    history.run(7)
    assert history.dates()["verdict-changed"] == "between 2026-11-05 and 2026-11-07"


def test_the_text_of_a_page_is_also_known_at_another_spelling(history: History) -> None:
    history.run(3, text=1, redirects_to=f"{URL}/")
    history.run(5, text=2, redirects_to=f"{URL}/")
    assert history.dates()["text-changed"] == "between 2026-11-03 and 2026-11-05"


UNKNOWN: dict[str, tuple[Callable[[History], None], str]] = {
    "no text": (lambda history: history.run(5, text=None), "text-changed"),
    "the text of another page": (
        lambda history: history.run(5, text=2, redirects_to="https://example.com/"),
        "text-changed",
    ),
    "an error page": (lambda history: history.run(5, text=2, status=404), "text-changed"),
    "another version of the text": (lambda history: history.run(5, text=2, version=2), "text-changed"),
    "the same text": (lambda history: history.run(5, text=1), "text-changed"),
    "the same lastmod": (lambda history: history.run(5, text=2), "lastmod-changed"),
}


@pytest.mark.parametrize("case", UNKNOWN)
def test_no_change_is_claimed(case: str, history: History) -> None:
    after, kind = UNKNOWN[case]
    history.run(3, text=1)
    after(history)
    assert kind not in history.dates()


def test_an_audit_that_could_not_read_all_sitemaps_proves_no_absence(history: History) -> None:
    history.run(1, is_listed=False, is_whole=False)
    history.run(3)
    [listed] = history.timeline().events
    assert (listed.when, listed.after) == ("on or before 2026-11-03", None)
    assert listed.evidence == "run 2 lists it; run 1 did not, but could not read all sitemaps"


@pytest.mark.parametrize("kind", tables.LIMITS_REACHED)
def test_an_audit_that_reached_a_limit_proves_no_absence(kind: str, history: History) -> None:
    history.run(1, is_listed=False)
    history.insert("cuts", run_id=1, document_id=0, ordinal=1, kind="file")
    assert is_whole(history.store, 1)
    history.insert("cuts", run_id=1, document_id=0, ordinal=2, kind=kind)
    history.run(3)
    [listed] = history.timeline().events
    assert (listed.when, listed.after) == ("on or before 2026-11-03", None)


@pytest.mark.parametrize("what", ["is_cut", "is_provisional"])
def test_a_day_without_all_impressions_proves_none(what: str, history: History) -> None:
    history.run(1)
    history.asked(3, 8)
    history.asked(6, **{what: True})
    history.impression(8)
    assert history.dates()["impression"] == "between 2026-11-03 and 2026-11-08"


def test_a_run_on_another_sitemap_proves_no_absence(history: History) -> None:
    history.run(1, is_listed=False)
    history.store.connection.execute("UPDATE runs SET targets = ['https://example.com/other.xml']")
    history.run(3)
    [listed] = history.timeline().events
    assert (listed.after, listed.evidence) == (None, "the oldest audit in the store")


CHANGED = "after its text changed"
UNREAD = (
    "Googlebot has read neither the sitemap nor the page since its text changed, according to the access logs until "
    "2026-11-12"
)
LOGS = ("logs", {"first": 1, "last": 12})
EARLIER = ("crawl", {"at": 2})
WAITING: dict[str, tuple[list[tuple[str, dict[str, Any]]], list[str]]] = {
    "nothing known": ([], []),
    "sitemap read, page not requested": (
        [LOGS, EARLIER, ("fetch", {"at": 8})],
        [
            f"Googlebot read the sitemap on 2026-11-08, {CHANGED}, and has not requested the page since, according to "
            "the access logs until 2026-11-12"
        ],
    ),
    "nothing read": ([LOGS, EARLIER], [UNREAD]),
    "days without logs": (
        [("logs", {"first": 1, "last": 9}), ("logs", {"first": 11, "last": 12}), EARLIER],
        [f"{UNREAD}, which have no crawler requests on 1 day since then"],
    ),
    "logs end before": (
        [("logs", {"first": 1, "last": 4}), EARLIER, ("reading", {"at": 9})],
        [
            f"Googlebot read the sitemap on 2026-11-09, {CHANGED}; it is unknown whether Googlebot has requested the "
            "page since: the access logs end on 2026-11-04"
        ],
    ),
    "requested between the audits": (
        [LOGS, ("crawl", {"at": 5})],
        ["Googlebot requested the page on 2026-11-05; it is unknown whether this was before or after its text changed"],
    ),
    "requested on the day of the second audit": (
        [LOGS, ("crawl", {"at": 7})],
        ["Googlebot requested the page on 2026-11-07; it is unknown whether this was before or after its text changed"],
    ),
    "requested": (
        [LOGS, ("crawl", {"at": 9})],
        [f"Googlebot requested the page on 2026-11-09, {CHANGED}; there is no newer report from Google"],
    ),
    "an error for the crawler": (
        [LOGS, EARLIER, ("crawl", {"at": 9, "good": 0})],
        ["Googlebot requested the page on 2026-11-09, after its text changed, but got an error or a redirect"],
    ),
    "the sitemap was read between the audits": (
        [LOGS, EARLIER, ("fetch", {"at": 5})],
        [
            "Googlebot has not requested the page since its text changed, according to the access logs until "
            "2026-11-12; it read the sitemap on 2026-11-05, which may have been before or after"
        ],
    ),
    "a report of a crawl between the audits": (
        [LOGS, ("report", {"at": 11, "crawled": 5})],
        ["Googlebot requested the page on 2026-11-05; it is unknown whether this was before or after its text changed"],
    ),
    "an impostor and an error for the sitemap": (
        [LOGS, EARLIER, ("fetch", {"at": 8, "verdict": "impostor"}), ("fetch", {"at": 8, "status": 404})],
        [UNREAD],
    ),
    "indexed": (
        [LOGS, ("crawl", {"at": 9}), ("report", {"at": 11})],
        [f"Googlebot requested the page on 2026-11-09, {CHANGED}; Google reported it as indexed on 2026-11-11"],
    ),
    "reports only": (
        [("report", {"at": 11, "state": "not-indexed", "reason": "Crawled - currently not indexed", "crawled": 10})],
        [
            f"Googlebot requested the page on 2026-11-10, {CHANGED}; Google reported it as not indexed (Crawled - "
            "currently not indexed) on 2026-11-11"
        ],
    ),
    "an old report": (
        [("report", {"at": 4, "crawled": 2})],
        ["it is unknown whether Googlebot has requested the page since: there are no access logs"],
    ),
    "requests that are not verified": (
        [("logs", {"first": 1, "last": 12, "verdict": "unverified"}), ("report", {"at": 4, "crawled": 2})],
        [
            "it is unknown whether Googlebot has requested the page since: the access logs have no verified request "
            "from it; read them again with --ranges or --dns"
        ],
    ),
    "two engines": (
        [LOGS, ("crawl", {"at": 9}), ("crawl", {"at": 10, "agent": "Bingbot"})],
        [
            f"Googlebot requested the page on 2026-11-09, {CHANGED}; there is no newer report from Google",
            f"Bingbot requested the page on 2026-11-10, {CHANGED}; there is no newer report from Bing",
        ],
    ),
}


@pytest.mark.parametrize("case", WAITING)
def test_what_followed_the_change(case: str, history: History) -> None:
    rows, sentences = WAITING[case]
    history.run(3, text=1)
    history.run(7, text=2)
    for kind, values in rows:
        getattr(history, kind)(**values)
    assert list(history.timeline().waiting) == sentences


def test_the_first_report_of_the_last_state(history: History) -> None:
    history.run(1)
    history.report(2, "not-indexed", "Discovered")
    history.report(4)
    history.report(6)
    [reported] = [event for event in history.timeline().events if event.kind is EventKind.REPORTED]
    assert (reported.when, reported.what) == ("between 2026-11-02 and 2026-11-04", "Google reports it as indexed")


def test_the_first_and_the_last_impression(history: History) -> None:
    def found() -> list[tuple[str, str]]:
        events = history.timeline().events
        return [(event.when, event.what) for event in events if event.kind is EventKind.IMPRESSION]

    history.run(1)
    assert found() == []
    history.impression(2, impressions=0)
    history.impression(5)
    assert found() == [("on or before 2026-11-05", "first impression in Google")]
    history.asked(3, 5)
    assert found() == [("between 2026-11-03 and 2026-11-05", "first impression in Google")]
    history.asked(4)
    history.impression(9)
    assert found() == [("on 2026-11-05", "first impression in Google"), ("on 2026-11-09", "last impression in Google")]


def test_impressions_of_the_canonical_are_named_as_such(history: History) -> None:
    history.run(1)
    history.asked(4, 5)
    history.impression(5, page_hash=99)
    assert not [event for event in history.timeline().events if event.kind is EventKind.IMPRESSION]
    history.insert("index_states", engine="google", source="csv", at=day(6), page_hash=KEY, canonical_hash=99)
    [event] = [event for event in history.timeline().events if event.kind is EventKind.IMPRESSION]
    assert event.what == "first impression in Google, at the canonical that Google reports"


def test_deleted_runs_leave_the_dates(tmp_path: Path) -> None:
    with Store.create(tmp_path / "store.duckdb") as store:
        history = History(store)
        for at, text in enumerate((1, 1, 2, 2), start=1):
            history.run(2 * at, text=text, lastmod=text)
        before = history.dates()
        for deleted, states in (((2,), 1), ((1, 3), 3), ((4,), 3)):
            delete_runs(store, deleted)
            assert history.dates() == before
            assert store.rows("SELECT count(*) FROM page_states") == [(states,)], deleted
        history.run(10)
        store.connection.execute("UPDATE runs SET finished_at = NULL")
        delete_runs(store, [5])
        assert history.dates() == before


def test_old_dates_are_deleted_but_not_the_last_report(in_memory: Store) -> None:
    history = History(in_memory)
    history.logs(1, 12)
    for at in (2, 9):
        history.crawl(at)
        history.fetch(at)
        history.reading(at)
    history.report(2, "not-indexed")
    history.report(3)
    for at in (2, 9):
        history.asked(at)
        history.impression(at)
    assert delete_dates(history.store, day(8)) == 6
    tables = ("page_crawls", "sitemap_fetches", "sitemap_readings", "index_states", "search_analytics")
    assert [history.store.rows(f"SELECT count(*) FROM {table}") for table in tables] == [[(1,)]] * 5
    assert history.store.rows("SELECT state FROM index_states") == [("indexed",)]
    delete_dates(history.store, day(30))
    for table in ("log_files", "crawl_days", "index_states"):
        history.store.connection.execute(f"DELETE FROM {table}")
