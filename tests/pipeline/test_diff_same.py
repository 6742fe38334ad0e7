"""`diff` skips the rows of documents that both sides have; its result is the same as that of comparing all rows."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from tests.cases import case_table
from tests.pipeline.test_diff import folder, index, sitemap, stored

from urlset.comparison import compare
from urlset.options import DiffOptions
from urlset.pipeline.diff import diff
from urlset.store.file import Store
from urlset.store.run import Run

if TYPE_CHECKING:
    from pathlib import Path

    from urlset.model.comparison import Comparison

Content = tuple[tuple[str, str | None], ...]
Folder = dict[str, Content]

UNRULED = DiffOptions(rules=False, max_examples=1_000)


def newest(side: Folder) -> dict[str, str | None]:
    """Return each URL of a side with its newest lastmod."""
    found: dict[str, str | None] = {}
    for content in side.values():
        for path, lastmod in content:
            url = f"https://example.com/{path}"
            found[url] = max(filter(None, (found.get(url), lastmod)), default=None)
    return found


def assert_compared(comparison: Comparison, before: Folder, after: Folder) -> None:
    old, new = newest(before), newest(after)
    assert (comparison.before.urls, comparison.after.urls) == (len(old), len(new))
    assert {one.url for one in comparison.added.examples} == new.keys() - old.keys()
    assert {one.url for one in comparison.removed.examples} == old.keys() - new.keys()
    moved = {one.url: (one.before, one.after) for one in comparison.lastmod.examples}
    assert moved == {url: (old[url], new[url]) for url in old.keys() & new.keys() if old[url] != new[url]}


def some_sides(seed: int) -> tuple[Folder, Folder]:
    """Return two sides of few URLs, so that documents share them, with documents that are equal or renamed."""
    rng = random.Random(seed)

    def content() -> Content:
        dates = (None, "2026-01-01", "2026-01-02", "2026-01-03")
        return tuple((f"p{rng.randrange(12)}", rng.choice(dates)) for _ in range(rng.randint(1, 6)))

    pool = [content() for _ in range(5)]
    before, after = ({f"d{n}": rng.choice(pool) for n in range(rng.randint(1, 6))} for _ in "ba")
    return before, after


def written(place: Path, side: Folder) -> str:
    return folder(place, **{name: sitemap(*content) for name, content in side.items()})


SAME: Folder = {"a": (("p1", "2026-01-01"), ("p2", None)), "b": (("p3", None), ("p4", None))}


@case_table(
    "before, after",
    {
        "the same documents": (SAME, SAME),
        "a renamed document": (SAME, {"renamed": SAME["a"], "b": SAME["b"]}),
        "another document": ({**SAME, "c": (("p9", None),)}, {**SAME, "c": (("p8", None),)}),
        "a removed document": ({**SAME, "c": (("p8", None), ("p9", None))}, SAME),
        "a new document": (SAME, {**SAME, "c": (("p9", None),)}),
        "a new document with a URL of another": (SAME, {**SAME, "c": (("p2", "2026-02-02"),)}),
        "two copies": ({**SAME, "c": SAME["b"]}, {**SAME, "c": SAME["b"]}),
        "a URL in two documents": (
            {**SAME, "c": (("p1", None), ("p5", None))},
            {**SAME, "c": (("p1", None), ("p5", None))},
        ),
    },
)
def test_the_documents_that_both_sides_have_need_no_look(tmp_path: Path, before: Folder, after: Folder) -> None:
    compared = diff(written(tmp_path / "before", before), written(tmp_path / "after", after), UNRULED)
    assert_compared(compared, before, after)


@pytest.mark.long("slow cases")
@pytest.mark.parametrize("seed", range(12))
def test_the_result_is_that_of_all_rows(tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compare, "HASHES_AT_ONCE", 3)
    before, after = some_sides(seed)
    compared = diff(written(tmp_path / "before", before), written(tmp_path / "after", after), UNRULED)
    assert_compared(compared, before, after)


@pytest.mark.long("slow cases")
@pytest.mark.parametrize("kept", ["before", "after", "both"])
def test_a_stored_side_is_compared_in_the_same_way(tmp_path: Path, kept: str) -> None:
    before, after = some_sides(20)
    after = {**after, "same": before["d0"]}
    sides = {name: written(tmp_path / name, side) for name, side in (("before", before), ("after", after))}
    with Store.create(tmp_path / "store.duckdb") as store:
        for name in sides:
            if kept in (name, "both"):
                run = Run.begin(store, [sides[name]], {})
                stored(run, sides[name])
                sides[name] = f"{tmp_path / 'store.duckdb'}@{run.run_id}"
    assert_compared(diff(sides["before"], sides["after"], UNRULED), before, after)


def test_a_run_of_another_version_is_compared_row_by_row(tmp_path: Path) -> None:
    before: Folder = {"a": (("p1", "2026-01-01"),), "b": (("p2", None),)}
    after: Folder = {"a": (("p1", "2026-01-01"),), "c": (("p3", None),)}
    place = written(tmp_path / "before", before)
    with Store.create(tmp_path / "store.duckdb") as store:
        stored(Run.begin(store, [place], {}), place)
        # What the other version read differently.
        store.connection.execute("UPDATE runs SET version = '0.0.1'")
        store.connection.execute("UPDATE urls SET lastmod = '2025-01-01' WHERE loc LIKE '%/p1'")
    compared = diff(str(tmp_path / "store.duckdb"), written(tmp_path / "after", after), UNRULED)
    assert [one.url for one in compared.lastmod.examples] == ["https://example.com/p1"]


def test_the_sitemaps_of_an_equal_index_are_no_change(tmp_path: Path) -> None:
    content = {"index": index("a.xml", "b.xml"), "a": sitemap(("p", None)), "b": sitemap(("q", None))}
    before = folder(tmp_path / "before", **content)
    compared = diff(before, folder(tmp_path / "after", **content), UNRULED)
    assert (compared.children_added.count, compared.children_removed.count) == (0, 0)
    assert compared.after.urls == 2
