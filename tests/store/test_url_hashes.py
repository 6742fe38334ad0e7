"""Hashes of many URLs at once are those of each URL."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urlset import _core
from urlset.database.connections import connect
from urlset.store.url_hashes import add_hashes

URLS = st.none() | st.text(max_size=40) | st.text(max_size=20).map("https://Example.com:443/".__add__)


@given(st.lists(URLS, max_size=30))
def test_hashes_of_a_column(urls: list[str | None]) -> None:
    table = _core.Table.from_rows([("url", "text"), ("n", "int32")], [{"url": url, "n": 1} for url in urls])
    hashed = table.with_page_hashes("url")
    assert hashed.column_names == ["url", "n", "page_hash"]
    assert hashed.column("url") == urls
    assert hashed.column("page_hash") == [None if url is None else _core.page_hash(url) for url in urls]


def test_only_text_has_hashes() -> None:
    table = _core.Table.from_rows([("n", "int32")], [{"n": 1}])
    with pytest.raises(TypeError, match="column n is not text"):
        table.with_page_hashes("n")
    with pytest.raises(KeyError):
        table.with_page_hashes("url")


def test_hashes_are_added_next_to_the_columns_of_a_query() -> None:
    with connect() as connection:
        connection.execute("CREATE TABLE hashes (number BIGINT, page_hash BIGINT)")
        asked = "SELECT range AS number, concat('https://example.com/', range) AS url FROM range(100_001)"
        add_hashes(connection, "hashes", asked)
        rows = connection.execute("SELECT * FROM hashes WHERE number % 10_000 = 0 ORDER BY number").fetchall()
        assert rows == [(n, _core.page_hash(f"https://example.com/{n}")) for n in range(0, 100_001, 10_000)]
        assert connection.execute("SELECT count(*) FROM hashes").fetchall() == [(100_001,)]
