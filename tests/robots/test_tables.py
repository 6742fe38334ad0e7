"""The tables of a robots.txt: columns, rows, and the URLs that it blocks."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urlset import _core
from urlset.tables import ROBOTS_TABLES, TABLES, URLS
from urlset.web.robots_txt import EMPTY_TABLES, Robots

URL = "https://example.com/robots.txt"


def urls_table(text: str, document_id: int = 3) -> _core.Table:
    """Return the table `urls` of a text sitemap."""
    reader = _core.Reader(text.encode(), document_id=document_id, batch_rows=3)
    return _core.Table.concat([batch["urls"] for batch in reader if "urls" in batch])


def test_the_core_builds_these_tables() -> None:
    assert tuple(EMPTY_TABLES) == ROBOTS_TABLES


@pytest.mark.parametrize("name", ROBOTS_TABLES)
def test_columns(name: str) -> None:
    robots = Robots.parse(b"User-agent: *\nDisallow: /a\nSitemap: /s.xml\nLicense: /l.xml\n", URL)
    tables = robots.tables(1) | {
        "blocked_urls": robots.blocked_urls(urls_table("https://example.com/a\n"), ["Bingbot"], 1)
    }
    promised = [(column.name, column.type) for column in TABLES[name].columns]
    for table in (EMPTY_TABLES[name], tables[name]):
        assert list(zip(table.column_names, table.column_types, strict=True)) == promised
    assert EMPTY_TABLES[name].num_rows == 0
    assert tables[name].num_rows == 1


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://Example.com/robots.txt", ("https", "example.com", 443)),
        ("http://example.com:8080/robots.txt", ("http", "example.com", 8080)),
        ("https://[::1]/robots.txt", ("https", "[::1]", 443)),
        ("public/robots.txt", (None, None, None)),
        ("https://example.com:x/robots.txt", (None, None, None)),
        (None, (None, None, None)),
    ],
)
def test_files(url: str | None, origin: tuple[str | None, str | None, int | None]) -> None:
    content = b"<html>" + b"a" * 600_000 + b"\nSitemap: https://example.com/s.xml"
    table = Robots.parse(content, url).tables(5)["robots_files"]
    promised = [(column.name, column.type) for column in TABLES["robots_files"].columns]
    assert list(zip(table.column_names, table.column_types, strict=True)) == promised
    (row,) = table.to_dicts()
    assert (row["scheme"], row["host"], row["port"]) == origin
    assert (row["document_id"], row["url"], row["availability"]) == (5, url, "read")
    assert (row["bytes"], row["bytes_unread"], row["is_html"], row["sitemaps"]) == (600_041, 88_041, True, 0)


def test_forbidden_documents() -> None:
    documents = [
        {"document_id": 1, "url": "https://example.com/cellar/sitemap.xml"},
        {"document_id": 2, "url": "https://example.com/sitemap.xml"},
        {"document_id": 3, "url": "https://other.example/cellar/sitemap.xml"},
        {"document_id": 4, "url": "cellar/sitemap.xml"},
    ]
    rows = ROBOTS.blocked_documents(documents, ["Googlebot", "GPTBot"], 0).to_dicts()
    assert [(row["document_id"], row["ordinal"], row["agent"], row["robots_line"]) for row in rows] == [
        (1, None, "Googlebot", 2),
        (1, None, "GPTBot", 6),
        (2, None, "GPTBot", 6),
    ]
    assert Robots.of_answer(503, None, URL).blocked_documents(documents, ["Googlebot"], 0).num_rows == 0


def test_rules() -> None:
    text = "User-agent: A\nUser-agent: B/1\n Disallow: /a # why\nAllow:\n\nUser-agent: C\n"
    rows = Robots.parse(text.encode()).tables(5)["robots"].to_dicts()
    assert [tuple(row.values()) for row in rows] == [
        (5, 0, 3, 2, "A", False, "/a"),
        (5, 1, 3, 2, "B/1", False, "/a"),
        (5, 2, 4, 1, "A", True, ""),
        (5, 3, 4, 1, "B/1", True, ""),
        (5, 4, 6, 1, "C", None, None),
    ]


def test_sitemap_lines() -> None:
    text = "User-agent: *\nSitemap: /a.xml\nsitemap: https://Other.example:99/b.xml?c # d\n"
    rows = Robots.parse(text.encode(), URL).tables(5)["sitemap_lines"].to_dicts()
    shown = (
        "ordinal",
        "line",
        "col",
        "key",
        "value",
        "loc",
        "loc_line",
        "loc_col",
        "host",
        "port",
        "path",
        "is_relative",
    )
    assert [tuple(row[name] for name in shown) for row in rows] == [
        (0, 2, 1, "Sitemap", "/a.xml", "https://example.com/a.xml", 2, 10, "example.com", None, "/a.xml", True),
        (
            1,
            3,
            1,
            "sitemap",
            "https://Other.example:99/b.xml?c",
            "https://Other.example:99/b.xml?c",
            3,
            10,
            "other.example",
            99,
            "/b.xml",
            False,
        ),
    ]


ROBOTS = Robots.parse(
    b"User-agent: *\nDisallow: /cellar\n\nUser-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\nAllow: /press\n", URL
)


def test_forbidden() -> None:
    listed = urls_table(
        "https://example.com/\nhttps://example.com/cellar\nhttps://EXAMPLE.com:443/press/a\nhttps://example.com/robots.txt\n"
    )
    rows = ROBOTS.blocked_urls(listed, ["Googlebot", "CCBot", "GPTBot", "gptbot"], 9).to_dicts()
    short = [(row["ordinal"], row["position"], row["agent"], row["robots_line"], row["pattern"]) for row in rows]
    assert short == [
        (0, 1, "CCBot", 6, "/"),
        (0, 2, "GPTBot", 6, "/"),
        (0, 3, "gptbot", 6, "/"),
        (1, 0, "Googlebot", 2, "/cellar"),
        (1, 1, "CCBot", 6, "/"),
        (1, 2, "GPTBot", 6, "/"),
        (1, 3, "gptbot", 6, "/"),
    ]
    assert {(row["document_id"], row["robots_id"]) for row in rows} == {(3, 9)}
    assert [(row["line"], row["col"]) for row in rows if row["agent"] == "CCBot"] == [(1, 1), (2, 1)]


def test_urls_on_another_origin_are_skipped() -> None:
    listed = urls_table(
        "http://example.com/a\nhttps://www.example.com/a\nhttps://example.com:8443/a\n/a\nmailto:a\nhttps://example.com/a\n"
    )
    assert ROBOTS.blocked_urls(listed, ["GPTBot"], 0).column("ordinal") == [5]
    everywhere = Robots.parse(b"User-agent: *\nDisallow: /a\n")
    assert everywhere.blocked_urls(listed, ["GPTBot"], 0).column("ordinal") == [0, 1, 2, 3, 5]


@pytest.mark.parametrize("status", [404, 503, None])
def test_file_that_was_not_read_has_no_blocking_rules(status: int | None) -> None:
    listed = urls_table("https://example.com/a\n")
    assert Robots.of_answer(status, None, URL).blocked_urls(listed, ["GPTBot"], 0).num_rows == 0


def test_no_agents() -> None:
    assert ROBOTS.blocked_urls(urls_table("https://example.com/a\n"), [], 0).num_rows == 0


def test_table_with_other_columns_is_rejected() -> None:
    with pytest.raises(ValueError, match="a table of entries has a column"):
        ROBOTS.blocked_urls(EMPTY_TABLES["blocked_urls"], ["GPTBot"], 0)


def test_entries_without_loc_are_skipped() -> None:
    columns = [(column.name, column.type) for column in URLS.columns]
    rows: list[dict[str, Any]] = [{"document_id": 0, "ordinal": 0}, {"document_id": 0, "ordinal": 1, "loc": "/a"}]
    assert Robots.parse(b"User-agent: *\nDisallow: /\n").blocked_urls(
        _core.Table.from_rows(columns, rows), ["A"], 0
    ).to_dicts() == [
        {
            "document_id": 0,
            "ordinal": 1,
            "position": 0,
            "line": None,
            "col": None,
            "agent": "A",
            "robots_id": 0,
            "robots_line": 2,
            "pattern": "/",
        }
    ]


GROUPS = st.lists(
    st.tuples(
        st.lists(st.sampled_from(["*", "A", "B", "C"]), min_size=1, max_size=3),
        st.lists(st.tuples(st.booleans(), st.text("ab*$", max_size=3).map("/".__add__)), max_size=4),
    ),
    max_size=4,
)


@given(GROUPS, st.lists(st.text("ab/", max_size=5), min_size=1, max_size=10))
def test_forbidden_matches_the_verdicts(
    groups: list[tuple[list[str], list[tuple[bool, str]]]], paths: list[str]
) -> None:
    lines = []
    for agents, rules in groups:
        lines += [f"User-agent: {agent}" for agent in agents]
        lines += [f"{'Allow' if allow else 'Disallow'}: {pattern}" for allow, pattern in rules]
    robots = Robots.parse("\n".join(lines).encode(), URL)
    listed = [f"https://example.com/{path}" for path in paths]
    agents = ["A", "B", "C", "D"]
    rows = robots.blocked_urls(urls_table("\n".join(listed)), agents, 0).to_dicts()
    one_by_one = [
        (number, agent, verdict.line, verdict.pattern)
        for number, url in enumerate(listed)
        for agent in agents
        if not (verdict := robots.verdict(agent, url)).allowed
    ]
    assert [(row["ordinal"], row["agent"], row["robots_line"], row["pattern"]) for row in rows] == one_by_one
