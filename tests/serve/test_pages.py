"""The pages of the workbench: what they show of a store, and that they show the same as the commands."""

from __future__ import annotations

import html
import re
import shutil
import threading
import time
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

import duckdb
import pytest
from lxml.html import HtmlElement, document_fromstring
from starlette.datastructures import QueryParams
from starlette.testclient import TestClient

import urlset
from urlset.model.clock import ClockResult, ClockStep, CurvePoint, DayRange, SlowPage, SlowPages, StepTimes, WaitGroup
from urlset.model.monitoring import Alarm, AlarmKind, ClosedBy, Delivery, RoundFacts, SiteState
from urlset.monitor.sinks import message_of
from urlset.monitor.store import MonitorStore
from urlset.pipeline.report_page import page_of_run
from urlset.rules.rule import Severity
from urlset.serve import processes, snapshots
from urlset.serve import store_reader as reads
from urlset.serve.request_parameters import begin_of, begin_text, grid_view, page_filter, parse_place
from urlset.store.file import Store
from urlset.store.grid import GridFilter, GridView, Operator, grid_places, grid_rows, grid_sql
from urlset.store.page_list import TEMPLATE
from urlset.tables import TABLES
from urlset.text.safe import safe

from .conftest import EVIL, SITE, Bench, opened

ADDRESSES = (
    "/",
    "/runs",
    "/runs/2",
    "/runs/2/pages",
    "/runs/2/pages?reason=noindex",
    f"/runs/2/url?u={SITE}/four.html",
    f"/runs/2/url?u={SITE}/not-listed",
    "/runs/2/findings",
    "/runs/2/clock",
    "/runs/2/findings?s=MOD002:error&s=LOC003:ignored",
    "/compare?before=1&after=2",
    "/monitor",
    "/explore",
    *(f"/explore/{name}?run=2" for name in ("urls", "pages", "documents", "findings", "runs")),
    "/sql",
    "/login",
)


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_page_is_shown_and_has_only_own_scripts(bench: Bench, address: str) -> None:
    text = bench.page(address)
    assert re.findall(r"<script(?! src=\"/static/| type=\"application/json\" id=\"data\")", text) == []
    assert "<style" not in text
    assert " style=" not in text
    assert not re.search(r" on\w+=", text)
    assert len(re.findall("<h1", text)) == 1


@pytest.mark.long("slow cases")
def test_every_link_of_a_page_leads_to_a_page(bench: Bench) -> None:
    seen: set[str] = set()
    for address in ADDRESSES:
        for link in re.findall(r'href="(/[^"#]*)', bench.page(address)):
            seen.add(html.unescape(link))
    for link in sorted(seen):
        if not link.startswith("/sql?") and "/report" not in link:
            assert bench.client.get(link).status_code == 200, link


@pytest.mark.parametrize(
    "address", ["/", "/runs", "/runs/2", "/runs/2/pages", "/runs/2/findings", "/compare?before=1&after=2"]
)
def test_a_directory_is_called_by_the_site_that_it_becomes(bench: Bench, address: str) -> None:
    text = re.sub("<[^>]*>", "", bench.page(address))
    assert SITE.partition("://")[2].removeprefix("www.") in text
    assert "uilt pages in" in text or address.startswith("/compare")


def test_the_pages_that_cannot_be_indexed_are_those_of_the_command(bench: Bench) -> None:
    text = bench.page("/runs/2/pages")
    expected = urlset.api.list_pages(bench.server.snapshots.store, run=2)
    for page in expected:
        assert html.escape(page.url.rpartition("/")[2]) in text
    assert f"{len(expected):,} page" in re.sub(r"\s+", " ", text)


def _pages(bench: Bench, query: str) -> reads.PageSlice:
    """The pages of run 2 at an address with this query."""
    params = QueryParams(query)
    with bench.server.snapshots.current() as snapshot:
        return reads.pages_of(snapshot, 2, page_filter(params), parse_place(params.get("after")))


