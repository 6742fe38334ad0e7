"""Killed at any moment, a build leaves a set that validates."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

import urlset

from .judging import BASE, complaints, contents
from .killing import killer

KILLS = 60

# Each build is of another set: its number decides which parts change and how many there are.
BUILD = """
    import sys, urlset
    folder = sys.argv[1]

    def build(kill, round):
        number = kill * 1000 + round
        count = 200 + number % 7 * 150
        pages = ({"loc": f"https://example.com/{n}/{number if n % 3 == 0 else 0}",
                  "lastmod": f"2025-11-{n % 28 + 1:02}"} for n in range(count))
        urlset.write(pages, "https://example.com/", folder, max_entries=100, gzip="parts" if number % 5 else "none",
                     allow_shrink=True)

    build(0, 0)
    print("ready", flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
def test_a_build_killed_at_any_moment_leaves_a_set_that_validates(tmp_path: Path) -> None:
    rng = random.Random(5)
    folder = tmp_path / "out"
    seen = set()
    with killer(BUILD, str(folder)) as (ready, kill):
        assert ready == "ready\n"
        for number in range(1, KILLS + 1):
            kill(number, rng.uniform(0.0, 0.15))
            # Every part that the index lists is there and whole, whatever moment it was.
            for name in _listed(folder):
                assert urlset.read(folder / name).facts["well_formed"], name
            # Between two renames there are parts of both sets, and a URL may be in one of each.
            assert complaints(folder, "DUP003") == []
            seen.add(frozenset(contents(folder).items()))
    assert len(seen) > KILLS // 4, "the kills came too early to change anything"
    summary = urlset.write([BASE], BASE, folder, allow_shrink=True)
    assert [*contents(folder)] == ["sitemap.xml"] == [file.name for file in summary.files]


def _listed(folder: Path) -> list[str]:
    document = urlset.read(folder / "sitemap.xml")
    assert document.facts["well_formed"]
    if document.kind == "urlset":
        return []
    return [str(entry.loc).removeprefix(BASE) for entry in document]
