"""Killed before any operation on files, a build leaves a set that validates."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import urlset

from .judging import BASE, complaints, contents
from .killing import KILLS, SUCCESSIVE_KILLS, Call, Children, copy_set, kills, points


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
def test_a_killed_build_leaves_a_set_that_validates(
    tmp_path: Path, children: Children, amount: Callable[[str], int]
) -> None:
    folder = tmp_path / "out"

    def build(number: int) -> Call:
        """Another set each time: the number decides which parts change and how many there are."""
        pages = [
            {"loc": f"{BASE}{n}/{number if n % 3 == 0 else 0}", "lastmod": f"2025-11-{n % 28 + 1:02}"}
            for n in range(200 + number % 7 * 150)
        ]
        gzip = "parts" if number % 5 else "none"
        return Call(urlset.write, (pages, BASE, folder), {"max_entries": 100, "gzip": gzip, "allow_shrink": True})

    seen = set()
    for _ in kills(children, build, folder, amount(SUCCESSIVE_KILLS)):
        # Every part that the index lists is there and whole, whatever operation it was.
        for name in _listed(folder):
            assert urlset.read(folder / name).facts["well_formed"], name
        # Between two renames there are parts of both sets, and a URL may be in one of each.
        assert complaints(folder, "DUP003") == []
        seen.add(frozenset(contents(folder).items()))
    assert len(seen) > amount(SUCCESSIVE_KILLS) // 2, "the kills came too early to change anything"
    summary = urlset.write([BASE], BASE, folder, allow_shrink=True)
    assert [*contents(folder)] == ["sitemap.xml"] == [file.name for file in summary.files]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
def test_renamed_one_by_one_there_is_a_mixture_until_the_next_build(
    tmp_path: Path, children: Children, amount: Callable[[str], int]
) -> None:
    """What the documentation warns of."""
    folder, template = tmp_path / "out", tmp_path / "template"

    def build(name: str, count: int) -> Call:
        urls = [f"{BASE}{name}/{number}" for number in range(count)]
        return Call(urlset.write, (urls, BASE, folder), {"max_entries": 10, "allow_shrink": True})

    def seen() -> tuple[set[str], int]:
        urls = [entry.loc for name in _listed(folder) for entry in urlset.read(folder / name)]
        return {str(url).removeprefix(BASE).partition("/")[0] for url in urls}, len(urls)

    children.run([build("a", 35)], folder)
    copy_set(folder, template)
    last = build("b", 62)
    operations = children.run([last], folder)
    assert operations is not None
    mixtures = 0
    for point in points(operations, 3 * amount(KILLS)):
        shutil.rmtree(folder)
        copy_set(template, folder)
        assert children.run([last], folder, point) is None
        mixtures += seen()[0] == {"a", "b"}
        urlset.write(*last.arguments, **last.options)
        assert seen() == ({"b"}, 62), point
    assert mixtures


def _listed(folder: Path) -> list[str]:
    document = urlset.read(folder / "sitemap.xml")
    assert document.facts["well_formed"]
    if document.kind == "urlset":
        return []
    return [str(entry.loc).removeprefix(BASE) for entry in document]
