"""The workbench in Chromium: from an address to its pages, two users, a folder, themes, screens, and keyboards."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect
from tests import tiers
from tests.tiers import sampled

import chromium
import demo_serve

from .conftest import NARROW, WIDE, Scheme, new_context

PATIENCE = 60_000
"""Milliseconds that a job may take on a busy machine."""


WIDEST: ViewportSize = {"width": 2560, "height": 1440}
A4: ViewportSize = {"width": 794, "height": 1123}
"""Paper, at 96 dots per inch."""

BEYOND = "document.documentElement.scrollWidth - innerWidth"

LOOKS: tuple[tuple[Scheme, ViewportSize], ...] = (("light", WIDE), ("dark", NARROW))

MAX_SHIFTED = 0.01
"""Maximum sum of the layout shifts of a page: https://web.dev/articles/cls calls 0.1 good."""

SHIFTED = """() => new Promise((done) => {
  let sum = 0;
  const add = (entries) => entries.forEach((one) => { sum += one.value; });
  const observer = new PerformanceObserver((list) => add(list.getEntries()));
  observer.observe({ type: "layout-shift", buffered: true });
  requestAnimationFrame(() => requestAnimationFrame(() => { add(observer.takeRecords()); done(sum); }));
})"""


def shifts(page: Page) -> Iterator[float]:
    """Load a page again, and yield how much of it moved: a busy machine may draw half a table at first."""
    for _ in range(3):
        page.goto(page.url)
        yield page.evaluate(SHIFTED)


@pytest.fixture(scope="module")
def local_browser(browser: Browser) -> Iterator[Browser]:
    """A browser that reaches this machine, unlike that of the tests of reports."""
    with browser.browser_type.launch(executable_path=chromium.program(), args=chromium.flags(loopback=True)) as local:
        yield local


@pytest.fixture(scope="module")
def served() -> Iterator[tuple[str, str]]:
    """The addresses of a workbench over three runs of the example site, and of the site."""
    with demo_serve.workbench(0, 0) as (address, site, _):
        yield address.rstrip("/"), site


class User:
    """A browser profile that complains about what a page does wrong."""

    def __init__(self, context: BrowserContext, address: str) -> None:
        self.messages: list[str] = []
        self.requests: list[str] = []
        self.address = address
        self.page: Page = context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.page.on("console", lambda message: self.messages.append(f"{message.type}: {message.text}"))
        self.page.on("pageerror", lambda error: self.messages.append(f"uncaught: {error}"))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("dialog", lambda dialog: self.messages.append(f"dialog: {dialog.message}"))

    def open(self, place: str) -> Page:
        """Open a page."""
        self.page.goto(self.address + place)
        # Until then, it is loaded again.
        expect(self.page.get_by_label("Being prepared")).to_have_count(0, timeout=PATIENCE)
        return self.page

    def check(self) -> None:
        """Fail if a page complained, or requested something of another host."""
        assert self.messages == []
        assert [url for url in self.requests if not url.startswith(self.address)] == []


@pytest.fixture
def users(local_browser: Browser, served: tuple[str, str]) -> Iterator[Any]:
    """Return new users, who have nothing to complain about in the end."""
    contexts, made = [], []

    def new(**options: Any) -> User:
        context = new_context(local_browser, **{"offline": False, **options})
        contexts.append(context)
        made.append(User(context, served[0]))
        return made[-1]

    yield new
    for one in made:
        one.check()
    for context in contexts:
        context.close()


def places(users: Any) -> list[str]:
    """The pages of the workbench."""
    page = users().open("/runs/3/pages")
    url = page.locator("table a.url").first.get_attribute("href")
    query = "select reason, count(*) from pages group by all"
    return [
        "/", "/runs", "/runs/3", "/runs/3/pages", "/runs/3/pages?reason=noindex", str(url), "/runs/3/findings",
        "/compare?before=2&after=3", "/monitor", "/explore?run=3", "/explore/pages?run=3&sort=-url", f"/sql?q={query}",
        f"/sql?q={query}&view=chart", "/nothing",
    ]  # fmt: skip


