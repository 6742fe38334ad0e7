"""Pages of a directory are read in groups, without an event loop: the same rows as over HTTP, within bounds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.hosting.folders import page, write
from tests.hosting.test_audit import BASE

from urlset.fetch.fetcher import Fetcher
from urlset.hosting.folder import PublishedFolder
from urlset.hosting.opened import open_site
from urlset.options import AuditOptions
from urlset.options.hosts import HostName
from urlset.page import PageFacts, read_page, read_pages
from urlset.probe import file_prober
from urlset.probe.facts import ProbeTarget, Row
from urlset.probe.file_prober import FileProber
from urlset.stages.named import trust_in_folder

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

    monkeypatch.setattr(file_prober, "read_pages", fails)
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


def test_large_pages_are_not_held_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []

    def seen(pages: Sequence[tuple[bytes, str | None, str | None]]) -> list[PageFacts]:
        sizes.append(len(pages))
        return read_pages(pages)

    monkeypatch.setattr(file_prober, "read_pages", seen)
    monkeypatch.setattr(file_prober, "BYTES_AT_ONCE", 600)
    folder = write(tmp_path, {name: text + "x" * 600 for name, text in FILES.items()})
    rows, _ = read(folder, [f"/{name}" for name in FILES])
    assert (len(rows), max(sizes)) == (200, 1)


def test_a_consumer_can_stop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No coroutine is left that was never finished, which Python would warn of."""
    monkeypatch.setattr(file_prober, "ROWS", 1)
    with prober(write(tmp_path, FILES), [f"/{name}" for name in FILES]) as pages:
        batches = iter(pages)
        assert next(batches)
        batches.close()  # type: ignore[attr-defined]
