"""Rules read the rows of one run of a store, on a connection that cannot lose what is not committed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread

import duckdb
import pytest

from urlset import _core
from urlset.store.file import Store
from urlset.store.run import Run
from urlset.store.tables_for_rules import tables_for_rules


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.create(tmp_path / "s.duckdb") as store:
        yield store


def with_pages(store: Store, *urls: str) -> Run:
    run = Run.begin(store, ["here"], {})
    run.add_rows("pages", [{"document_id": place, "url": url} for place, url in enumerate(urls)])
    return run


def test_rules_see_the_rows_of_their_run_only(store: Store) -> None:
    for urls in (["a", "b"], ["c"]):
        with_pages(store, *urls).commit()
    with tables_for_rules(store, 1) as tables:
        assert tables.names == {"pages"}
        tables.show(["pages"])
        assert tables.connection.execute("SELECT url FROM pages ORDER BY url").fetchall() == [("a",), ("b",)]
        tables.show(["pages"], "document_id BETWEEN 1 AND 9")
        tables.remove("pages", "url = 'a'")
        assert tables.connection.execute("SELECT url FROM pages").fetchall() == [("b",)]
        with pytest.raises(duckdb.CatalogException):
            tables.connection.execute("FROM runs")
    assert store.rows("SELECT count(*) FROM pages") == [(3,)]


def test_rows_in_place_of_those_of_the_store(store: Store) -> None:
    with_pages(store, "a").commit()
    rows = _core.Table.from_rows([("document_id", "int32"), ("url", "text")], [{"document_id": 7, "url": "x"}])
    with tables_for_rules(store, 1) as tables:
        tables.replace("pages", rows)
        tables.add("pages", rows)
        tables.add("crawled", rows)
        tables.show(tables.names)
        read = "SELECT (SELECT count(*) FROM pages WHERE url = 'x'), (SELECT count(*) FROM crawled)"
        assert tables.connection.execute(read).fetchall() == [(2, 1)]
        assert [batch.num_rows for batch in tables.batches("pages", "document_id = 7")] == [2]


def test_an_interrupted_rule_loses_no_rows(store: Store) -> None:
    run = with_pages(store, "a", "b")
    ended = Event()
    with tables_for_rules(store, run.run_id) as tables:

        def interrupt() -> None:
            while not ended.wait(0.001):
                tables.connection.interrupt()

        thread = Thread(target=interrupt)
        thread.start()
        try:
            with pytest.raises((duckdb.InterruptException, KeyboardInterrupt)):
                tables.connection.execute(
                    "SELECT count(*) FROM range(1_000_000) AS a, range(1_000_000) AS b"
                ).fetchall()
        finally:
            ended.set()
            thread.join()
    run.commit()
    assert store.rows("SELECT url FROM pages ORDER BY url") == [("a",), ("b",)]
