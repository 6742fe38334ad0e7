"""Pages on a loopback server: rows of responses, robots.txt, budgets, and nothing left running."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest
from tests.loopback import served

import urlset
from urlset import _core
from urlset.fetch.fetcher import Fetcher
from urlset.net.trust import Trust
from urlset.options import ProbeMethod, ProbingOptions, ReadOptions
from urlset.probe.facts import ProbeTarget, Row
from urlset.probe.prober import Prober
from urlset.tables import PAGES

TEXT = "<main>" + "words of the page " * 30 + "</main>"
HEAD = "<!doctype html><html lang=en><head><title> A  title </title>"
PAGES_OF_SITE: dict[str, tuple[int, dict[str, str], str]] = {
    "/": (200, {"Last-Modified": "Mon, 03 Nov 2025 12:00:00 GMT", "ETag": '"1"'}, f"{HEAD}</head>{TEXT}"),
    "/self": (200, {}, f'{HEAD}<base href="/deep/"><link rel=canonical href="../self#top"></head>{TEXT}'),
    "/elsewhere": (200, {"Link": '</other>; rel="canonical"'}, f"{HEAD}</head>{TEXT}"),
    "/noindex": (200, {"X-Robots-Tag": "otherbot: noarchive, googlebot: none"}, f"{HEAD}</head>{TEXT}"),
    "/meta": (200, {}, f'{HEAD}<meta name=Robots content="NOINDEX"></head>{TEXT}'),
    "/header-refresh": (200, {"Refresh": "0;url=/other", "Content-Usage": "train-ai=no"}, f"{HEAD}</head>{TEXT}"),
    "/refresh": (200, {}, f'{HEAD}<meta http-equiv=refresh content="5; url=/other"></head>{TEXT}'),
    "/versions": (
        200,
        {"Link": "</fr>; rel=alternate; hreflang=fr, </x>; rel=next"},
        f'{HEAD}<link rel=alternate hreflang=de href="/de"></head>{TEXT}',
    ),
    "/dated": (
        200,
        {},
        f'{HEAD}<meta property="og:updated_time" content="2025-01-01">'
        f'<meta property="article:modified_time" content="2025-11-03T12:00:00+01:00"></head>{TEXT}',
    ),
    "/login": (200, {}, f"{HEAD}</head><form><input type=password></form>"),
    "/moved": (301, {"Location": "/moved-again"}, ""),
    "/moved-again": (302, {"Location": "/"}, ""),
    "/circle": (302, {"Location": "/circle"}, ""),
    "/gone": (410, {}, "gone"),
    "/paper.pdf": (200, {"Content-Type": "application/pdf"}, "%PDF"),
    "/no-head.pdf": (200, {"Content-Type": "application/pdf"}, "%PDF"),
    "/long": (200, {}, HEAD + "</head>" + "long " * 200_000),
    "/private/a": (200, {}, TEXT),
    "/robots.txt": (200, {"Content-Type": "text/plain"}, "User-agent: *\nDisallow: /private/\n# and more"),
}


class Site(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    asked: list[tuple[str, str]] = []  # noqa: RUF012 - one server a test

    def do_GET(self) -> None:
        self.asked.append((self.command, self.path))
        status, headers, body = PAGES_OF_SITE.get(self.path, (404, {}, ""))
        if self.command == "HEAD" and self.path == "/no-head.pdf":
            status = 405
        self.send_response(status)
        for name, value in {"Content-Type": "text/html; charset=utf-8", **headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command == "GET":
            with contextlib.suppress(OSError):
                self.wfile.write(body.encode())

    def do_HEAD(self) -> None:
        self.do_GET()


@pytest.fixture
def site() -> Iterator[str]:
    Site.asked.clear()
    with served(Site) as origin:
        yield origin


def prober(site: str, paths: list[str], fetch: ReadOptions | None = None, **options: Any) -> Prober:
    waiting = [ProbeTarget(site + path, {"document_id": 0, "ordinal": n}, None) for n, path in enumerate(paths)]

    def more(most: int) -> list[ProbeTarget]:
        taken, waiting[:] = waiting[:most], waiting[most:]
        return taken

    fetcher = Fetcher(fetch or ReadOptions(cache=False, retries=0), Trust.of([site]))
    return Prober(fetcher, ProbingOptions(**options), more)


def fetched(site: str, *paths: str, **options: Any) -> dict[str, Row]:
    """Return the row of each path."""
    one = prober(site, list(paths), **options)
    with one.fetcher:
        return {row["url"].removeprefix(site): row for batch in one for row in batch}


def test_the_rows_fit_the_table(site: str) -> None:
    rows = fetched(site, *PAGES_OF_SITE)
    assert rows.keys() == PAGES_OF_SITE.keys()
    names = set(PAGES.column_names)
    assert all(row.keys() <= names for row in rows.values())
    assert all(row["document_id"] == 0 for row in rows.values())


def test_what_a_page_says(site: str) -> None:
    rows = fetched(site, *PAGES_OF_SITE)
    home = rows["/"]
    assert (home["status"], home["method"], home["error_kind"], home.get("hops")) == (200, "GET", None, None)
    assert (home["title"], home["html_lang"], home["words"]) == ("A title", "en", 120)
    assert home["last_modified_at"] == datetime(2025, 11, 3, 12, tzinfo=UTC)
    assert home["etag"] == '"1"'
    assert home["content_hash"] == rows["/self"]["content_hash"]
    assert (rows["/self"]["canonical"], rows["/self"]["canonical_is_self"]) == (f"{site}/self#top", True)
    assert (rows["/elsewhere"]["canonical"], rows["/elsewhere"]["canonical_is_self"]) == (f"{site}/other", False)
    assert rows["/elsewhere"]["canonical_hash"] == _core.url_hash(f"{site}/other")
    assert rows["/noindex"]["noindex"] == "X-Robots-Tag googlebot: none"
    assert rows["/meta"]["noindex"] == "meta robots: noindex"
    assert (rows["/refresh"]["refresh_seconds"], rows["/refresh"]["refresh_url"]) == (5.0, f"{site}/other")
    row = rows["/header-refresh"]
    assert (row["refresh_seconds"], row["refresh_url"]) == (0.0, f"{site}/other")
    assert (row["content_usage"], row["content_usage_problem"]) == ("train-ai=no", "usage-value")
    assert rows["/versions"]["hreflang_codes"] == ["de", "fr"]
    assert rows["/versions"]["hreflang_hashes"] == [_core.url_hash(f"{site}/de"), _core.url_hash(f"{site}/fr")]
    assert rows["/dated"]["page_modified_from"] == "article:modified_time"
    assert rows["/dated"]["page_modified_at"] == datetime(2025, 11, 3, 11, tzinfo=UTC)
    assert rows["/login"]["has_password"]
    assert rows["/moved"]["hops"] == [f"{site}/moved-again", f"{site}/"]
    assert rows["/moved"]["hop_statuses"] == [301, 302]
    assert rows["/circle"]["error_kind"] == "redirect-loop"
    assert (rows["/gone"]["status"], rows["/gone"]["error"]) == (410, None)


def test_files_are_requested_with_head(site: str) -> None:
    rows = fetched(site, "/paper.pdf", "/no-head.pdf", "/")
    assert [rows[path]["method"] for path in ("/paper.pdf", "/no-head.pdf", "/")] == ["HEAD", "GET", "GET"]
    assert rows["/no-head.pdf"]["head_status"] == 405
    assert ("GET", "/paper.pdf") not in Site.asked


def test_method_head(site: str) -> None:
    rows = fetched(site, "/", "/gone", method=ProbeMethod.HEAD)
    assert (rows["/"]["method"], rows["/"].get("words")) == ("HEAD", None)
    # An error is requested twice, because servers without support for HEAD return all kinds of status codes.
    assert (rows["/gone"]["method"], rows["/gone"]["head_status"], rows["/gone"]["status"]) == ("GET", 410, 410)


def test_blocked_pages_are_not_requested(site: str) -> None:
    row = fetched(site, "/private/a", "/")["/private/a"]
    assert (row["skipped"], row["blocked_by"], row.get("status")) == ("robots", "line 2: /private/", None)
    assert ("GET", "/private/a") not in Site.asked
    assert Site.asked.count(("GET", "/robots.txt")) == 1
    row = fetched(site, "/private/a", ask_forbidden=True)["/private/a"]
    assert (row.get("skipped"), row["blocked_by"], row["status"]) == (None, "line 2: /private/", 200)


def test_too_large_robots_txt_counts_up_to_the_limit(site: str) -> None:
    one = prober(site, ["/private/a", "/"], ReadOptions(cache=False, retries=0, max_document_bytes=34))
    with one.fetcher:
        rows = {row["url"].removeprefix(site): row for batch in one for row in batch}
    assert rows["/private/a"]["blocked_by"] == "line 2: /private/"
    assert rows["/"]["status"] == 200


def test_long_page_is_read_up_to_the_limit(site: str) -> None:
    row = fetched(site, "/long", max_page_bytes=10_000)["/long"]
    assert (row["status"], row["error_kind"], row["title"]) == (200, "too-large", "A title")
    assert row["complete"] is False
    assert fetched(site, "/long")["/long"]["complete"] is True


@pytest.mark.parametrize(("option", "budget"), [("max_traffic", "bytes"), ("max_time", "time")])
def test_budget_stops_the_run(site: str, option: str, budget: str) -> None:
    bound: dict[str, Any] = {option: 0.0001 if budget == "time" else 1_000}
    one = prober(site, ["/"] * 20_000, **bound)
    with one.fetcher:
        rows = [row for batch in one for row in batch]
    assert one.usage.stopped_by == budget
    assert len(rows) < 20_000


def test_closing_the_iterator_stops_everything(site: str) -> None:
    before = threading.active_count()
    one = prober(site, ["/"] * 20_000)
    with one.fetcher:
        for _ in one:
            break
    assert one.usage.pages < 20_000
    assert threading.active_count() <= before + 10  # The server's own threads end later.
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("urlset-")]


def test_error_of_the_caller_is_raised(site: str) -> None:
    def more(most: int) -> list[ProbeTarget]:
        raise urlset.errors.UsageError("no more")

    with Fetcher(ReadOptions(cache=False), Trust.of([site])) as fetcher, pytest.raises(urlset.errors.UsageError):
        list(Prober(fetcher, ProbingOptions(), more))
