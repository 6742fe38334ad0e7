"""Pages that no sitemap lists, and that listed ones name as their canonical or a language version."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest
from tests.pipeline.test_links import Site, audited, found

CODES = ("PGE010", "PGE014", "HRL018", "HRL019", "HRL020", "LNK")


HEADS = {
    "/a": "rel=canonical href=/gone",
    "/b": "rel=canonical href=/fine",
    "/c": "rel=canonical href=/private/x",
    "/d": "rel=canonical href=https://other.example/d",
    "/e": "rel=alternate hreflang=de href=/de",
}


class Named(Site):
    """A site whose listed pages name others; each has nothing else in its head."""

    def __init__(self) -> None:
        super().__init__(tuple(HEADS), lambda _: None, "User-agent: *\nDisallow: /private/")

    def answer(self, path: str) -> tuple[int, dict[str, str], str]:
        if path in HEADS or path == "/fine":
            self.asked[path] += 1
            head = f"<link {HEADS[path]}>" if path in HEADS else ""
            return 200, {"Content-Type": "text/html"}, f"<title>{path}</title>{head}<p>{path} and other words"
        return super().answer(path)


def rows(store: Path, sql: str) -> list[tuple[Any, ...]]:
    with duckdb.connect(store, read_only=True) as connection:
        return connection.execute(sql).fetchall()


@pytest.mark.parametrize("links", [False, True])
def test_they_are_requested_within_robots_txt(tmp_path: Path, links: bool) -> None:
    site, store = Named(), tmp_path / "s.duckdb"
    result = audited(site, store, links=links, select=CODES)
    expected = {"PGE010": 2, "PGE014": 2, "HRL018": 1, "HRL020": 1}
    assert found(result) == expected | ({"LNK001": 1} if links else {})
    assert {path: site.asked[path] for path in ("/gone", "/fine", "/private/x", "/de")} == {
        "/gone": 1, "/fine": 1, "/private/x": 0, "/de": 1,
    }  # fmt: skip
    of_named = rows(store, "SELECT regexp_extract(url, '[^/]*$'), status, skipped FROM crawled ORDER BY ALL")
    assert [row for row in of_named if row[0]] == [
        ("de", 404, None), ("fine", 200, None), ("gone", 404, None), ("x", None, "robots"),
    ]  # fmt: skip


def test_they_count_for_the_limit_of_pages(tmp_path: Path) -> None:
    site = Named()
    audited(site, tmp_path / "s.duckdb", links=False, max_pages=6, select=CODES)
    assert sum(site.asked[path] for path in ("/gone", "/fine", "/de")) == 1
