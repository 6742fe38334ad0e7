"""Pages of a directory are read in groups, without an event loop: the same rows as over HTTP, within bounds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.hosting.folders import page, write
from tests.hosting.test_audit import BASE

from urlset.fetch.fetcher import Fetcher
from urlset.hosting.opening import open_site
from urlset.hosting.published_files import PublishedFolder
from urlset.options import AuditOptions
from urlset.options.publishing import HostName
from urlset.probe import file_prober
from urlset.probe.facts import PAGE_LINKS, ProbeTarget, Row
from urlset.probe.file_prober import FileProber
from urlset.probe.page_probe import PageProbe
from urlset.stages.named import trust_in_folder
from urlset.web.html_page import PageFacts, read_page

FILES = {f"p{number}.html": page(f"{BASE}/p{number}.html", text=f"{number}") for number in range(200)}


@contextmanager
def prober(folder: Path, paths: Sequence[str], **options: object) -> Iterator[FileProber]:
    """What reads the pages of a directory, which gets ten at a time."""
    site = open_site(PublishedFolder.of(folder), BASE, HostName.PLAIN)
    given = AuditOptions(crawl=True, **options)  # type: ignore[arg-type]
    left = [ProbeTarget(path if "://" in path else BASE + path, {}, None) for path in paths]

    def more(_most: int) -> list[ProbeTarget]:
        taken, left[:] = left[:10], left[10:]
        return taken

    with Fetcher(given, trust_in_folder(site)) as fetcher:
        yield FileProber(fetcher, given, more)


def read(folder: Path, paths: Sequence[str], **options: object) -> tuple[dict[str, Row], FileProber]:
    with prober(folder, paths, **options) as pages:
        rows = [row for batch in pages for row in batch]
    assert len({row["url"] for row in rows}) == len(rows)
    return {row["url"].removeprefix(BASE): row for row in rows}, pages


def test_every_page_has_its_own_row(tmp_path: Path) -> None:
    folder = write(
        tmp_path,
        FILES
        | {"a/index.html": page(f"{BASE}/a/"), "a.pdf": "%PDF", "robots.txt": "User-agent: *\nDisallow: /p7.html\n"},
    )
    paths = [
        *(f"/{name}" for name in FILES),
        "/a",
        "/a.pdf",
        "/none",
        "https://elsewhere.example/x",
        f"{BASE}/p1.html#x",
    ]
    rows, pages = read(folder, paths)
    assert [rows[f"/p{n}.html"]["canonical"] for n in (0, 63, 64, 199)] == [
        f"{BASE}/p{n}.html" for n in (0, 63, 64, 199)
    ]
    assert (rows["/p7.html"]["skipped"], rows["/p7.html"]["blocked_by"]) == ("robots", "line 2: /p7.html")
    assert (rows["/a"]["status"], rows["/a"]["final_url"], rows["/a"]["hop_statuses"]) == (200, f"{BASE}/a/", [301])
    assert (rows["/a.pdf"]["method"], rows["/a.pdf"]["status"]) == ("HEAD", 200)
    assert rows["/none"]["status"] == 404
    assert rows["https://elsewhere.example/x"]["skipped"] == "outside"
    assert (pages.usage.pages, pages.usage.forbidden, pages.usage.failed) == (len(paths) - 2, 1, 0)


def test_one_page_that_fails_does_not_affect_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write(tmp_path, FILES)

    def fails(*_: object) -> None:
        raise ValueError("planted")

    def fails_for_one(content: bytes, *, charset: str | None, url: str | None) -> PageFacts:
        if b"/p3.html" in content:
            raise ValueError("planted")
        return read_page(content, charset=charset, url=url)

    monkeypatch.setattr(file_prober, "read_page_files", fails)
    monkeypatch.setattr(file_prober, "read_page", fails_for_one)
    rows, pages = read(folder, [f"/{name}" for name in FILES])
    assert [path for path, row in rows.items() if row.get("skipped") == "internal-error"] == ["/p3.html"]
    assert "planted" in rows["/p3.html"]["error"]
    assert (len(rows), pages.usage.failed) == (200, 1)


@pytest.mark.parametrize(
    ("options", "reason", "most"), [({"max_traffic": 500}, "bytes", 10), ({"max_time": 0.000_001}, "time", 0)]
)
def test_budgets_end_the_run(options: dict[str, object], reason: str, most: int, tmp_path: Path) -> None:
    rows, pages = read(write(tmp_path, FILES), [f"/{name}" for name in FILES], **options)
    assert pages.usage.stopped_by == reason
    assert len(rows) <= most


def test_files_have_the_rows_of_their_requests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Most pages are read without a client: the rows are those of an audit that requests each."""
    folder = write(
        tmp_path,
        FILES
        | {
            "robots.txt": "User-agent: *\nDisallow: /p7.html\n",
            "a/index.html": page(f"{BASE}/a/", head='<meta name="robots" content="noindex,nofollow">'),
            "é.html": page(None, head='<link rel="alternate" hreflang="de" href="/p1.html">'),
            "latin.html": "<meta charset=latin1><title>\xe9</title><a href=p1.html>x</a>",
            "base.html": '<base href="/a/"><link rel=canonical href="x"><a href="y" rel=nofollow>y</a>',
            "refresh.html": '<meta http-equiv=refresh content="0; url=/p2.html">',
            "empty.html": "",
            "large.html": "<title>large</title>" + "x" * 9_000,
            "page.xhtml": "<html/>",
            "404.html": page(None),
        },
    )
    paths = [f"/{name}" for name in FILES] + [
        "/a/", "/a/index.html", "/a", "/%C3%A9.html", "/é.html", "/latin.html?x=1", "/base.html", "/refresh.html",
        "/empty.html", "/large.html", "/page.xhtml", "/none", "/p1.html#x", "/p1.html?a b", "/..%2fx.html",
        "HTTPS://WWW.EXAMPLE.COM:443/p9.html", "https://user@www.example.com/p8.html", "//p1.html",
    ]  # fmt: skip
    direct, of_files = read(folder, paths, max_page_bytes=8_000)
    monkeypatch.setattr(PageProbe, "file", lambda *_: None)
    requested, of_requests = read(folder, paths, max_page_bytes=8_000)
    taken = ("fetched_at", "elapsed_ms", PAGE_LINKS)
    assert _without(direct, taken) == _without(requested, taken)
    assert [_links(direct[path]) for path in direct] == [_links(requested[path]) for path in direct]
    assert _usage(of_files) == _usage(of_requests)


def _without(rows: dict[str, Row], names: Sequence[str]) -> dict[str, Row]:
    return {path: {name: row[name] for name in row if name not in names} for path, row in rows.items()}


def _links(row: Row) -> tuple[int, bool] | None:
    return None if PAGE_LINKS not in row else (len(row[PAGE_LINKS][0]), row[PAGE_LINKS][1])


def _usage(pages: FileProber) -> tuple[int, int, int, int]:
    return pages.usage.pages, pages.usage.bytes, pages.usage.forbidden, pages.usage.failed


def test_a_consumer_can_stop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_prober, "ROWS", 1)
    with prober(write(tmp_path, FILES), [f"/{name}" for name in FILES]) as pages:
        batches = iter(pages)
        assert next(batches)
        batches.close()  # type: ignore[attr-defined]
