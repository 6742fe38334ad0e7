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

    def watch(self, page: Page) -> None:
        """Record the events of this page."""
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("console", lambda message: self.messages.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.messages.append(f"uncaught: {error}"))
        page.on("popup", lambda popup: self.requests.append(f"popup {popup.url}"))

        def dismiss(dialog: Any) -> None:
            self.dialogs.append(dialog.message)
            dialog.dismiss()

        page.on("dialog", dismiss)

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


@pytest.fixture
def opening(browser: Browser, watched: Watched) -> Iterator[Opening]:
    """Open files in a new profile each; the test fails if a page requests another file or complains.

    Options are those of Playwright's `new_context`.
    """
    contexts = []
    files: list[str] = []

    def opened(path: Path, **options: Any) -> Page:
        context = new_context(browser, **options)
        contexts.append(context)
        page = context.new_page()
        watched.watch(page)
        files.append(path.as_uri())
        page.goto(path.as_uri())
        return page

    yield opened
    for context in contexts:
        context.close()
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