def _rows(bench: Bench, query: str) -> reads.RowSlice:
    """The rows of `urls` of run 2 at an address with this query."""
    params = QueryParams(query)
    with bench.server.snapshots.current() as snapshot:
        return reads.rows_of(snapshot, 2, grid_view("urls", params), begin_of(params.get("begin")))


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("reason=noindex", ["blog/two.html"]),
        ("reason=canonical-elsewhere", ["shop/three.html"]),
        (f"under={SITE}/blog/", ["blog/two.html"]),
        ("reason=indexable&q=ONE", ["blog/one.html"]),
        ("reason=all&status=404", ["gone.html", "a%3Cscript%3Ealert(2)%3C/script%3E.html"]),
        ("reason=all&document=99", []),
        ("reason=all&template=/blog/*", ["blog/one.html", "blog/two.html"]),
        ("reason=all&template=/blog", []),
        ("q=%25", ["a%3Cscript%3Ealert(2)%3C/script%3E.html"]),
    ],
)
def test_pages_are_filtered(bench: Bench, query: str, names: list[str]) -> None:
    found = _pages(bench, query)
    assert [page.url.removeprefix(f"{SITE}/") for page in found.pages] == names
    assert found.after is None


def test_pages_are_paged_by_their_place(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reads, "ROWS", 2)
    after, urls = "", []
    for _ in range(4):
        found = _pages(bench, f"reason=all&q=html&after={after}")
        urls += [page.url for page in found.pages]
        if found.after is None:
            break
        after = "{}-{}".format(*found.after)
    assert len(urls) == len(set(urls)) == 7


def test_a_url_has_the_verdict_and_history_of_the_store(bench: Bench) -> None:
    text = bench.page(f"/runs/2/url?u={SITE}/blog/two.html")
    assert "Not indexable: noindex" in text
    assert "lastmod 2026-01-01" in text
    assert "2025-01-01" in text
    assert "Not listed in a sitemap" in bench.page(f"/runs/2/url?u={quote(SITE + '/x?a=1&b=<i>')}")


def clock_result() -> ClockResult:
    """Times of a site: the first step is known, of the others nothing is claimed."""

    def group(name: str, n: int, days: DayRange | None) -> WaitGroup:
        return WaitGroup(
            name=name, n=n, ended=n - 2, waiting=2, intervals=0, unknown=1,
            day_25=days, median=days, day_75=days, day_90=days and DayRange(21, None),
        )  # fmt: skip

    slow = SlowPages(days=21, pages=1, examples=(SlowPage(f"{SITE}/four.html", date(2026, 1, 1), 60),), shared=())
    steps = [
        StepTimes(
            step=step, every=group("", 40 if number == 0 else 5, DayRange(3, 4) if number == 0 else None),
            curve=(CurvePoint(0, 0.1), CurvePoint(3, 0.5), CurvePoint(30, 0.9)) if number == 0 else (),
            sections=(group("www.example.com/blog/", 5, None),), more_sections=0, templates=(), more_templates=0,
            slow=slow if number == 0 else None,
        )
        for number, step in enumerate(ClockStep)
    ]  # fmt: skip
    return ClockResult(
        store=Path("urlset.duckdb"), run_id=2, made_at=datetime(2026, 11, 1, tzinfo=UTC), engine="google",
        crawler="Googlebot", logs_from=date(2026, 1, 1), logs_to=date(2026, 3, 1), log_days=58, days_without_logs=2,
        reports=3, impression_days=0, steps=tuple(steps),
    )  # fmt: skip


def test_the_time_to_index_is_a_picture_with_its_numbers_as_text(own: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reads, "clock_of_run", lambda *_: clock_result())
    tree: HtmlElement = document_fromstring(own.page("/runs/2/clock"))
    first, second, _ = tree.find_class("clocks")[0].findall("section")
    assert first.find_class("large")[0].text_content() == "3 to 4 days"
    [picture] = first.xpath(".//svg")
    [caption] = first.xpath(f".//*[@id='{picture.get('aria-labelledby')}']")
    assert caption.text_content() == (
        "Half of the new or changed pages are crawled within this time, and nine in ten within 21 days or more. "
        "38 of 40 are done, 2 still wait; 1 other is unknown."
    )
    assert first.xpath(".//svg/polyline/@points") == ["0,100 0,100 0,90 10,90 10,50 100,50 100,10 100,10"]
    assert "/four.html 60 days" in " ".join(first.text_content().split())
    assert "Fewer than 8 times are known, too few for an estimate" in second.text_content()


