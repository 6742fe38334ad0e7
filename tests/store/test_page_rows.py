"""The rows of pages are committed once all rows of their links are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from urlset.database.connections import ROW_GROUP
from urlset.probe.facts import PAGE_LINKS
from urlset.store import page_rows
from urlset.store.file import Store
from urlset.store.page_rows import PageRows, forget_links
from urlset.store.run import Run
from urlset.tables import LINKS, PAGES
from urlset.web.html_page import read_page

LINKS_OF_A_PAGE = 7_001


def page(number: int, *, nofollow: bool = False) -> dict[str, Any]:
    url = f"https://example.com/{number}/"
    anchors = "".join(f"<a href=x{number}>" for number in range(LINKS_OF_A_PAGE))
    links = read_page(anchors.encode(), url=url).links
    return {"url": url, "links": LINKS_OF_A_PAGE, PAGE_LINKS: (links, nofollow, True)}


def begun(path: Path) -> tuple[Store, Run]:
    store = Store.create(path)
    return store, Run.begin(store, ["https://example.com/"], {})


def counts(path: Path) -> tuple[int, int, int]:
    """Pages, their links, and links of other pages."""
    with Store.read(path) as store:
        [(pages, links, others)] = store.connection.execute(
            f"SELECT (SELECT count(*) FROM {PAGES.name}), "
            f"count(*) FILTER (from_url IN (SELECT url FROM {PAGES.name})), "
            f"count(*) FILTER (from_url NOT IN (SELECT url FROM {PAGES.name})) FROM {LINKS.name}"
        ).fetchall()
    return pages, links, others


@pytest.mark.sampled(1)
@pytest.mark.parametrize("pages", [0, 1, 17, 18, 40])
def test_each_page_has_its_links(pages: int, tmp_path: Path) -> None:
    store, run = begun(tmp_path / "x.duckdb")
    with store:
        rows = PageRows(run, PAGES)
        for number in range(pages):
            rows.add([page(number, nofollow=number % 2 == 1)])
        rows.finish()
    assert counts(tmp_path / "x.duckdb") == (pages, pages * LINKS_OF_A_PAGE, 0)
    with Store.read(tmp_path / "x.duckdb") as store:
        found = store.connection.execute(
            f"SELECT from_url, count(*), count(DISTINCT to_hash), count(DISTINCT to_url), bool_and(nofollow), "
            f"bool_or(nofollow), bool_and(to_url = from_url || regexp_extract(to_url, 'x[0-9]+$')) "
            f"FROM {LINKS.name} GROUP BY 1"
        ).fetchall()
    expected = {
        (f"https://example.com/{number}/", *[LINKS_OF_A_PAGE] * 3, *[number % 2 == 1] * 2, True)
        for number in range(pages)
    }
    assert set(found) == expected


def test_pages_wait_for_their_links_in_whole_row_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_rows, "FEW_LINKS", 0)
    monkeypatch.setattr(page_rows, "SECONDS_BETWEEN_LARGE_COMMITS", 3600)
    path = tmp_path / "x.duckdb"
    store, run = begun(path)
    with store:
        rows = PageRows(run, PAGES)
        rows.add([page(number) for number in range(10)])
        rows.add([page(number) for number in range(10, 30)])
    # As after a kill: the first row group has the links of the first ten pages, and some of those of the others.
    assert counts(path) == (10, 10 * LINKS_OF_A_PAGE, ROW_GROUP - 10 * LINKS_OF_A_PAGE)
    with Store.create(path) as store:
        forget_links(Run(store, 1))
    assert counts(path) == (10, 10 * LINKS_OF_A_PAGE, 0)
