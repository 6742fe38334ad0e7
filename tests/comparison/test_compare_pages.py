"""What changed on the pages of two runs, on rows of `pages`."""

from __future__ import annotations

from typing import Any

import duckdb
from hypothesis import given
from hypothesis import strategies as st

from urlset import _core
from urlset.comparison.compare_pages import compare_pages, edit_of, moved_pages
from urlset.comparison.page_words import PageWords
from urlset.comparison.run_tables import RunTables
from urlset.model.page_changes import PageChanges, Uncompared
from urlset.options.comparing import PageProperty
from urlset.store.file import RUN_ID
from urlset.tables import PAGES, RUNS, URLS, Table

SITE = "https://example.com"
WORDS = PageWords(show=str, quote=lambda text: f"'{text}'")


def page(path: str, **facts: object) -> dict[str, Any]:
    """Return the row of an indexable page."""
    return {
        "url": SITE + path, "loc_hash": _core.url_hash(SITE + path), "document_id": 0, "status": 200,
        "is_indexable": True, "content_type": "text/html", "title": f"Page {path}", "words": 100,
        "content_hash": _core.url_hash(path), "links": 10, "complete": True, **facts,
    }  # fmt: skip


def changes_between(
    before: list[dict[str, Any]],
    after: list[dict[str, Any]],
    *,
    properties: tuple[PageProperty, ...] = tuple(PageProperty),
    unrequested: tuple[str, ...] = (),
    versions: tuple[int, int] = (1, 1),
    limit: int = 10,
) -> PageChanges:
    """Compare two runs that list their pages, and those that were not requested."""
    with duckdb.connect() as connection:
        runs = _runs(connection, before, after, unrequested, versions)
        return compare_pages(connection, *runs, limit, properties)


def _runs(
    connection: duckdb.DuckDBPyConnection,
    before: list[dict[str, Any]],
    after: list[dict[str, Any]],
    unrequested: tuple[str, ...] = (),
    versions: tuple[int, int] = (1, 1),
) -> tuple[RunTables, RunTables]:
    for number, rows in enumerate((before, after), 1):
        numbered = [{"ordinal": place, **row} for place, row in enumerate(rows)]
        others = [page(path) for path in unrequested]
        listed = [{"loc": row["url"], "loc_hash": row["loc_hash"]} for row in (*rows, *others)]
        run = {"version": "1.0", "text_version": versions[number - 1]}
        for table, of_table in ((PAGES, numbered), (URLS, listed), (RUNS, [run])):
            _insert(connection, table, of_table, number)
    names = connection.execute("SELECT table_name, list(column_name) FROM duckdb_columns() GROUP BY ALL").fetchall()
    columns = {str(name): set(of_table) for name, of_table in names}
    return RunTables("", 1, columns), RunTables("", 2, columns)


def _insert(connection: duckdb.DuckDBPyConnection, table: Table, rows: list[dict[str, Any]], number: int) -> None:
    names = [(column.name, column.type) for column in table.columns if column.name != RUN_ID]
    batch = _core.Table.from_rows(names, [{name: row.get(name) for name, _ in names} for row in rows])
    connection.register("batch", batch)
    connection.execute(f"CREATE TABLE IF NOT EXISTS {table.name} AS SELECT 0 AS {RUN_ID}, * FROM batch WHERE false")
    connection.execute(f"INSERT INTO {table.name} SELECT {number}, * FROM batch")
    connection.unregister("batch")


NOINDEX = {"is_indexable": False, "reason": "noindex", "noindex": "meta robots: noindex"}
GONE = {"status": 404, "is_indexable": False, "reason": "not-found", "title": "Not found", "content_hash": 0}
SPELLED = {"hops": ["/"], "spelling_hash": 1, "final_spelling_hash": 1}
"""A page that is served at another spelling than the listed one, such as with a final slash."""

ELSEWHERE = {"hops": ["/home"], "spelling_hash": 1, "final_spelling_hash": 2}
MOVED = {"is_indexable": False, "reason": "redirect", "hops": [f"{SITE}/new"], "final_url": f"{SITE}/new"}


JANUARY, FEBRUARY = 1_767_225_600_000_000, 1_769_940_000_000_000
"""2026-01-01, and 2026-02-01 at 10:00."""