def monitored(store: Path) -> None:
    """Add three rounds: of the alarms of the second one, one is over, and the others are open."""
    sink = "issue https://github.com/acme/site"
    at = [datetime(2026, 3, day, 3, tzinfo=UTC) for day in (1, 2, 3)]
    of_site: dict[str, Any] = {"site": "https://bob:hunter2@www.example.com", "severity": Severity.ERROR}
    page, listed = f"{SITE}/blog/two.html", tuple(f"{SITE}/{number}" for number in range(12))
    alarms = [
        Alarm(
            **of_site, alarm_id=1, kind=AlarmKind.PAGES, name="noindex", opened_at=at[1], members=(page, *listed),
            title=f"13 pages stopped being indexable: {EVIL}", details=(page, EVIL),
        ),
        Alarm(
            **of_site, alarm_id=2, kind=AlarmKind.FINDING, name="PGE008", opened_at=at[1], title="PGE008 wrong",
            members=(f"{SITE}/sitemap.xml",),
        ),
        Alarm(
            **of_site, alarm_id=3, kind=AlarmKind.FROZEN, name="3", opened_at=at[1], title="no newer lastmod",
            closed_at=at[2], closed_by=ClosedBy.FIXED,
        ),
    ]  # fmt: skip
    with Store.create(store) as kept:
        stored = MonitorStore(kept)
        for number, run in enumerate((99, 1, 2)):
            facts = RoundFacts(listed=7, pages=6 - number, indexable=3, findings={"error": 4})
            waiting = [Delivery(0, sink, message_of(SITE, "", alarms, [], []))] if number == 2 else []
            stored.record(
                of_site["site"], at[number], run, facts, SiteState(), alarms if number == 1 else [], waiting,
                is_complete=number < 2,
            )  # fmt: skip
        [message] = stored.pending_deliveries(sink)
        stored.record_failure(message.delivery_id, f"returned HTTP 403 ({EVIL})")


def test_alarms_and_rounds_of_the_monitor(made: Path, tmp_path: Path) -> None:
    store = tmp_path / "monitored.duckdb"
    shutil.copyfile(made, store)
    monitored(store)
    with opened(tmp_path, store) as own:
        text = own.page("/monitor")
    assert "<script>alert" not in text
    assert "hunter2" not in text
    tree: HtmlElement = document_fromstring(text)
    headings = [" ".join(one.text_content().split()) for one in tree.iter("h2", "h3")]
    assert headings == [
        "Messages could not be sent",
        "https://***@www.example.com: 2 open alarms",
        "error PGE008 wrong since 2026-03-02",
        f"error 13 pages stopped being indexable: {safe(EVIL)} since 2026-03-02",
        "Alarms that are over",
        "Rounds",
    ]
    assert f"1 message since 2026-03-03 03:00:00 UTC; returned HTTP 403 ({safe(EVIL)})" in tree.text_content()
    links = [one.get("href") for one in tree.iter("a")]
    assert f"/runs/2/url?u={quote(SITE + '/blog/two.html')}#timeline" in links
    assert "/runs/2/findings#rule-PGE008" in links
    assert "and 3 more pages" in tree.text_content()
    rows = [[" ".join(cell.text_content().split()) for cell in row] for row in tree.find_class("runs")[0].iter("tr")]
    assert rows[1:] == [
        ["2026-03-03 03:00:00 UTC not complete", "Run 2", "0", "1", "7", "4", "3", "4", "0"],
        ["2026-03-02 03:00:00 UTC", "Run 1", "3", "0", "7", "5", "3", "4", "0"],
        ["2026-03-01 03:00:00 UTC", "run 99, deleted", "0", "0", "7", "6", "3", "4", "0"],
    ]


def test_a_store_without_rounds_says_how_to_begin(bench: Bench) -> None:
    assert "urlset monitor --init &gt; monitor.toml" in bench.page("/monitor")


def test_findings_are_accepted_until_a_date(own: Bench) -> None:
    code = re.findall(r'id="rule-(\w+)"', own.page("/runs/2/findings"))[0]
    response = own.post("/runs/2/accept", code=code, reason="a relaunch <b>", until="2099-01-01")
    assert response.status_code == 303
    text = own.page("/runs/2/findings")
    assert f'id="rule-{code}"' not in text
    assert "a relaunch &lt;b&gt;" in text
    assert f'"{code}"' in own.server.baseline.read_text("utf-8")


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"code": "PGE008", "reason": "", "until": "2099-01-01"}, "say why"),
        ({"code": "PGE008", "reason": "x", "until": "2001-01-01"}, "after today"),
        ({"code": "PGE008", "reason": "x", "until": "soon"}, "enter a date"),
        ({"code": "NOT001", "reason": "x", "until": "2099-01-01"}, "NOT001"),
        ({"code": "PGE008", "reason": "x", "until": "2099-01-01", "document": "/etc/passwd"}, "a URL, or a pattern"),
    ],
)
def test_what_cannot_be_accepted_is_refused_with_a_reason(own: Bench, fields: dict[str, str], says: str) -> None:
    response = own.post("/runs/2/accept", **fields)
    assert response.status_code == 400
    assert says in html.unescape(response.text)
    assert not own.server.baseline.exists()


