"""A run in aggregates: what the report page draws."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

import urlset
from urlset.model.run import Languages, Redirects, Section
from urlset.store.file import Store
from urlset.store.overview import MAX_SECTIONS, overview
from urlset.store.run import Run
from urlset.tables import PAGES

NOW = datetime(2026, 2, 3, tzinfo=UTC)
XMLNS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:x="http://www.w3.org/1999/xhtml"'


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.create(tmp_path / "kept.duckdb")


def kept(store: Store, *entries: str) -> int:
    run = Run.begin(store, ["here"], {}, NOW)
    body = "".join(f"<url>{entry}</url>" for entry in entries)
    run.add(urlset.read(f"<urlset {XMLNS}>{body}</urlset>".encode()).tables)
    run.commit()
    return run.run_id


def loc(path: str, more: str = "") -> str:
    return f"<loc>https://example.com{path}</loc>{more}"


def test_dates_by_day_and_what_has_none(store: Store) -> None:
    dates = ["2026-01-02", "2026-01-02T23:30:00-02:00", "2025", "yesterday"]
    run_id = kept(store, loc("/"), *(loc("/a", f"<lastmod>{one}</lastmod>") for one in dates))
    found = overview(store, run_id)
    assert found.days == ((date(2025, 1, 1), 1), (date(2026, 1, 2), 1), (date(2026, 1, 3), 1))
    assert (found.entries, found.lastmod_missing, found.lastmod_unreadable) == (5, 1, 1)


def test_sections_are_first_folders_with_their_folders(store: Store) -> None:
    paths = [
        "",
        "/",
        "/a",
        "/blog",
        "/blog/",
        "/blog/x",
        "/blog/2026/y",
        "/blog/2026/z",
        "/blog/2025/",
        "/shop/q?a=/b/",
    ]
    found = overview(store, kept(store, *map(loc, paths)))
    assert found.sections == (
        Section("example.com/blog/", 5, (("", 2), ("2026/", 2), ("2025/", 1))),
        Section("example.com/", 4, (("", 4),)),
        Section("example.com/shop/", 1, (("", 1),)),
    )


def test_of_many_sections_the_largest_are_kept(store: Store) -> None:
    paths = [f"/s{number:03}/{each}" for number in range(MAX_SECTIONS + 7) for each in range(2 if number > 4 else 1)]
    found = overview(store, kept(store, *map(loc, paths)))
    assert (len(found.sections), found.more_sections) == (MAX_SECTIONS, 7)
    assert {section.urls for section in found.sections} == {2}


def test_language_versions(store: Store) -> None:
    def link(code: str, path: str) -> str:
        return f'<x:link rel="alternate" hreflang="{code}" href="https://example.com{path}"/>'

    both = link("en", "/en") + link("de", "/de")
    found = overview(
        store, kept(store, loc("/en", both), loc("/de", both), loc("/fr", link("fr", "/fr")), loc("/none"))
    )
    assert found.languages == Languages(
        codes=(("de", 2), ("en", 2), ("fr", 1)), more_codes=0, sizes=((1, 1), (2, 2)), clusters=2, entries=3
    )
    assert overview(store, kept(store, loc("/"))).languages is None


def test_redirects(store: Store) -> None:
    run = Run.begin(store, ["here"], {}, NOW)
    assert overview(store, run.run_id).redirects is None
    rows: list[dict[str, object]] = [
        {"url": "a", "status": 200, "hops": ["b"], "hop_statuses": [301], "final_url": "b"},
        {"url": "c", "status": 404, "hops": ["d", "e"], "hop_statuses": [301, 302], "final_url": "e"},
        {"url": "f", "status": None, "hops": ["g"], "hop_statuses": [301], "final_url": "g"},
        {"url": "h", "status": 200},
    ]
    run.add_rows(PAGES.name, rows)
    run.commit()
    assert overview(store, run.run_id).redirects == Redirects(
        hops=((1, 2), (2, 1)),
        statuses=(("301", 3), ("302", 1)),
        examples=(("c", "e", 2, "404"), ("a", "b", 1, "200"), ("f", "g", 1, "no response")),
    )


def test_runs_do_not_mix(store: Store) -> None:
    first, second = kept(store, loc("/a")), kept(store, loc("/b"), loc("/c"))
    assert (overview(store, first).entries, overview(store, second).entries) == (1, 2)