@pytest.mark.long("renderings of reports")
def test_two_users_get_from_an_address_to_the_reasons_at_once(users: Any, served: tuple[str, str]) -> None:
    """One click starts the audit, and its pages with their reasons follow; a second user sees both jobs."""
    one, other = users(), users()
    for user in (one, other):
        page = user.open("/")
        page.get_by_label("Site, sitemap, or page").fill(served[1])
        page.get_by_role("button", name="Start", exact=True).click()
    expect(other.page.get_by_role("heading", level=2).first).to_have_text(re.compile("Waiting|Running"))
    for user in (one, other):
        user.page.wait_for_url(re.compile(r"/runs/[45]/pages$"), timeout=PATIENCE)
        expect(user.page.get_by_role("heading", level=2).first).to_have_text(
            "15 of 49 listed pages cannot be indexed; it is unknown whether 4 more can"
        )
    assert one.page.url != other.page.url
    one.page.get_by_role("link", name=re.compile("^noindex")).click()
    expect(one.page.locator("table tbody tr")).to_have_count(3)
    one.page.locator("table a.url").first.click()
    expect(one.page.get_by_role("heading", level=2).first).to_have_text("Not indexable: noindex")


@pytest.mark.long("renderings of reports")
def test_a_job_is_canceled_and_resumed(users: Any, served: tuple[str, str]) -> None:
    page = users().open("/")
    page.get_by_label("Site, sitemap, or page").fill(served[1])
    page.get_by_role("button", name="Start", exact=True).click()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("heading", level=2).first).to_have_text("Canceled")
    page.get_by_role("button", name="Resume").click()
    page.wait_for_url(re.compile(r"/jobs/\d+\?stay|/runs/\d+/pages"), timeout=PATIENCE)


def test_a_folder_is_chosen_and_audited(users: Any, tmp_path: Path) -> None:
    public = tmp_path / "dist"
    (public / "blog").mkdir(parents=True)
    for name in ("index.html", "blog/one.html"):
        (public / name).write_text(f"<!DOCTYPE html><title>{name}</title><p>{name} " + "Oak tables. " * 60)
    (public / "sitemap.xml").write_text(
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://www.example.com/</loc></url>'
        "<url><loc>https://www.example.com/blog/one.html</loc></url></urlset>"
    )
    page = users().open("/")
    page.get_by_text("Files, folders, and options").click()
    page.locator("input[webkitdirectory]").set_input_files(public)
    page.get_by_label("Published at, for a folder").fill("https://www.example.com/")
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url(re.compile(r"/runs/\d+/pages$"), timeout=PATIENCE)
    expect(page.get_by_role("heading", level=2).first).to_have_text("All 2 listed pages can be indexed")


@pytest.mark.long("renderings of reports")
def test_a_folder_is_dropped_and_validated(users: Any, tmp_path: Path) -> None:
    """As from a file manager, with the paths of the files in the folder."""
    entry = "<url><loc>https://www.example.com/{}</loc></url>"
    for name in ("one.xml", "inner/two.xml"):
        path = tmp_path / "dropped" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entry.format(name)}</urlset>')
    page = users().open("/")
    page.get_by_text("Validate", exact=True).click()
    page.get_by_text("Files, folders, and options").click()
    zone = page.locator("[data-zone]").bounding_box()
    assert zone is not None
    content = {"items": [], "files": [str(tmp_path / "dropped")], "dragOperationsMask": 1}
    place = {"x": zone["x"] + zone["width"] / 2, "y": zone["y"] + zone["height"] / 2, "data": content}
    browser = page.context.new_cdp_session(page)
    for kind in ("dragEnter", "dragOver"):
        browser.send("Input.dispatchDragEvent", {"type": kind, **place})
    expect(page.locator("[data-zone]")).to_have_class(re.compile("over"))
    browser.send("Input.dispatchDragEvent", {"type": "drop", **place})
    expect(page.get_by_text("2 files to audit: dropped")).to_be_visible()
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url(re.compile(r"/runs/\d+$"), timeout=PATIENCE)
    expect(page.locator("main")).to_contain_text("inner/two.xml")


