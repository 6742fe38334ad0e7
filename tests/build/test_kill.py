"""Killed at any moment, a build leaves a set that validates."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import urlset

from .judging import BASE, complaints, contents

KILLS = 60

# For each line with a number and a delay it begins a process that builds again and again, and kills it after the delay.
# Each build is of another set: its number decides which parts change and how many there are.
KILLER = """
    import os, signal, sys, time, urlset
    folder = sys.argv[1]

    def build(number):
        count = 200 + number % 7 * 150
        pages = ({"loc": f"https://example.com/{n}/{number if n % 3 == 0 else 0}",
                  "lastmod": f"2025-11-{n % 28 + 1:02}"} for n in range(count))
        urlset.write(pages, "https://example.com/", folder, max_entries=100, gzip="parts" if number % 5 else "none")

    build(0)
    print("ready", flush=True)
    for line in sys.stdin:
        number, delay = line.split()
        child = os.fork()
        if child == 0:
            for round in range(1000):
                build(int(number) * 1000 + round)
            os._exit(0)
        time.sleep(float(delay))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        print("killed", flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
def test_a_build_killed_at_any_moment_leaves_a_set_that_validates(tmp_path: Path) -> None:
    rng = random.Random(5)
    folder = tmp_path / "out"
    command = [sys.executable, "-c", textwrap.dedent(KILLER), str(folder)]
    seen = set()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as killer:
        assert killer.stdin is not None
        assert killer.stdout is not None
        assert killer.stdout.readline() == "ready\n"
        for kill in range(1, KILLS + 1):
            killer.stdin.write(f"{kill} {rng.uniform(0.0, 0.15)}\n")
            killer.stdin.flush()
            assert killer.stdout.readline() == "killed\n"
            # Every part that the index lists is there and whole, whatever moment it was.
            for name in _listed(folder):
                assert urlset.read(folder / name).facts["well_formed"], name
            # Between two renames there are parts of both sets, and a URL may be in one of each.
            assert complaints(folder, "DUP003") == []
            seen.add(frozenset(contents(folder).items()))
        killer.stdin.close()
    assert len(seen) > KILLS // 4, "the kills came too early to change anything"
    summary = urlset.write([BASE], BASE, folder)
    assert [*contents(folder)] == ["sitemap.xml"] == [file.name for file in summary.files]


def _listed(folder: Path) -> list[str]:
    document = urlset.read(folder / "sitemap.xml")
    assert document.facts["well_formed"]
    if document.kind == "urlset":
        return []
    return [str(entry.loc).removeprefix(BASE) for entry in document]
