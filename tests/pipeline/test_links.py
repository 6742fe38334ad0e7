"""Links between pages: what is crawled and what is not, endless spaces, and what cannot be told."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import duckdb
import pytest

from urlset.errors import UsageError
from urlset.links.crawl_selection import MAX_VARIANTS
from urlset.model.audit import MAX_CLICKS, AuditResult
from urlset.options import AuditOptions
from urlset.pipeline.audit import audit

Pages = Callable[[str], str | tuple[int, str] | None]


class Site:
    """A site on loopback; `pages` returns the HTML for a path, or a status and a Location, or None for 404."""

    def __init__(self, listed: tuple[str, ...], pages: Pages, robots: str = "") -> None:
        self.listed = listed
        self.pages = pages
        self.robots = robots
        self.asked: Counter[str] = Counter()
        self.origin = ""

    def answer(self, path: str) -> tuple[int, dict[str, str], str]:
        if path == "/robots.txt":
            return 200, {"Content-Type": "text/plain"}, f"{self.robots}\nSitemap: {self.origin}/sitemap.xml\n"
        if path == "/sitemap.xml":
            entries = "".join(f"<url><loc>{self.origin}{path}</loc></url>" for path in self.listed)
            root = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
            return 200, {"Content-Type": "application/xml"}, f"{root}{entries}</urlset>"
        self.asked[path] += 1
        match self.pages(path):
            case None:
                return 404, {"Content-Type": "text/html"}, "not found"
            case (status, location):
                return status, {"Location": location}, ""
            case html:
                head = f'<link rel="canonical" href="{self.origin}{path}">'
                return 200, {"Content-Type": "text/html"}, f"<html><head>{head}</head><body>{html}</body></html>"


@contextmanager
def serving(site: Site) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            # These tests are not about Markdown versions of pages.
            is_markdown = self.headers["Accept"] == "text/markdown" or self.path.endswith(".md")
            status, headers, body = (404, {}, "") if is_markdown else site.answer(self.path)
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body.encode())))
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    site.origin = f"http://127.0.0.1:{server.server_address[1]}"
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield site.origin
    finally:
        server.shutdown()
        server.server_close()


def audited(site: Site, store: Path, **given: Any) -> AuditResult:
    usual: dict[str, Any] = {"links": True, "select": ("LNK",), "score": False, "retries": 0, "cache": False}
    with serving(site) as origin:
        return audit(
            [f"{origin}/sitemap.xml"], AuditOptions(store=store, discover=True, expand=True, **{**usual, **given})
        )


def found(result: AuditResult) -> dict[str, int]:
    return {finding.rule.code: finding.count for finding in result.report.findings}


def a(*paths: str, rel: str = "") -> str:
    return "Some text. " + "".join(f'<a href="{path}" rel="{rel}">x</a>' for path in paths)


@pytest.mark.long("slow cases")
def test_a_crawl_follows_links_of_the_host_only(tmp_path: Path) -> None:
    pages = {
        "/": a("/a", "http://elsewhere.example/", "//127.0.0.1:1/"),
        "/a": a("/b", "/closed", "mailto:me@example.com") + a("/c", rel="nofollow"),
        "/b": a("/gone", "/a#top", "?x=1#y"),
    }
    site = Site(("/a",), pages.get, "User-agent: *\nDisallow: /closed\n")
    result = audited(site, tmp_path / "s.duckdb", crawl=True)
    assert site.asked == {"/": 1, "/a": 1, "/b": 1, "/gone": 1, "/b?x=1": 1}
    assert result.links is not None
    assert (result.links.basis, result.links.crawled) == ("crawl", 2)
    assert [(why, count) for why, count, _ in result.links.uncrawled] == [("nofollow", 1)]
    assert found(result) == {"LNK003": 1, "LNK005": 2, "LNK008": 1}


@pytest.mark.long("slow cases")
def test_pages_that_one_page_links_to_keep_their_urls(tmp_path: Path) -> None:
    site = Site(("/",), {"/": a("/b", "/c", "/gone"), "/b": "Text", "/c": "Text"}.get)
    result = audited(site, tmp_path / "s.duckdb", crawl=True)
    urls = [(finding.rule.code, example.url) for finding in result.report.findings for example in finding.examples]
    assert sorted(urls) == [
        ("LNK003", f"{site.origin}/b"), ("LNK003", f"{site.origin}/c"), ("LNK005", f"{site.origin}/gone"),
    ]  # fmt: skip


def test_without_a_crawl_only_listed_pages_and_the_home_page_are_fetched(tmp_path: Path) -> None:
    site = Site(("/a",), {"/": a("/a", "/b"), "/a": "Text"}.get)
    result = audited(site, tmp_path / "s.duckdb")
    assert site.asked == {"/": 1, "/a": 1}
    assert result.links is not None
    assert (result.links.unlisted, result.links.crawled, found(result)) == (1, 1, {})


@pytest.mark.long("slow cases")
def test_endless_spaces_are_cut_and_said(tmp_path: Path) -> None:
    def pages(path: str) -> str:
        # Filters that multiply, relative links that grow the path, and a calendar.
        number = int(path.rpartition("=")[2]) if "=" in path else 0
        filters = [f"/list?page={number + step}" for step in range(1, 200)]
        return a(*filters, "deeper/deeper/", "/next" + "".join(f"/{n}" for n in range(30)))

    site = Site(("/",), pages)
    result = audited(site, tmp_path / "s.duckdb", crawl=True, crawl_depth=4)
    assert result.links is not None
    why = {why: count for why, count, _ in result.links.uncrawled}
    assert why.keys() == {"parameters", "segments"}
    assert sum("?" in path for path in site.asked) == MAX_VARIANTS
    assert sum(site.asked.values()) < MAX_VARIANTS + 10


@pytest.mark.long("slow cases")
def test_limits_end_a_crawl_and_are_said(tmp_path: Path) -> None:
    def chain(path: str) -> str:
        return a(f"/{int(path[1:] or 0) + 1}")

    site = Site(("/",), chain)
    result = audited(site, tmp_path / "deep.duckdb", crawl=True, crawl_depth=3)
    assert set(site.asked) == {"/", "/1", "/2", "/3"}
    assert result.links is not None
    assert result.links.basis == "listed"
    assert [(why, count) for why, count, _ in result.links.uncrawled] == [("limit", 1)]
    site = Site(("/",), chain)
    result = audited(site, tmp_path / "few.duckdb", crawl=True, max_pages=3)
    assert set(site.asked) == {"/", "/1", "/2"}
    assert result.links is not None
    assert (result.links.stopped_by, result.links.basis) == ("pages", "listed")


def test_pages_that_need_a_script_leave_the_question_open(tmp_path: Path) -> None:
    shell = '<div id="app"></div><script src="/app.js"></script>'
    site = Site(("/", "/a", "/b"), {"/": shell, "/a": shell, "/b": "Text"}.get)
    result = audited(site, tmp_path / "s.duckdb")
    assert result.links is not None
    assert (result.links.needs_script, result.links.basis, found(result)) == (2, None, {})


def test_pages_that_are_empty_but_have_links_do_not_need_a_script(tmp_path: Path) -> None:
    """Such as the pages that mdBook writes for chapters without text."""
    empty = '<nav><a href="/b">next</a></nav><main></main><script src="/book.js"></script>'
    site = Site(("/", "/a", "/b"), {"/": empty, "/a": empty, "/b": "Text"}.get)
    result = audited(site, tmp_path / "s.duckdb")
    assert result.links is not None
    assert (result.links.needs_script, result.links.basis) == (0, "listed")


@pytest.mark.long("slow cases")
def test_a_sample_leaves_the_question_open(tmp_path: Path) -> None:
    site = Site(("/", "/a", "/b", "/c"), lambda path: "Text")
    assert found(audited(site, tmp_path / "all.duckdb")) == {"LNK001": 3}
    result = audited(site, tmp_path / "s.duckdb", sample=2)
    assert result.links is not None
    assert (result.links.basis, found(result)) == (None, {})


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("selection", "left_out"), [({"sample": 1}, "/a"), ({"exclude": ["*/b"]}, "/b")])
def test_listed_pages_that_were_not_selected_are_listed(
    tmp_path: Path, selection: dict[str, Any], left_out: str
) -> None:
    # Whether another spelling of a page that was not requested is the same page is unknown.
    linked = ("/a", "/b", "/c", f"{left_out}/")
    site = Site(("/", "/a", "/b"), {"/": a(*linked), **dict.fromkeys(linked, "Text")}.get)
    result = audited(site, tmp_path / "s.duckdb", crawl=True, **selection)
    assert found(result) == {"LNK003": 1}
    with duckdb.connect(str(tmp_path / "s.duckdb"), read_only=True) as connection:
        unlisted = connection.execute("SELECT url FROM linked WHERE NOT is_listed").fetchall()
    assert unlisted == [(f"{site.origin}/c",)]


def test_a_link_to_a_redirect_counts_for_its_target(tmp_path: Path) -> None:
    site = Site(("/", "/old", "/new"), lambda path: (301, "/new") if path == "/old" else a("/old"))
    result = audited(site, tmp_path / "s.duckdb")
    assert found(result) == {"LNK006": 1}


def test_pages_deeper_than_the_last_level_count_as_that_level(tmp_path: Path) -> None:
    depth = MAX_CLICKS + 4
    site = Site(("/",), lambda path: f'<a href="/{int(path[1:] or 0) + 1}">n</a>' if path != f"/{depth}" else "end")
    store = tmp_path / "s.duckdb"
    audited(site, store, crawl=True, crawl_depth=depth)
    with duckdb.connect(str(store), read_only=True) as connection:
        clicks = connection.execute("SELECT clicks FROM linked WHERE clicks IS NOT NULL ORDER BY clicks").fetchall()
    assert [level for (level,) in clicks] == [min(level, MAX_CLICKS) for level in range(depth + 1)]


def test_the_table_of_links(tmp_path: Path) -> None:
    page = '<base href="/x/"><nav><a href="b">n</a></nav><main><a href="/x/b#f" rel="nofollow">m</a>'
    site = Site(("/",), {"/": f'Text {page}<a href="b">again</a><area href="c"></main><a href="c"></a>'}.get)
    audited(site, tmp_path / "s.duckdb")
    with duckdb.connect(str(tmp_path / "s.duckdb"), read_only=True) as store:
        rows = store.execute("SELECT from_url, to_url, nofollow, in_main FROM links ORDER BY to_url").fetchall()
    origin = site.origin
    assert rows == [(f"{origin}/", f"{origin}/x/b", False, True), (f"{origin}/", f"{origin}/x/c", False, True)]


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"links": False, "crawl": True, "pages": False}, "--crawl cannot be combined with --no-pages"),
        ({"pages": False}, "--links cannot be combined with --no-pages"),
        ({"method": "head"}, "--links cannot be combined with --method head"),
    ],
)
def test_options_that_cannot_apply(given: dict[str, Any], reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        AuditOptions(**{"links": True, **given})
