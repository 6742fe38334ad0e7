"""Every form of the workbench in Chromium: what is typed arrives, and is shown again, as it is."""

from __future__ import annotations

import html
import json
import re
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Browser, Page, expect
from tests.serve.conftest import EVIL, SITE, Bench, opened, running, site

import chromium
import urlset
from urlset.model.page_explanation import Listing
from urlset.serve import snapshots, store_reader
from urlset.serve.app import Place
from urlset.serve.explained_page import ExplainedPage
from urlset.serve.jobs import RESULT, Job, Jobs, JobState
from urlset.store.grid import EXAMPLE

from .conftest import new_context

ODD = "a\u00a0b\u202e\\n \"'<b>&amp;"
"""Characters that a page escapes, and that a form must not change."""

QUERY = f"SELECT reason,\n\tcount(*) AS pages -- {ODD}\n\nFROM pages\nGROUP BY ALL"
AT = datetime(2026, 11, 1, 12, tzinfo=UTC)
EXPLAINED = ExplainedPage(
    url=f"{SITE}/blog/two.html", is_indexable=False, fails=True, verdict=f"It has a noindex: {ODD}", fix="Remove it.",
    listings=(Listing("", f"{SITE}/sitemap.xml", 3, 1, None),), entries=1,
    similar=(), listing_lines=(),
    robots_lines=("allowed  line 1: Googlebot",), language_lines=(),
    page={"status": 200, "title": ODD, "hops": ["/x"], "fetched_at": AT},
    stored=None, unknown=("links to the page",), notes=(),
)  # fmt: skip


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    """A page of a browser that reaches this machine."""
    with browser.browser_type.launch(executable_path=chromium.program(), args=chromium.flags(loopback=True)) as local:
        context = new_context(local, offline=False)
        yield context.new_page()
        context.close()


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of two runs."""
    folder = tmp_path_factory.mktemp("forms")
    for lastmod in ("2025-01-01", "2026-01-01"):
        urlset.audit(str(site(folder, lastmod)), base_url=f"{SITE}/", store=folder / "urlset.duckdb")
    return folder / "urlset.duckdb"


def done_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have jobs end at once, with what is known of a page."""

    def work(self: Jobs, job: Job) -> None:
        (self.folder_of(job.id) / RESULT).write_bytes(msgspec.json.encode(EXPLAINED))
        self._end(job, JobState.FINISHED, None)

    monkeypatch.setattr(Jobs, "_work", work)


def start(page: Page, bench: Bench) -> None:
    """What is refused says why, and stays in its field; the rest starts a job."""
    page.get_by_label("Site, sitemap, or page").fill(f"ftp://example.com/{ODD}")
    page.get_by_text("Files, folders, and options").click()
    page.get_by_label("Published at, for a folder").fill(ODD)
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("not a site or URL; enter example.com")
    expect(page.get_by_label("Site, sitemap, or page")).to_have_value(f"ftp://example.com/{ODD}")
    expect(page.get_by_label("Published at, for a folder")).to_have_value(ODD)
    page.get_by_label("Site, sitemap, or page").fill(f"{SITE}/?{ODD}")
    page.get_by_text("Explain a page", exact=True).click()
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url(re.compile(r"/jobs/\d+"))
    assert bench.server.jobs.list()[0].target == f"{SITE}/?{ODD}"
    read_explanation(page)


def read_explanation(page: Page) -> None:
    """A page that was requested has the view of a page of a run: verdict, fix, entries, response, robots.txt."""
    expect(page.get_by_role("heading", level=2)).to_have_text(
        ["Not indexable", "Sitemap entries", "Page", "robots.txt", "Not known"]
    )
    expect(page.locator("section.verdict p").first).to_contain_text("It has a noindex: a")
    expect(page.get_by_text("Remove it.")).to_be_visible()
    expect(page.locator("dl.record dt")).to_have_text(["status", "title", "hops", "fetched at"])
    expect(page.locator("dl.record time")).to_have_attribute("datetime", "2026-11-01T12:00:00Z")
    expect(page.get_by_role("link", name="/sitemap.xml")).to_have_attribute("href", f"{SITE}/sitemap.xml")


def request_now(page: Page, bench: Bench) -> None:
    page.goto(page.url + f"runs/2/url?u={SITE}/blog/two.html%C2%A0%E2%80%AE")
    page.get_by_role("button", name="Request it now").click()
    page.wait_for_url(re.compile(r"/jobs/\d+"))
    assert bench.server.jobs.list()[0].target == f"{SITE}/blog/two.html\u00a0\u202e"
    read_explanation(page)


def request_again(page: Page, bench: Bench) -> None:
    start(page, bench)
    page.get_by_role("button", name="Request it again").click()
    page.wait_for_url(re.compile(r"/jobs/2"))
    assert bench.server.jobs.list()[0].target == EXPLAINED.url
    read_explanation(page)


def remove(page: Page, bench: Bench) -> None:
    start(page, bench)
    number = bench.server.jobs.list()[0].id
    page.get_by_role("button", name="Remove").click()
    page.wait_for_url(re.compile(r":\d+/$"))
    assert bench.server.jobs.get(number) is None


def query(page: Page, _: Bench) -> None:
    """The example runs as it is; a query of several lines runs as often as its button is pressed."""
    page.goto(page.url + "sql?run=2")
    box = page.get_by_label("Query in the SQL of DuckDB")
    expect(box).to_have_value(EXAMPLE)
    for text, name in ((EXAMPLE, "Run"), (QUERY, "Run"), (QUERY, "Run, and draw a chart")):
        if text != box.input_value():
            box.fill(text)
        page.get_by_role("button", name=name, exact=True).click()
        expect(page.locator("main table")).to_contain_text("noindex")
        expect(box).to_have_value(text)
    box.fill("SELECT 1,\n  nothing\nFROM pages")
    page.get_by_role("button", name="Run", exact=True).click()
    assert "\n\nLINE 2:   nothing\n          ^" in page.get_by_role("alert").inner_text()
    expect(box).to_have_value("SELECT 1,\n  nothing\nFROM pages")