PAGES_OF_CASES: dict[str, tuple[dict[str, Any], dict[str, Any], str | None]] = {
    "nothing": ({}, {}, None),
    "title": ({"title": "Beds"}, {"title": "Boats"}, "title: 'Beds' to 'Boats'"),
    "title added": ({"title": None}, {"title": "Boats"}, "title: none to 'Boats'"),
    "text": ({}, {"content_hash": 1, "words": 1300}, "main text: 100 to 1,300 words; no lastmod"),
    "text without its length": ({"words": None}, {"words": None, "content_hash": 1}, "main text: changed; no lastmod"),
    "text with its date": (
        {"lastmod": "2026-01-01"},
        {"lastmod": "2026-02-01", "content_hash": 1},
        "main text: changed, still 100 words; lastmod: '2026-01-01' to '2026-02-01'",
    ),
    "text without its date": (
        {"lastmod": "2026-01-01"},
        {"lastmod": "2026-01-01", "content_hash": 1},
        "main text: changed, still 100 words; lastmod unchanged",
    ),
    "text at another spelling": (
        SPELLED,
        SPELLED | {"content_hash": 1},
        "main text: changed, still 100 words; no lastmod",
    ),
    "text of another page": (ELSEWHERE, ELSEWHERE | {"content_hash": 1}, None),
    "noindex": ({}, NOINDEX, "noindex: meta robots: noindex (before: indexable)"),
    # The title and text are those of the error page.
    "lost": ({}, GONE, "not found: 404 (before: indexable)"),
    "back": (GONE, {}, "indexable (before: not found: 404); status: 404 to 200"),
    "redirect": (
        {},
        {"status": 200, **MOVED, "content_hash": 1},
        f"redirects: {SITE}/new (before: indexable); redirect: none to '{SITE}/new'",
    ),
    "other reason": (NOINDEX, GONE, "not found: 404 (before: noindex: meta robots: noindex); status: 200 to 404"),
    "unknown": ({}, {"is_indexable": None, "reason": "refused", "status": 403}, "status: 200 to 403"),
    "canonical": ({"canonical": f"{SITE}/a"}, {"canonical": f"{SITE}/b"}, f"canonical: '{SITE}/a' to '{SITE}/b'"),
    "robots": (
        {"meta_robots": ["robots: max-snippet:0", "robots: noarchive"]},
        {"meta_robots": ["robots: noarchive"], "x_robots": ["none"]},
        "robots directives: 'robots: max-snippet:0' to 'X-Robots-Tag: none'",
    ),
    "hreflang": (
        {"hreflang_codes": ["de", "en"], "hreflang_urls": ["u/de", "u/en"]},
        {"hreflang_codes": ["en", "fr"], "hreflang_urls": ["u/en", "u/fr"]},
        "hreflang: 'de u/de' to 'fr u/fr'",
    ),
    "charset": ({"content_type": "text/html;charset=UTF-8"}, {"content_type": "text/html; charset=utf-8"}, None),
    "type": ({}, {"content_type": "text/plain"}, "content type: 'text/html' to 'text/plain'"),
    "links": ({}, {"links": 12}, "number of links: 10 to 12"),
    "same instant": (
        {"lastmod": "2026-01-01", "lastmod_at": JANUARY},
        {"lastmod": "2026-01-01T00:00:00Z", "lastmod_at": JANUARY},
        None,
    ),
    # An older version did not keep the date as written.
    "dates of an older version": (
        {"lastmod_at": JANUARY},
        {"lastmod_at": FEBRUARY},
        "lastmod: '2026-01-01' to '2026-02-01T10:00:00Z'",
    ),
    "a date of an older version": (
        {"lastmod_at": JANUARY},
        {"lastmod": "2026-02-01T11:00:00+01:00", "lastmod_at": FEBRUARY, "content_hash": 1},
        "main text: changed, still 100 words; lastmod: '2026-01-01' to '2026-02-01T11:00:00+01:00'",
    ),
    "the same date of an older version": (
        {"lastmod_at": JANUARY},
        {"lastmod": "2026-01-01T00:00Z", "lastmod_at": JANUARY},
        None,
    ),
    "text without its date of an older version": (
        {"lastmod_at": JANUARY},
        {"lastmod_at": JANUARY, "content_hash": 1},
        "main text: changed, still 100 words; lastmod unchanged",
    ),
    "a date that two versions read differently": (
        {"lastmod": "2026-01-01 10:00", "lastmod_at": JANUARY},
        {"lastmod": "2026-01-01 10:00"},
        None,
    ),
    "a date added": ({}, {"lastmod": "2026-01-01", "lastmod_at": JANUARY}, "lastmod: none to '2026-01-01'"),
    "a date that cannot be read": ({"lastmod": "May"}, {"lastmod": "June"}, "lastmod: 'May' to 'June'"),
    "no canonical": ({"canonical_links": []}, {"canonical_links": None, "canonical_headers": []}, None),
    "values that differ late": (
        {"title": "a" * 400 + "b"},
        {"title": "a" * 400 + "c" * 400},
        f"title: '…{'a' * 150}b' to '…{'a' * 150}{'c' * 150}'",
    ),
}
"""What a page is before and after, and the line that says so."""