def test_every_page_is_accessible_and_fits(users: Any) -> None:
    """WCAG AA in both themes, on a phone, a wide screen, and paper, with nothing that moves or scrolls sideways."""
    options = {"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "best-practice"], "resultTypes": ["violations"]}
    user = users()
    for number, place in enumerate(sampled(places(users), 5)):
        page = user.open(place)
        for size in (WIDE, NARROW):
            page.set_viewport_size(size)
            assert any(moved < MAX_SHIFTED for moved in shifts(page)), (place, size)
            assert page.evaluate(BEYOND) <= 0, (place, size)
        for scheme, size in LOOKS if tiers.IS_LONG else LOOKS[number % 2 :][:1]:
            page.emulate_media(color_scheme=scheme)
            page.set_viewport_size(size)
            found = Axe().run(page, options=options).response["violations"]
            assert [(one["id"], one["nodes"][0]["html"]) for one in found] == [], (place, scheme)
        page.set_viewport_size(WIDEST)
        assert page.evaluate(BEYOND) <= 0, (place, WIDEST)
        page.set_viewport_size(A4)
        page.emulate_media(media="print")
        assert page.evaluate(BEYOND) <= 0, (place, "print")
        assert [
            one.inner_text() for one in page.locator("form, .tabs, .bench, .buttons").all() if one.is_visible()
        ] == []
        assert page.get_by_role("heading", level=1).is_visible()
        page.emulate_media(media="screen")
    user.messages = [one for one in user.messages if "404" not in one]


def test_what_can_be_done_with_a_mouse_can_be_done_with_keys(users: Any, served: tuple[str, str]) -> None:
    page = users().open("/")
    # The field has the focus.
    page.keyboard.type(served[1])
    page.keyboard.press("Tab")
    expect(page.get_by_role("radio", name="Audit")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Start", exact=True)).to_be_focused()
    page.goto(page.url + "runs/3/findings")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.locator("details.rule summary").first.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Accept").first).to_be_visible()


def test_it_works_without_scripts(users: Any) -> None:
    page = users(java_script_enabled=False).open("/runs/3/pages")
    page.get_by_role("link", name=re.compile("^redirects")).first.click()
    expect(page.locator("table tbody tr")).not_to_have_count(0)


def test_another_site_neither_frames_it_nor_runs_a_query(users: Any, served: tuple[str, str]) -> None:
    """The site has the same host, and another port, as that of another user of the machine would."""
    user = users()
    user.address, query = served[1], f"{served[0]}/sql?q=select+6*7+as+answer"
    page = user.open("/")
    with page.expect_response(query) as framed:
        page.evaluate("src => { document.body.append(Object.assign(document.createElement('iframe'), {src})) }", query)
    assert framed.value.status == 403
    page.evaluate("url => { location.href = url }", query)
    expect(page.get_by_label("Query in the SQL of DuckDB")).to_have_value("select 6*7 as answer")
    expect(page.locator("table.grid")).to_have_count(0)
    user.address = served[0]
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.locator("table.grid td")).to_have_text("42")
    # Chromium complains about the frame.
    user.messages.clear()
    user.requests.clear()


def test_the_token_opens_a_shared_server(local_browser: Browser, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "urlset", "serve", "--address", "0.0.0.0", "--port", "0", "--no-config"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            address = server.stdout.readline().strip().replace("0.0.0.0", "127.0.0.1")
            context = new_context(local_browser, offline=False)
            page = context.new_page()
            page.goto(address.partition("/login")[0])
            expect(page.get_by_role("heading", level=1)).to_have_text("Token")
            page.get_by_label("The token").fill(address.partition("token=")[2])
            page.get_by_role("button", name="Open").click()
            expect(page.get_by_role("button", name="Start", exact=True)).to_be_visible()
            [cookie] = [one for one in context.cookies() if one["name"].startswith("urlset-session-")]
            assert (cookie["httpOnly"], cookie["sameSite"]) == (True, "Strict")
            context.close()
        finally:
            server.terminate()
