"""Chromium, pages opened in it under watch, and the reports that the tests look at."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize

import chromium

from .reports import Reports

Scheme = Literal["light", "dark"]
WIDE: ViewportSize = {"width": 1280, "height": 900}
NARROW: ViewportSize = {"width": 360, "height": 740}


@pytest.fixture(scope="package")
def browser(request: pytest.FixtureRequest) -> Iterator[Browser]:
    """The browser, one for all tests of this folder: what it runs on would be in the way of others' event loops."""
    if request.config.getoption("without_browser"):
        pytest.skip("left out by --without-browser")
    if chromium.program() is None:
        pytest.fail(f"{chromium.MISSING}; --without-browser leaves these tests out", pytrace=False)
    with chromium.running() as running:
        yield running


@pytest.fixture(scope="package")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Reports:
    """The reports, each made when it is first asked for."""
    return Reports(tmp_path_factory.mktemp("reports"))


@dataclass
class Watched:
    """The events of pages that fail a test.

    Attributes:
        requests: The URL of every request.
        messages: Messages on the console, including uncaught exceptions.
        dialogs: The message of every dialog.
    """

    requests: list[str] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)
    dialogs: list[str] = field(default_factory=list)

    def watch(self, page: Page) -> Callable[[], None]:
        """Record the events of this page until the function that is returned is called."""

        def dismiss(dialog: Any) -> None:
            self.dialogs.append(dialog.message)
            dialog.dismiss()

        listeners: dict[str, Callable[[Any], None]] = {
            "request": lambda request: self.requests.append(request.url),
            "console": lambda message: self.messages.append(f"{message.type}: {message.text}"),
            "pageerror": lambda error: self.messages.append(f"uncaught: {error}"),
            "popup": lambda popup: self.requests.append(f"popup {popup.url}"),
            "dialog": dismiss,
        }
        listening: Any = page  # whose types are overloads of one event each
        for event, listener in listeners.items():
            listening.on(event, listener)

        def stop() -> None:
            for event, listener in listeners.items():
                listening.remove_listener(event, listener)

        return stop

    def assert_only(self, files: list[str]) -> None:
        """Fail unless the pages requested these files only, wrote no message, and opened no dialog."""
        assert self.messages == []
        assert self.dialogs == []
        assert [url.partition("#")[0] for url in self.requests] == files


Opening = Callable[..., Page]


def open_all(page: Page, most: int = 10_000) -> None:
    """Open the details of the page, or the first ones: the others have the same structure."""
    page.evaluate(
        "most => [...document.querySelectorAll('details')].slice(0, most).forEach(one => { one.open = true })", most
    )


def open_folds(page: Page) -> Page:
    """Open the folded sections of a report."""
    page.evaluate("() => document.querySelectorAll('details.fold').forEach(one => { one.open = true })")
    return page


def new_context(browser: Browser, **options: Any) -> BrowserContext:
    """Create a profile without network, with these options of Playwright's `new_context`."""
    context = browser.new_context(
        **{
            "viewport": WIDE,
            "locale": "en-GB",
            "timezone_id": "Europe/Berlin",
            "offline": True,
            # Tests check the final state of animations.
            "reduced_motion": "reduce",
            **options,
        }
    )
    context.set_default_timeout(10_000)
    return context


@pytest.fixture
def watched() -> Watched:
    """The events of the pages that a test opens."""
    return Watched()


class KeptPages:
    """Empty pages in profiles of their own, which tests use in turn: a new profile takes longer than most tests."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._free: list[Page] = []

    def take(self, size: ViewportSize, scheme: Scheme, *, scripts: bool) -> Page:
        """Return a page that no test uses, as in a new profile."""
        if not scripts or not self._free:
            options = {"viewport": size, "color_scheme": scheme, "java_script_enabled": scripts}
            return new_context(self._browser, **options).new_page()
        page = self._free.pop()
        page.set_viewport_size(size)
        page.emulate_media(media="null", color_scheme=scheme, reduced_motion="reduce")
        return page

    def give_back(self, page: Page, *, scripts: bool) -> None:
        """Take a page back and empty its profile, or close one that differs from a new one."""
        if not scripts or len(page.context.pages) > 1:
            page.context.close()
            return
        page.evaluate("() => localStorage.clear()")
        page.goto("about:blank")
        self._free.append(page)


@pytest.fixture(scope="package")
def kept_pages(browser: Browser) -> KeptPages:
    """The pages that tests use in turn."""
    return KeptPages(browser)


@pytest.fixture
def opening(kept_pages: KeptPages, watched: Watched) -> Iterator[Opening]:
    """Open files in an empty profile each; the test fails if a page requests another file or complains."""
    used: list[tuple[Page, bool, Callable[[], None]]] = []
    files: list[str] = []

    def opened(
        path: Path, viewport: ViewportSize = WIDE, color_scheme: Scheme = "light", *, java_script_enabled: bool = True
    ) -> Page:
        page = kept_pages.take(viewport, color_scheme, scripts=java_script_enabled)
        used.append((page, java_script_enabled, watched.watch(page)))
        files.append(path.as_uri())
        page.goto(path.as_uri())
        return page

    yield opened
    for page, scripts, stop in used:
        # Events that the test caused arrive before the answer.
        page.evaluate("() => new Promise(resolve => setTimeout(resolve))" if scripts else "1")
        stop()
        kept_pages.give_back(page, scripts=scripts)
    watched.assert_only(files)


class SharedPages:
    """One page of each report, which all tests share that change only its theme and size and open its details."""

    def __init__(self, context: BrowserContext, reports: Reports) -> None:
        self._context, self._reports = context, reports
        self._pages: dict[str, Page] = {}
        self._files: list[str] = []
        self._watched = Watched()

    def __call__(self, name: str, scheme: Scheme = "light", size: ViewportSize = WIDE) -> Page:
        """Return the page of a report in this theme and size."""
        if name not in self._pages:
            page = self._pages[name] = self._context.new_page()
            self._watched.watch(page)
            self._files.append(self._reports[name].as_uri())
            page.goto(self._files[-1])
        page = self._pages[name]
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size(size)
        return page

    def check(self) -> None:
        """Fail if a page requested another file or complained since the last check."""
        for page in self._pages.values():
            # Events that the test caused arrive before the answer.
            page.evaluate("() => new Promise(resolve => setTimeout(resolve))")
        try:
            self._watched.assert_only(self._files)
        finally:
            for events in (self._files, self._watched.requests, self._watched.messages, self._watched.dialogs):
                events.clear()


@pytest.fixture(scope="package")
def shared_pages(browser: Browser, reports: Reports) -> Iterator[SharedPages]:
    """The pages that tests share."""
    context = new_context(browser)
    yield SharedPages(context, reports)
    context.close()


@pytest.fixture
def shared(shared_pages: SharedPages) -> Iterator[SharedPages]:
    """The shared pages; the test fails if one of them requests another file or complains."""
    yield shared_pages
    shared_pages.check()
