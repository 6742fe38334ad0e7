"""Killed at any moment, a build with the stable layout leaves parts and a ledger that fit together."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import urlset

from .judging import BASE, contents
from .killing import killer
from .test_stable import LEDGER, build, pages, placed, rows_of

KILLS = 30

BUILD = """
    import os, random, sys, time, urlset
    folder = sys.argv[1]

    def build(kill, round):
        drawn = random.Random(kill * 1000 + round)
        pages = [f"https://example.com/{n:06}" for n in range(900) if drawn.random() < 0.8]
        urlset.write(pages, "https://example.com/", folder, max_entries=100, layout="stable", allow_shrink=True)

    # How long a build takes here. In another process: DuckDB does not work in the child of one that has used it.
    began = time.perf_counter()
    if (child := os.fork()) == 0:
        build(0, 0)
        build(0, 1)
        os._exit(0)
    os.waitpid(child, 0)
    print((time.perf_counter() - began) / 2, flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
def test_a_build_killed_at_any_moment_leaves_a_set_that_goes_on(tmp_path: Path) -> None:
    drawn = random.Random(5)
    folder = tmp_path / "out"
    seen = set()
    with killer(BUILD, str(folder)) as (one_build, kill):
        for number in range(1, KILLS + 1):
            kill(number, drawn.uniform(0.0, 3 * float(one_build)))
            for entry in urlset.read(folder / "sitemap.xml"):
                assert urlset.read(folder / str(entry.loc).removeprefix(BASE)).facts["well_formed"]
            seen.add(frozenset(contents(folder).items()))
    assert len(seen) > KILLS // 4, "the kills came too early to change anything"
    summary = build(folder, pages(range(900)), max_entries=100)
    # Whatever the killed build was doing, its journal has ended, and the ledger is that of the published set.
    assert summary.notes == ()
    assert sorted(placed(folder)) == pages(range(900))
    assert len(rows_of(folder)) == 900
    # A build merges a few of the parts that the killed builds left with too few URLs; then nothing is left to do.
    for _ in range(10):
        if not any(file.changed for file in build(folder, pages(range(900)), max_entries=100).files):
            break
    assert not any(file.changed for file in build(folder, pages(range(900)), max_entries=100).files)
    assert sorted(placed(folder)) == pages(range(900))


class KilledError(BaseException):
    """Stands for the end of the process: nothing catches it."""


OPERATIONS = ("replace", "unlink", "rename")


@pytest.mark.parametrize("publish", ["rename", "atomic"])
def test_a_build_that_ends_before_any_step_is_completed_or_begun_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, publish: str
) -> None:
    options: dict[str, Any] = {"max_entries": 10, "publish": publish}
    first, second = pages(range(45)), pages([*range(3), *range(10, 60)])
    build(tmp_path / "whole", first, **options)
    shutil.copytree(tmp_path / "whole", tmp_path / "begun", symlinks=True)
    build(tmp_path / "whole", second, **options)
    wanted = contents(tmp_path / "whole"), rows_of(tmp_path / "whole")
    step = 0
    while True:
        step += 1
        folder = tmp_path / f"{step}"
        shutil.copytree(tmp_path / "begun", folder, symlinks=True)
        if not _killed(folder, second, step, monkeypatch, options):
            break
        # Without another build, the index lists nothing that is missing.
        for entry in urlset.read(folder / "sitemap.xml"):
            assert (folder / str(entry.loc).removeprefix(BASE)).is_file()
        build(folder, second, **options)
        assert (contents(folder), rows_of(folder)) == wanted, step
        assert not (folder / ".urlset-build/sitemap.journal.json").exists()
    assert step > 5


def _killed(folder: Path, urls: list[str], step: int, monkeypatch: pytest.MonkeyPatch, options: dict[str, Any]) -> bool:
    """Builds, and ends before the file operation with this number; says whether there are so many."""
    count = 0

    def counted(plain: Callable[..., Any]) -> Callable[..., Any]:
        def run(*arguments: Any, **more: Any) -> Any:
            nonlocal count
            count += 1
            if count >= step:
                raise KilledError
            return plain(*arguments, **more)

        return run

    with monkeypatch.context() as patched:
        for name in OPERATIONS:
            patched.setattr(Path, name, counted(getattr(Path, name)))
        try:
            build(folder, urls, **options)
        except KilledError:
            # A process that ends releases its lock, and leaves its files.
            return True
    return False


def test_a_ledger_that_was_not_published_yet_is_not_used(tmp_path: Path) -> None:
    build(tmp_path, pages(range(30)), max_entries=10)
    old = (tmp_path / LEDGER).read_bytes()
    build(tmp_path, pages(range(10, 45)), max_entries=10)
    (tmp_path / LEDGER).write_bytes(old)
    summary = build(tmp_path, pages(range(10, 45)), max_entries=10)
    assert "damaged or belongs to another build" in summary.ledger_note
    assert not any(file.changed for file in summary.files)
