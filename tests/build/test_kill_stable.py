"""Killed before any operation on files, a build with the stable layout leaves parts and a ledger that fit together."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import urlset
from urlset.files.built_parts import state_of

from .judging import BASE, contents
from .killing import KILLS, SUCCESSIVE_KILLS, Call, Children, copy_set, kills, points
from .test_stable import build, ledger_of, pages, placed, rows_of


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
def test_a_killed_build_leaves_a_set_that_goes_on(
    tmp_path: Path, children: Children, amount: Callable[[str], int]
) -> None:
    folder = tmp_path / "out"

    def of(number: int) -> Call:
        drawn = random.Random(number)
        urls = pages(n for n in range(900) if drawn.random() < 0.8)
        return Call(urlset.write, (urls, BASE, folder), {"max_entries": 100, "layout": "stable", "allow_shrink": True})

    seen = set()
    for _ in kills(children, of, folder, amount(SUCCESSIVE_KILLS)):
        for entry in urlset.read(folder / "sitemap.xml"):
            assert urlset.read(folder / str(entry.loc).removeprefix(BASE)).facts["well_formed"]
        seen.add(frozenset(contents(folder).items()))
    assert len(seen) > amount(SUCCESSIVE_KILLS) // 2, "the kills came too early to change anything"
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


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
def test_a_build_killed_before_any_operation_is_completed_or_begun_anew(
    tmp_path: Path, children: Children, amount: Callable[[str], int]
) -> None:
    options: dict[str, Any] = {"max_entries": 10, "layout": "stable", "allow_shrink": True}
    second = pages([*range(3), *range(10, 60)])
    folder, whole, begun = (tmp_path / name for name in ("out", "whole", "begun"))
    urlset.write(pages(range(45)), BASE, begun, **options)
    copy_set(begun, whole)
    operations = children.run([Call(urlset.write, (second, BASE, whole), options)], whole)
    assert operations is not None
    wanted = contents(whole), rows_of(whole)
    for point in points(operations, amount(KILLS)):
        copy_set(begun, folder)
        assert children.run([Call(urlset.write, (second, BASE, folder), options)], folder, point) is None
        # Without another build, the index lists nothing that is missing.
        for entry in urlset.read(folder / "sitemap.xml"):
            assert (folder / str(entry.loc).removeprefix(BASE)).is_file()
        urlset.write(second, BASE, folder, **options)
        assert (contents(folder), rows_of(folder)) == wanted, point
        assert not (state_of(folder) / "sitemap.journal.json").exists()
        shutil.rmtree(folder)


def test_a_ledger_that_was_not_published_yet_is_not_used(tmp_path: Path) -> None:
    build(tmp_path, pages(range(30)), max_entries=10)
    old = ledger_of(tmp_path).read_bytes()
    build(tmp_path, pages(range(10, 45)), max_entries=10)
    ledger_of(tmp_path).write_bytes(old)
    summary = build(tmp_path, pages(range(10, 45)), max_entries=10)
    assert "damaged or belongs to another build" in summary.ledger_note
    assert not any(file.changed for file in summary.files)
