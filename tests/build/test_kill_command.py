"""Killed before any operation on files, a build of several hosts leaves sets that validate, and a whole index."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import urlset
from urlset.options import BuildOptions
from urlset.options.building import BuildSpec, IndexSpec, Site
from urlset.options.sources import HtmlFolder, UrlList
from urlset.pipeline.build import build
from urlset.web.robots_txt import Robots

from .judging import complaints
from .killing import SUCCESSIVE_KILLS, Call, Children, kills

EXPECTED = frozenset({"DUP002", "DUP003", "IDX009"})
"""Between two renames a URL that goes from one part to another is in both; and whether robots.txt of the other host
names the index is not known to who sees the files alone."""

WWW, DOCS = "https://www.example.com/", "https://docs.example.com/"


def spec(place: Path, number: int) -> BuildSpec:
    """Which list is built, and so which parts there are and what robots.txt has to say, depends on the number."""
    gzip: Any = "none" if number % 5 else "all"
    lists = [UrlList(file=place / f"{number % 7}.txt")]
    www = Site(
        base_url=WWW, out=str(place / "www"), sources=(*lists,), robots=place / "www/robots.txt", name="main",
        max_entries=40, gzip=gzip, allow_shrink=True,
    )  # fmt: skip
    docs = Site(
        base_url=DOCS, out=str(place / "docs"), robots=place / "docs/robots.txt",
        sources=(HtmlFolder(folder=place / "pages", part="pages"), *lists),
        max_entries=25, gzip=gzip, allow_shrink=True,
    )  # fmt: skip
    return BuildSpec(sites=(www, docs), index=IndexSpec(base_url=www.base_url, out=www.out))


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
def test_a_killed_build_leaves_sets_that_validate(
    tmp_path: Path, children: Children, amount: Callable[[str], int]
) -> None:
    for name in ("www", "docs", "pages"):
        (tmp_path / name).mkdir()
    for number in range(7):
        urls = "\n".join(f"/{number if n % 3 == 0 else ''}/{n}" for n in range(30 + number * 25))
        (tmp_path / f"{number}.txt").write_text(urls)
    for number in range(20):
        (tmp_path / "pages" / f"{number}.html").write_text(f"<title>{number}</title><p>{number}")

    def of(number: int) -> Call:
        return Call(build, (spec(tmp_path, number), BuildOptions()))

    seen = {_judged(tmp_path) for _ in kills(children, of, tmp_path, amount(SUCCESSIVE_KILLS))}
    assert len(seen) > amount(SUCCESSIVE_KILLS) // 4, "the kills came too early to change anything"
    for name in ("www", "docs"):
        assert {code for code, _ in complaints(tmp_path / name)} <= EXPECTED


def _judged(place: Path) -> tuple[tuple[str, int], ...]:
    """Sees to it that everything named is there and whole, whatever moment it was; gives what is there."""
    found = []
    for index in [WWW + "sitemap.xml", *_named(place / "www"), *_named(place / "docs")]:
        document = _read(place, index)
        if document.kind == "sitemapindex":
            for entry in document:
                child = _read(place, str(entry.loc))
                assert child.kind == "urlset"
                found.append((str(entry.loc), len(child)))
    return tuple(found)


def _named(host: Path) -> list[str]:
    robots = host / "robots.txt"
    return [one.url for one in Robots.parse(robots.read_bytes()).sitemaps]


def _read(place: Path, url: str) -> urlset.Document:
    host = "www" if url.startswith(WWW) else "docs"
    path = place / host / url.removeprefix(WWW).removeprefix(DOCS)
    # The index over all hosts may be compressed or not: the old one goes when the new one is there.
    document = urlset.read(path)
    assert document.facts["well_formed"], url
    assert document.facts["complete"], url
    return document
