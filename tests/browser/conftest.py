"""Chromium, pages opened in it under watch, and the reports that the tests look at."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

import chromium

from .reports import Reports

WIDE = {"width": 1280, "height": 900}
NARROW = {"width": 360, "height": 740}


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
    """What pages did that nobody asked for.

    Attributes:
        requests: Every URL that was asked for.
        messages: What was written to the console, errors of scripts included.
        dialogs: Every dialog that was opened.
    """

    requests: list[str] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)
    dialogs: list[str] = field(default_factory=list)

    def watch(self, page: Page) -> None:
        """Writes down what this page does."""
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("console", lambda message: self.messages.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.messages.append(f"uncaught: {error}"))
        page.on("popup", lambda popup: self.requests.append(f"popup {popup.url}"))

        def dismiss(dialog: Any) -> None:
            self.dialogs.append(dialog.message)
            dialog.dismiss()

        page.on("dialog", dismiss)


Opening = Callable[..., Page]


@pytest.fixture
def watched() -> Watched:
    """What the pages of a test did."""
    return Watched()


@pytest.fixture
def opening(browser: Browser, watched: Watched) -> Iterator[Opening]:
    """Opens files, each in a profile of its own; the test fails when one asked for another, or complained.

    Options are those of Playwright's `new_context`.
    """
    contexts = []
    files: list[str] = []

    def opened(path: Path, **options: Any) -> Page:
        context = browser.new_context(
            **{
                "viewport": WIDE,
                "locale": "en-GB",
                "timezone_id": "Europe/Berlin",
                "offline": True,
                # What is looked at has come to its end.
                "reduced_motion": "reduce",
                **options,
            }
        )
        context.set_default_timeout(10_000)
        contexts.append(context)
        page = context.new_page()
        watched.watch(page)
        files.append(path.as_uri())
        page.goto(path.as_uri())
        return page

    yield opened
    for context in contexts:
        context.close()
    assert watched.messages == []
    assert watched.dialogs == []
    assert [url.partition("#")[0] for url in watched.requests] == files
