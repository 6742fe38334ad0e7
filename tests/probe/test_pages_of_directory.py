"""Pages of a directory have the rows that its host would give them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.hosting.folders import page, write
from tests.hosting.test_audit import BASE

from urlset.fetch.fetcher import Fetcher
from urlset.hosting.opening import open_site
from urlset.hosting.published_files import PublishedFolder
from urlset.options import AuditOptions
from urlset.options.publishing import HostName
from urlset.probe.facts import ProbeTarget, Row
from urlset.probe.prober import Prober
from urlset.stages.named import trust_in_folder

FILES = {f"p{number}.html": page(f"{BASE}/p{number}.html", text=f"{number}") for number in range(200)}


@contextmanager
def prober(folder: Path, paths: Sequence[str], **options: object) -> Iterator[Prober]:
    """What reads the pages of a directory, ten at a time."""
    site = open_site(PublishedFolder.of(folder), BASE, HostName.PLAIN)
    given = AuditOptions(crawl=True, **options)  # type: ignore[arg-type]
    left = [ProbeTarget(path if "://" in path else BASE + path, {}, None) for path in paths]

    def more(_most: int) -> list[ProbeTarget]:
        taken, left[:] = left[:10], left[10:]
        return taken

    with Fetcher(given, trust_in_folder(site)) as fetcher:
        yield Prober(fetcher, given, more)


def read(folder: Path, paths: Sequence[str], **options: object) -> tuple[dict[str, Row], Prober]:
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