def test_severities_are_tried_out_and_exported(bench: Bench) -> None:
    moved = bench.client.get("/runs/2/findings?rule=PGE008&severity=info&s=PGE001:ignored", follow_redirects=False)
    assert moved.headers["location"] == "/runs/2/findings?s=PGE001%3Aignored&s=PGE008%3Ainfo#rule-PGE008"
    with bench.server.snapshots.current() as snapshot:
        tried = reads.severities_of(["PGE001:ignored", "PGE008:info"])
        found = reads.findings_of(snapshot, 2, bench.server.baseline, tried).report.findings
    assert {one.severity for one in found if one.rule.code == "PGE008"} == {"info"}
    assert not [one for one in found if one.rule.code == "PGE001"]
    text = bench.page("/runs/2/urlset.toml?s=PGE001:ignored&s=PGE008:info")
    assert text == 'ignore = ["PGE001"]\n\n[severity]\nPGE008 = "info"\n'
    assert "no such rule" in bench.page("/runs/2/findings?s=NOT001:info", 400)


def test_the_configuration_that_is_exported_can_be_read(bench: Bench, tmp_path: Path) -> None:
    path = tmp_path / "urlset.toml"
    path.write_text(bench.page("/runs/2/urlset.toml?s=PGE001:ignored&s=PGE008:info&s=LOC003:hint"), "utf-8")
    severities = {rule.code: str(rule.severity) for rule in urlset.list_rules(config=path)}
    assert (severities["PGE008"], severities["LOC003"]) == ("info", "hint")


def test_two_runs_are_compared(bench: Bench) -> None:
    chosen = bench.client.get("/compare?run=2&run=1", follow_redirects=False)
    assert chosen.headers["location"] == "/compare?before=1&after=2"
    text = bench.page("/compare?before=1&after=2")
    assert ">/four.html</a>" in text
    assert "choose two runs" in bench.page("/compare?run=1", 400)


def test_what_a_run_did_not_check_is_not_fixed(made: Path, tmp_path: Path) -> None:
    store = tmp_path / "blocked.duckdb"
    shutil.copyfile(made, store)
    with duckdb.connect(str(store)) as connection:
        connection.execute("UPDATE pages SET skipped = 'robots', status = NULL WHERE run_id = 2 AND status = 404")
        connection.execute("DELETE FROM findings WHERE run_id = 2 AND code = 'PGE001'")
    with opened(tmp_path, store) as blocked:
        tree: HtmlElement = document_fromstring(blocked.page("/compare?before=1&after=2"))
    tiles = {one.findtext("dt"): one.findtext("dd") for one in tree.find_class("tile")}
    assert tiles["finding no longer checked"] == "1"
    assert "2 places of run 1 no longer checked: robots.txt blocks the page." in tree.text_content()
    sections = {one.get("aria-label"): one.text_content() for one in tree.iter("section")}
    assert "PGE001" in sections["No longer checked"]
    assert "PGE001" not in sections["Fixed"]


GRID_CASES = [
    ((), None, False),
    ((), "loc", False),
    ((), "loc", True),
    ((), "lastmod_at", True),
    ((), "priority_value", False),
    ((GridFilter("loc", Operator.CONTAINS, "HTML"),), "loc", True),
    ((GridFilter("line", Operator.MORE, "0"), GridFilter("lastmod", Operator.NOT_EMPTY)), "line", True),
    ((GridFilter("priority", Operator.EMPTY), GridFilter("loc", Operator.IS_NOT, "x")), None, False),
    ((GridFilter("document_id", Operator.LESS, "0"),), "loc", False),
]


@pytest.mark.parametrize(("filters", "sort", "descending"), GRID_CASES)
def test_a_table_is_paged_as_its_sql_says(
    bench: Bench, filters: tuple[GridFilter, ...], sort: str | None, descending: bool
) -> None:
    view = GridView(TABLES["urls"], ("loc", "lastmod", "line"), filters, sort, descending)
    with bench.server.snapshots.current() as snapshot, snapshot.reading() as store:
        rows, after = [], None
        while places := grid_places(store, 2, view, 2, after):
            rows += grid_rows(store, view, places)
            after = places[-1]
    expected = urlset.query(grid_sql(view), f"{bench.server.snapshots.store}@2").rows
    assert sorted(rows) == sorted(expected)
    if sort is not None:
        at = view.columns.index(sort) if sort in view.columns else None
        assert at is None or [row[at] for row in rows] == [row[at] for row in expected]