def filter_pages(page: Page, _: Bench) -> None:
    page.goto(page.url + f"runs/2/pages?reason=all&under={SITE}/%C2%A0")
    page.get_by_label("URL contains").fill(ODD)
    page.get_by_role("button", name="Filter").click()
    expect(page.get_by_text("No page fits the filters.")).to_be_visible()
    expect(page.get_by_label("URL contains")).to_have_value(ODD)
    assert f"under={SITE}/%C2%A0".replace(":", "%3A").replace("/", "%2F") in page.url


def filter_table(page: Page, _: Bench) -> None:
    """Each filter stays as it is while others are added."""
    page.goto(page.url + "explore/pages?run=2")
    for column, value in (("title", EVIL), ("url", "four")):
        page.get_by_label("Column", exact=True).select_option(column)
        page.get_by_label("Condition").select_option("contains")
        page.get_by_label("Value").fill(value)
        page.get_by_role("button", name="Add filter").click()
        expect(page.locator("table.grid tbody tr")).to_have_count(1)
    expect(page.locator(".chip")).to_have_count(2)


def choose_columns(page: Page, bench: Bench) -> None:
    filter_table(page, bench)
    page.get_by_text(re.compile("^Columns:")).click()
    for name in ("url", "status", "final_url"):
        page.locator(f".choices input[value={name}]").uncheck()
    page.get_by_role("button", name="Show these columns").click()
    expect(page.locator("table.grid thead th").filter(has_text=re.compile("^(url|status|final_url)$"))).to_have_count(0)
    expect(page.locator("table.grid tbody tr")).to_have_count(1)


def open_rule(page: Page) -> None:
    page.goto(page.url + "runs/2/findings")
    page.locator("details.rule summary").first.click()


def try_severity(page: Page, _: Bench) -> None:
    open_rule(page)
    page.locator("details.rule[open] select").select_option("ignored")
    page.get_by_role("button", name="Change the severity").first.click()
    expect(page.get_by_role("status").filter(has_text="Changed in this view only")).to_be_visible()


def accept(page: Page, bench: Bench) -> None:
    open_rule(page)
    page.get_by_label("Reason to accept it").first.fill(ODD)
    page.get_by_label("Until").first.fill("2099-12-31")
    page.get_by_role("button", name="Accept").first.click()
    expect(page.get_by_role("heading", name="Accepted")).to_be_visible()
    [entry] = json.loads(bench.server.baseline.read_bytes())["entries"]
    assert entry["reason"] == ODD


def compare(page: Page, _: Bench) -> None:
    page.goto(page.url + "runs")
    page.get_by_role("button", name="Compare the two chosen runs").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("What changed from run 1 to run 2")


def log_in(page: Page, bench: Bench) -> None:
    page.goto(page.url)
    for secret in (ODD, bench.server.access.token or ""):
        page.get_by_label("The token").fill(secret)
        page.get_by_role("button", name="Open").click()
    expect(page.get_by_role("button", name="Start", exact=True)).to_be_visible()


def cancel_preparation(page: Page, _: Bench) -> None:
    page.goto(page.url + "runs/2")
    page.get_by_role("button", name="Cancel").click()
    page.wait_for_url(re.compile("/runs$"))


Flow = Callable[[Page, Bench], None]
FORMS: dict[tuple[str, str], Flow] = {
    ("start.html.j2", "/jobs"): start,
    ("url.html.j2", "/jobs"): request_now,
    ("explained.html.j2", "/jobs"): request_again,
    ("macros.html.j2", "/jobs/{{ job.id }}/{{ action }}"): remove,
    ("sql.html.j2", "/sql"): query,
    ("pages.html.j2", ""): filter_pages,
    ("table.html.j2", ""): choose_columns,
    ("findings.html.j2", "/runs/{{ run.run_id }}/findings"): try_severity,
    ("findings.html.j2", "/runs/{{ run.run_id }}/accept"): accept,
    ("runs.html.j2", "/compare"): compare,
    ("login.html.j2", "/login"): log_in,
    ("preparing.html.j2", "/preparations/{{ preparation.number }}/cancel"): cancel_preparation,
}
"""What is done with each form, by its template and its address."""


@pytest.mark.parametrize("flow", FORMS.values(), ids=lambda flow: flow.__name__)
def test_a_form_sends_and_shows_what_is_typed(
    flow: Flow,
    page: Page,
    store: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done_at_once(monkeypatch)
    waits = threading.Event()
    if flow is cancel_preparation:
        monkeypatch.setattr(snapshots, "PATIENCE", 0.0)
        monkeypatch.setattr(store_reader, "report_page", lambda *_: waits.wait(60))
    place = Place(names=("127.0.0.1",)) if flow is not log_in else Place("0.0.0.0")
    with opened(tmp_path, store, place) as bench, running(bench) as address:
        page.goto(f"{address}/")
        flow(page, bench)
        assert "\u202e" not in page.locator("body").inner_text()
        page.goto("about:blank")
        waits.set()


def test_every_form_is_among_them() -> None:
    forms = {
        (template.name, html.unescape((re.search(r'action="([^"]*)"', form) or ["", ""])[1]))
        for template in resources.files("urlset.serve").joinpath("files").iterdir()
        if template.name.endswith(".j2")
        for form in re.findall(r"<form\b[^>]*>", template.read_text("utf-8"))
    }
    assert forms == set(FORMS)