def test_every_property_of_a_page() -> None:
    names = {f"/{name.replace(' ', '-')}": case for name, case in PAGES_OF_CASES.items()}
    found = changes_between(
        [page(path, **before) for path, (before, _, _) in names.items()],
        [page(path, **after) for path, (_, after, _) in names.items()],
        limit=len(names),
    )
    lines = {one.url.removeprefix(SITE): WORDS.page_line(one).partition(": ")[2] for one in found.pages}
    assert lines == {path: line for path, (_, _, line) in names.items() if line is not None}
    assert found.compared == len(names)
    assert found.changed == found.own == len(lines)
    assert not found.shared


def test_a_page_in_two_spellings_is_compared_once() -> None:
    rows = [page("/a"), {**page("/a"), "url": f"{SITE}:443/a", "title": "Other"}, page("/b")]
    found = changes_between(rows, [page("/a", title="New"), page("/b")])
    assert (found.compared, found.changed) == (2, 1)
    assert [WORDS.page_line(one) for one in found.pages] == [f"{SITE}/a: title: 'Page /a' to 'New'"]


def test_a_date_that_was_not_compared_is_not_called_unchanged() -> None:
    before, after = page("/a", lastmod="2026-01-01"), page("/a", lastmod="2026-02-01", content_hash=1)
    [found] = changes_between([before], [after], properties=(PageProperty.TEXT,)).pages
    assert WORDS.page_line(found) == f"{SITE}/a: main text: changed, still 100 words"


def test_what_many_pages_share_is_one_line() -> None:
    before = [page(f"/blog/{n}", title=f"Post {n} | Acme", lastmod="2026-01-01") for n in range(8)]
    after = [
        page(
            f"/blog/{n}", title=f"Post {n} | Acme Ltd", links=13, content_hash=n, x_robots=["all"], lastmod="2026-02-02"
        )
        for n in range(8)
    ]
    others = [page(f"/shop/{n}") for n in range(40)]
    after[3] = after[3] | {"title": "Something else"}
    found = changes_between(before + others, after + others)
    assert [WORDS.shared_line(one) for one in found.shared] == [
        f"lastmod: '2026-01-01' replaced by '2026-02-02' on 8 of 8 pages, such as {SITE}/blog/0",
        f"number of links: +3 on 8 of 8 pages, such as {SITE}/blog/0",
        f"robots directives: 'X-Robots-Tag: all' added on 8 of 8 pages, such as {SITE}/blog/0",
        f"main text: changed (same number of words) on 8 of 8 pages, such as {SITE}/blog/0",
        f"title: ' Ltd' added on 7 of 8 pages, such as {SITE}/blog/0",
    ]
    assert [WORDS.page_line(one) for one in found.pages] == [
        f"{SITE}/blog/3: title: 'Post 3 | Acme' to 'Something else'"
    ]
    assert (found.own, found.changed, found.compared) == (1, 8, 48)
    robots = found.properties[0]
    assert (robots.property, robots.pages, robots.sections) == (PageProperty.ROBOTS, 8, (("/blog/", 8),))