def test_a_view_of_a_table_is_an_address(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    added = bench.client.get(
        "/explore/urls?run=2&columns=loc&sort=-loc&where=loc&is=contains&value=blog%2F", follow_redirects=False
    )
    assert added.headers["location"] == "/explore/urls?run=2&columns=loc&filter=loc.contains.blog%2F&sort=-loc"
    found = _rows(bench, "columns=loc&filter=loc.contains.blog/&sort=-loc")
    assert [loc for (loc,) in found.rows] == [f"{SITE}/blog/two.html", f"{SITE}/blog/one.html"]
    monkeypatch.setattr(reads, "ROWS", 2)
    monkeypatch.setattr(reads, "BLOCK", 4)
    begin, rows = None, list[str]()
    while not rows or begin is not None:
        found = _rows(bench, f"columns=loc&sort=loc&begin={begin or ''}")
        rows += [str(loc) for (loc,) in found.rows]
        begin = begin_text(found.after)
    assert rows == sorted(rows)
    assert len(rows) == found.total == 7


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("/explore/nothing", "no table nothing"),
        ("/explore/urls?columns=nothing", "no column nothing"),
        ("/explore/urls?sort=nothing", "no column nothing"),
        ("/explore/urls?filter=loc.near.x", "near"),
        ("/explore/urls?filter=line.is.many", "many"),
        ("/explore/urls?begin=%21", "start at the first page"),
        ("/explore/urls?run=x", "an integer"),
        ("/runs/2/pages?reason=x", "reason must be"),
        ("/runs/2/pages?after=x", "start at the first one"),
        ("/runs/2/url", "enter the URL"),
    ],
)
def test_an_address_that_means_nothing_is_refused_with_a_reason(bench: Bench, address: str, says: str) -> None:
    assert says in html.unescape(bench.page(address, 400))


@pytest.mark.parametrize(
    "address", ["/runs/9", "/runs/9/pages", "/nothing", "/jobs/1", "/explore?run=9", "/static/x.css"]
)
def test_what_does_not_exist_is_not_found(bench: Bench, address: str) -> None:
    assert "Not found" in bench.page(address, 404)


def test_without_a_store_the_first_page_asks_for_an_address(tmp_path: Path) -> None:
    with opened(tmp_path, None) as empty:
        assert 'name="target"' in empty.page("/")
        assert "no such store yet" in empty.page("/runs", 404)


def test_text_of_the_site_stays_text(bench: Bench) -> None:
    """The title of a page, a URL, and what is typed, with markup and a character that reverses text."""
    evil = quote("<script>alert(3)</script>\u202e")
    addresses = (
        "/runs/2", "/runs/2/pages?reason=all", f"/runs/2/url?u={SITE}/four.html", "/explore/pages?run=2&columns=title",
        "/sql?q=select+title+from+pages", f"/runs/2/url?u={evil}", f"/runs/2/pages?q={evil}", f"/sql?q={evil}",
        f"/explore/urls?run=2&filter=loc.contains.{evil}",
    )  # fmt: skip
    for address in addresses:
        text = bench.client.get(address).text
        assert "alert(" in text or "columns" in address or address == "/runs/2", address
        assert "<script>alert" not in text
        assert "\u202e" not in text
        assert "</script>alert" not in text


def test_the_report_is_the_file_that_the_command_writes(bench: Bench) -> None:
    response = bench.client.get("/runs/2/report")
    assert response.headers["content-disposition"] == 'attachment; filename="urlset-run-2.html"'
    assert response.text == urlset.report_page(bench.server.snapshots.store, 2)


@pytest.mark.long("slow cases")
def test_a_large_run_is_read_in_a_process_of_its_own(own: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reads, "LARGE", 1)
    assert "four.html" in own.page("/compare?before=1&after=2")
    with pytest.raises(urlset.UrlsetError, match="no run 9"):
        processes.call_in_process(page_of_run, own.server.snapshots.store, 9)


