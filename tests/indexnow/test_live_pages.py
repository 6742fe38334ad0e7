"""`notify` waits until new and changed pages are online with their new main text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.cases import case_table

from urlset.errors import ExitCode
from urlset.model.notification import NotifyOutcome, NotifyResult

from .conftest import HEAD

OLD, NEW = "The text of the page as it was before.", "The text of the page as it is now, after the change by a@b.a."


def html(text: str, *, minified: bool = False) -> bytes:
    gap = "" if minified else "\n  "
    return f"<!doctype html>{gap}<title>Page</title>{gap}<main>{gap}<p>{text}</p>{gap}</main>".encode()


def build(folder: Path, origin: str, text: str, date: str) -> str:
    (folder / "page").mkdir(parents=True)
    (folder / "page" / "index.html").write_bytes(html(text))
    entry = f"<url><loc>{origin}/page/</loc><lastmod>{date}</lastmod></url>"
    (folder / "sitemap.xml").write_text(f"{HEAD}{entry}</urlset>")
    return str(folder)


HIDDEN = b'<span class="__cf_email__" data-cfemail="422302206c23">[email&#160;protected]</span>'
"""The address of the page, as Cloudflare writes it."""

SERVED = {
    "the new text": (200, html(NEW), NotifyOutcome.SENT),
    "the new text, minified": (200, html(NEW, minified=True), NotifyOutcome.SENT),
    "the new text, with a hidden address": (200, html(NEW).replace(b"a@b.a", HIDDEN), NotifyOutcome.SENT),
    "the old text": (200, html(OLD), NotifyOutcome.NOT_LIVE),
    "an error with the new text": (503, html(NEW), NotifyOutcome.NOT_LIVE),
}


@case_table("status, content, outcome", SERVED)
def test_a_page_is_sent_once_its_new_text_is_online(
    engine: Any,
    notify: Callable[..., NotifyResult],
    tmp_path: Path,
    status: int,
    content: bytes,
    outcome: NotifyOutcome,
) -> None:
    engine.bodies.clear()
    folder = tmp_path / outcome / str(len(content)) / str(status)
    sides = (
        build(folder / "old", engine.url, OLD, "2026-01-01"),
        build(folder / "new", engine.url, NEW, "2026-02-01"),
    )
    engine.files["/page/"] = (status, content, {"Content-Type": "text/html"})
    result = notify(*sides, ledger=folder / "ledger.duckdb")
    assert result.outcome is outcome
    sent = outcome is NotifyOutcome.SENT
    assert engine.accepted == ([f"{engine.url}/page/"] if sent else [])
    assert (result.live_pages, result.urls, result.accepted) == (sent, 1, sent)
    assert result.exit_code is (ExitCode.CLEAN if sent else ExitCode.FINDINGS)
    if not sent:
        assert result.reason == f"1 page does not return the new main text yet, such as {engine.url}/page/"
