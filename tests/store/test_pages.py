"""Which pages are looked at: each once, a sample spaced evenly, what was looked at not again."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.tiers import examples

import urlset
import urlset.model
from urlset.files.scratch import Scratch
from urlset.store.file import Store
from urlset.store.page_selection import PageSelection, PendingPages, compare_with_earlier, urls_of_host
from urlset.store.run import Run

NOW = datetime(2026, 2, 3, tzinfo=UTC)


def begun(store: Store, *documents: list[str]) -> Run:
    run = Run.begin(store, ["here"], {}, NOW)
    for number, lines in enumerate(documents):
        document = urlset.read("\n".join(lines).encode())
        reader_tables = {
            name: urlset.model.Table.from_rows(
                list(zip(table.column_names, table.column_types, strict=True)),
                [row | {"document_id": number} for row in table.to_dicts()],
            )
            for name, table in document.tables.items()
        }
        run.add(reader_tables)
    run.commit()
    return run


def numbered(count: int, folder: str = "p") -> list[str]:
    return [f"https://example.com/{folder}/{number}" for number in range(count)]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.create(tmp_path / "kept.duckdb")


def test_each_page_once_at_its_first_entry(store: Store) -> None:
    run = begun(store, numbered(3), [*numbered(1), "https://example.com/q"])
    pending = PendingPages(store, run.run_id, PageSelection())
    assert (pending.total, pending.selected_count, pending.remaining_count) == (4, 4, 4)
    rows = pending.next(3) + pending.next(3)
    assert [(row["document_id"], row["ordinal"], row["line"]) for row in rows] == [
        (0, 0, 1),
        (0, 1, 2),
        (0, 2, 3),
        (1, 1, 2),
    ]
    assert pending.next(3) == []


def test_what_is_no_page_is_not_looked_at(store: Store) -> None:
    run = begun(store, ["ftp://example.com/a", "/relative", "https://exa mple.com/", "https://example.com/good"])
    assert [row["url"] for row in PendingPages(store, run.run_id, PageSelection()).next(9)] == [
        "https://example.com/good"
    ]


@pytest.mark.parametrize(
    ("selection", "urls"),
    [
        (PageSelection(include=("*/p/1*",)), ["p/1", "p/10", "p/11"]),
        (PageSelection(include=("*/p/1", "*/q/1")), ["p/1", "q/1"]),
        (PageSelection(include=("*/p/*",), exclude=("*/p/?", "*1")), ["p/10"]),
        (PageSelection(exclude=("*/p/*",), max_pages=2), ["q/0", "q/1"]),
    ],
)
def test_globs(store: Store, selection: PageSelection, urls: list[str]) -> None:
    run = begun(store, numbered(12), numbered(3, "q"))
    found = [
        row["url"].removeprefix("https://example.com/") for row in PendingPages(store, run.run_id, selection).next(99)
    ]
    assert found == urls


class Filtered(PageSelection, frozen=True):
    """A selection with an option more, which selects the pages below /q/."""

    @property
    def filters(self) -> tuple[str, ...]:
        return ("url LIKE '%/q/%'",)


@pytest.mark.parametrize("is_stable", [False, True])
@pytest.mark.parametrize(
    ("selection", "total", "count"),
    [
        (Filtered(), 60, 20),
        (Filtered(sample=8), 60, 8),
        (Filtered(sample=99), 60, 20),
        (Filtered(sample=8, include=("*/q/1*",)), 11, 8),
        (Filtered(sample=8, exclude=("*/p/*",)), 40, 8),
        (Filtered(sample=8, include=("*/p/*",)), 20, 0),
        # What comes after the sample takes some of it.
        (Filtered(sample=8, max_pages=3), 60, 3),
    ],
)
def test_filters_apply_before_the_sample(
    store: Store, selection: PageSelection, total: int, count: int, is_stable: bool
) -> None:
    run = begun(store, numbered(20), numbered(20, "q"), numbered(20, "r"))
    selection = replace(selection, is_stable=is_stable)
    pending = PendingPages(store, run.run_id, selection)
    urls = [row["url"] for row in pending.next(99)]
    assert (pending.total, pending.selected_count, len(urls)) == (total, count, count)
    assert all("/q/" in url for url in urls)


@pytest.mark.long("slow cases")
@settings(max_examples=examples(25))
@given(sizes=st.lists(st.integers(1, 40), min_size=1, max_size=4), sample=st.integers(1, 60))
def test_a_sample_is_spaced_evenly_over_documents(sizes: list[int], sample: int) -> None:
    with Scratch() as scratch, Store.create(scratch.path / "kept.duckdb") as store:
        run = begun(store, *(numbered(size, f"d{number}") for number, size in enumerate(sizes)))
        pending = PendingPages(store, run.run_id, PageSelection(sample=sample))
        rows = pending.next(1_000)
        assert len(rows) == pending.selected_count == min(sample, sum(sizes))
        for number, size in enumerate(sizes):
            share = pending.selected_count * size / sum(sizes)
            assert abs(sum(row["document_id"] == number for row in rows) - share) <= 1


def test_what_was_looked_at_is_left_out(store: Store) -> None:
    run = begun(store, numbered(10))
    first = PendingPages(store, run.run_id, PageSelection(sample=4)).next(2)
    run.add_rows("pages", [{**row, "status": 200} for row in first])
    run.commit()
    rest = PendingPages(store, run.run_id, PageSelection(sample=4))
    assert (rest.total, rest.selected_count, rest.remaining_count) == (10, 4, 2)
    assert not {row["url"] for row in rest.next(9)} & {row["url"] for row in first}


def test_the_run_before_stands_beside_its_pages(store: Store) -> None:
    for content_hash, statuses in ((1, (200, 404)), (2, (200, 200))):
        run = begun(store, numbered(2))
        rows = PendingPages(store, run.run_id, PageSelection()).next(9)
        assert compare_with_earlier(store, run.run_id, ["elsewhere"]) is None
        of_pages = {"content_hash": content_hash, "lastmod_at": NOW}
        run.add_rows(
            "pages", [{**row, **of_pages, "status": status} for row, status in zip(rows, statuses, strict=True)]
        )
        earlier = compare_with_earlier(store, run.run_id, ["here"])
        run.finish({"pages": 2}, NOW)
    assert earlier == 1
    of_run = "FROM pages WHERE run_id = 2"
    stored = store.rows(f"SELECT content_hash_before, lastmod_at_before = lastmod_at {of_run} ORDER BY ordinal")
    # The text of an error page is not that of the page.
    assert stored == [(1, True), (None, True)]


def test_urls_of_a_host(store: Store) -> None:
    run = begun(store, [*numbered(3), "https://example.org/'", "http://example.com/"])
    [table] = urls_of_host(store, run.run_id, "https", "example.com")
    assert sorted(table.column("loc")) == numbered(3)
    assert list(urls_of_host(store, run.run_id, "https", "nobody's")) == []


INVALID_SHARE = [PageSelection(), PageSelection(sample=20), PageSelection(sample=20, is_stable=True)]


@pytest.mark.parametrize("selection", INVALID_SHARE)
def test_invalid_urls_have_their_share_of_a_sample(store: Store, selection: PageSelection) -> None:
    """They cannot be requested, but count as pages that are not indexable."""
    lines = [url for n in range(50) for url in (f"https://example.com/{n}", f"https://exa mple.com/{n}")]
    run = begun(store, [*lines, *lines[:10]])
    pending = PendingPages(store, run.run_id, selection)
    pending.add_invalid_urls(run)
    assert (pending.total, pending.selected_count) == (100, selection.sample or 100)
    [(added,)] = store.rows("SELECT count(*) FROM pages WHERE skipped = 'invalid'")
    assert pending.remaining_count + added == pending.selected_count
    if selection.is_stable:
        assert 0 < added < 20
    else:
        assert added == pending.selected_count // 2
    assert not any(" " in row["url"] for row in pending.next(99))
    again = PendingPages(store, run.run_id, selection)
    again.add_invalid_urls(run)
    assert store.rows("SELECT count(*) FROM pages WHERE skipped = 'invalid'") == [(added,)]


def test_the_first_pages_may_be_invalid(store: Store) -> None:
    run = begun(store, ["/a", "https://example.com/b", "/c", "https://example.com/d"])
    pending = PendingPages(store, run.run_id, PageSelection(max_pages=3))
    pending.add_invalid_urls(run)
    assert (pending.total, pending.selected_count, pending.remaining_count) == (4, 3, 1)