def test_templates_are_counted(bench: Bench) -> None:
    """The first three segments, with `*` for those that vary; they are links to a filter."""
    urls = {
        "https://www.example.com/": "/",
        "https://www.example.com/shop/123/reviews?page=2": "/shop/*/reviews",
        "https://www.example.com/blog/my-first-post": "/blog/*",
        "https://www.example.com/de-de/products/": "/de-de/products/",
        "https://www.example.com/a/b/c/d/e#f": "/a/b/c/…",
        "https://www.example.com": "",
    }
    with bench.server.snapshots.current() as snapshot, snapshot.reading() as store:
        for url, template in urls.items():
            assert store.connection.execute(f"SELECT {TEMPLATE} FROM (SELECT $1 AS url)", [url]).fetchall() == [
                (template,)
            ]
    text = bench.page("/runs/2/pages?reason=all")
    assert "template=%2Fblog%2F%2A" in text or "template=/blog/%2A" in text


def test_a_page_is_made_once_and_has_the_token_of_each_viewer(own: Bench, made: Path) -> None:
    first = own.token("/runs/2/findings")
    with TestClient(own.app, base_url="http://127.0.0.1:8080") as client:
        response = client.get("/runs/2/findings")
        [other] = set(re.findall(r'name="token" value="(\w+)"', response.text))
        assert "urlset-browser" in response.headers["set-cookie"]
    assert other != first
    assert own.token("/runs/2/findings") == first
    assert "set-cookie" not in own.client.get("/runs/2/findings").headers
    # Another program replaces the store.
    assert "Run 2" in own.page("/runs")
    with duckdb.connect(own.server.snapshots.store.with_name("new.duckdb")) as connection:
        connection.execute(f"ATTACH '{made}' AS old (READ_ONLY); COPY FROM DATABASE old TO new")
        connection.execute("DELETE FROM runs WHERE run_id = 2")
    own.server.snapshots.store.with_name("new.duckdb").replace(own.server.snapshots.store)
    assert "Run 2" not in own.page("/runs")
    assert "has no run 2" in own.page("/runs/2/findings", 404)


def test_a_page_that_takes_longer_says_so_and_is_loaded_again(own: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, waits = threading.Event(), threading.Event()

    def slow(*arguments: Any) -> Any:
        begun.set()
        waits.wait(60)
        return page_of_run(*arguments)

    monkeypatch.setattr(reads, "page_of_run", slow)
    monkeypatch.setattr(snapshots, "PATIENCE", 0.0)
    response = own.client.get("/runs/2")
    assert (response.status_code, response.headers["refresh"]) == (202, "2")
    # What is ready is shown at once.
    assert "listed pages cannot be indexed" in response.text
    assert "has been prepared for" in response.text
    assert begun.wait(60)
    # A second reader waits for the same result.
    assert own.client.get("/runs/2").status_code == 202
    waits.set()
    monkeypatch.setattr(snapshots, "PATIENCE", 600.0)
    assert own.client.get("/runs/2").status_code == 200


def test_a_preparation_is_canceled_with_its_process(own: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reads, "LARGE", 1)
    monkeypatch.setattr(reads, "diff", partial(time.sleep, 600))
    monkeypatch.setattr(reads, "call_in_process", lambda function, *_: processes.call_in_process(function))
    monkeypatch.setattr(snapshots, "PATIENCE", 0.0)
    text = own.page("/compare?before=1&after=2", 202)
    assert "7 before" in text or "6 before" in text
    [address] = re.findall(r'action="(/preparations/\d+/cancel)"', text)
    assert own.post(address).headers["location"] == "/runs"


def test_blocks_that_are_likely_next_are_found_ahead(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reads, "LARGE", 1)
    monkeypatch.setattr(reads, "ROWS", 2)
    monkeypatch.setattr(reads, "BLOCK", 4)
    begun: list[Any] = []
    with bench.server.snapshots.current() as snapshot:
        monkeypatch.setattr(type(snapshot), "ahead", lambda _, call: begun.append(call.args[2:]))
        view = GridView(TABLES["urls"], ("loc", "line"))
        reads.rows_of(snapshot, 2, view, (None, 0))
        assert [(one.sort, one.descending, place) for one, place in begun] == [("loc", False, None)]
        begun.clear()
        by_loc = GridView(TABLES["urls"], ("loc", "line"), (), "loc")
        rows = reads.rows_of(snapshot, 2, by_loc, (None, 2))
        assert [(one.descending, place[0] if place else None) for one, place in begun] == [
            (False, rows.rows[-1][0]),
            (True, None),
        ]
