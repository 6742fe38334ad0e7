"""The watch over pages itself: what it is there to notice is noticed, and nothing gets out of this machine."""

from __future__ import annotations

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Browser, Page

from .conftest import Watched


@pytest.fixture
def page(browser: Browser, watched: Watched) -> Page:
    page = browser.new_page()
    watched.watch(page)
    return page


def shown(page: Page, tmp_path: Path, body: str) -> None:
    path = tmp_path / "page.html"
    path.write_text(f"<!doctype html><title>A page</title>{body}", "utf-8")
    page.goto(path.as_uri())


def test_requests_are_seen_and_lead_nowhere(page: Page, watched: Watched, tmp_path: Path) -> None:
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        address = f"127.0.0.1:{server.server_address[1]}/x.png"
        shown(page, tmp_path, f"<img src=http://{address}><script src=http://example.com/x.js></script>")
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
    assert len(watched.requests) == 3
    assert len(watched.messages) == 2
    assert all("ERR_NAME_NOT_RESOLVED" in message for message in watched.messages)
    assert asked == []


def test_complaints_and_dialogs_are_seen(page: Page, watched: Watched, tmp_path: Path) -> None:
    shown(page, tmp_path, "<script>console.warn('w'); alert('a'); console.log('l'); missing()</script>")
    assert watched.dialogs == ["a"]
    assert watched.messages == ["warning: w", "log: l", "uncaught: missing is not defined"]


def test_a_policy_that_is_broken_is_seen(page: Page, watched: Watched, tmp_path: Path) -> None:
    policy = "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'\">"
    shown(page, tmp_path, f"{policy}<p style='color: red' onclick='alert(1)'>Text<script>alert(1)</script>")
    assert watched.dialogs == []
    assert len(watched.messages) >= 2