def test_sections_are_below_the_folder_of_the_site() -> None:
    paths = ("/app (1)/", "/app (1)/posts/a", "/app (1)/posts/b/c", "/app (1)/x", "/app (1)/docs/d")
    found = changes_between([page(path) for path in paths], [page(path, **NOINDEX) for path in paths])
    assert found.properties[0].sections == (("/app (1)/", 2), ("/app (1)/posts/", 2), ("/app (1)/docs/", 1))


def test_few_pages_share_nothing() -> None:
    before = [page(f"/{n}", title=f"{n} | A") for n in range(2)] + [page(f"/{n}") for n in range(2, 20)]
    after = [page(f"/{n}", title=f"{n} | B") for n in range(2)] + [page(f"/{n}") for n in range(2, 20)]
    found = changes_between(before, after)
    assert not found.shared
    assert found.own == 2


def test_pages_that_are_no_longer_indexable_come_first_and_examples_are_bounded() -> None:
    before = [page(f"/{n:02}") for n in range(30)]
    after = [page(f"/{n:02}", **({"title": str(n**9)} if n < 29 else NOINDEX)) for n in range(30)]
    found = changes_between(before, after, limit=3)
    assert [one.url for one in found.pages] == [f"{SITE}/29", f"{SITE}/00", f"{SITE}/01"]
    assert (found.own, found.lost, found.gained) == (30, 1, 0)
    assert found.in_numbers == "30 pages compared, 30 changed, 1 no longer indexable"


def test_what_was_not_compared_is_counted() -> None:
    before = [page("/a"), page("/old"), page("/skipped"), page("/dead")]
    after = [
        page("/a"), page("/new"), page("/skipped", skipped="private", status=None, is_indexable=None),
        page("/dead", status=None, is_indexable=None, error_kind="timeout"),
    ]  # fmt: skip
    found = changes_between(before, after, unrequested=("/x", "/y"))
    assert found.uncompared == {
        Uncompared.ONLY_BEFORE: 1, Uncompared.ONLY_AFTER: 1, Uncompared.NOT_REQUESTED: 3, Uncompared.NO_RESPONSE: 1,
    }  # fmt: skip
    assert (found.compared, found.changed) == (1, 0)


def test_text_of_another_version_is_not_compared() -> None:
    found = changes_between([page("/a")], [page("/a", content_hash=1, title="T")], versions=(1, 2))
    assert [change.property for change in found.pages[0].changes] == [PageProperty.TITLE]
    assert found.uncompared == {Uncompared.TEXT_VERSION: 1}


def test_only_some_properties() -> None:
    found = changes_between([page("/a")], [page("/a", title="T", links=2)], properties=(PageProperty.LINKS,))
    assert [change.property for change in found.pages[0].changes] == [PageProperty.LINKS]


def test_pages_at_another_url() -> None:
    before = [page("/old", content_hash=1), page("/same", content_hash=2), page("/twin", content_hash=3)]
    after = [page("/new", content_hash=1), page("/same", content_hash=2), page("/a", content_hash=3)]
    short = {"content_hash": 4, "words": 19}
    with duckdb.connect() as connection:
        runs = _runs(
            connection,
            [*before, page("/twin2", content_hash=3), page("/short", **short)],
            [*after, page("/short2", **short)],
        )
        found = connection.execute(moved_pages(*runs)).fetchall()
    assert found == [(f"{SITE}/old", f"{SITE}/new")]


@given(before=st.text(max_size=12), after=st.text(max_size=12))
def test_an_edit_turns_one_text_into_the_other(before: str, after: str) -> None:
    place, old, new = edit_of(before, after)
    expected = {"start": before.startswith(old), "end": before.endswith(old), "middle": old in before}
    assert expected[place]
    if before == after:
        assert (old, new) == ("", "")


def test_edits_with_marks_of_sql() -> None:
    marks = ["'", "\\", "%", "{x}", '"', "$1"]
    paths = [(f"/{number}/{n}", mark) for number, mark in enumerate(marks) for n in range(4)]
    found = changes_between(
        [page(path, title=f"Post {path}") for path, _ in paths],
        [page(path, title=f"Post {path}{mark}") for path, mark in paths],
    )
    assert {(one.before, one.after, one.pages) for one in found.shared} == {(None, mark, 4) for mark in marks}
