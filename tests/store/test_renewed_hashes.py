"""Stores of an older urlset, which took the hash of URLs as written, get the hashes of today when they are written."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from urlset import _core
from urlset.store.file import Store
from urlset.store.run import Run

URLS = ("https://example.com", "https://example.com/%d8%a7", "https://example.com/a/../b", "https://example.com/plain")
OLD = -1


@pytest.fixture
def older(tmp_path: Path) -> Path:
    path = tmp_path / "s.duckdb"
    with Store.create(path) as store:
        Run.begin(store, ["https://example.com/"], {})
        for number, url in enumerate(URLS):
            values = [url, _core.url_hash(url) if url == URLS[-1] else OLD]
            for statement in (
                f"INSERT INTO urls (run_id, document_id, ordinal, loc, loc_hash) VALUES (1, 0, {number}, $1, $2)",
                "INSERT INTO pages (run_id, document_id, ordinal, url, loc_hash, page_hash) "
                f"VALUES (1, 0, {number}, $1, $2, $2)",
                "INSERT INTO links (run_id, from_url, from_hash, to_url, to_hash) VALUES (1, $1, $2, $1, $2)",
                "INSERT INTO crawls (url, page_hash) VALUES ($1, $2)",
            ):
                store.connection.execute(statement, values)
        store.connection.execute("ALTER TABLE pages DROP COLUMN spelling_hash")
        store.connection.commit()
    # This process knows that the file that it wrote is complete.
    return Path(shutil.copy(path, tmp_path / "older.duckdb"))


def test_hashes_are_renewed_once(older: Path) -> None:
    with Store.create(older) as store:
        for table, url, hash_column, hash_of in (
            ("urls", "loc", "loc_hash", _core.url_hash),
            ("pages", "url", "loc_hash", _core.url_hash),
            ("pages", "url", "page_hash", _core.page_hash),
            ("links", "to_url", "to_hash", _core.page_hash),
            ("crawls", "url", "page_hash", _core.page_hash),
        ):
            rows = store.rows(f"SELECT {url}, {hash_column} FROM {table}")
            assert sorted(rows) == sorted((address, hash_of(address)) for address in URLS)


ADDED = (
    ("documents", "url", "url_hash"),
    ("documents", "final_url", "final_url_hash"),
    ("images", "loc", "loc_hash"),
    ("videos", "content_loc", "content_loc_hash"),
    ("videos", "player_loc", "player_loc_hash"),
)


def test_hashes_of_columns_that_are_added_are_computed(tmp_path: Path) -> None:
    path = tmp_path / "s.duckdb"
    with Store.create(path) as store:
        Run.begin(store, ["https://example.com/"], {})
        for table, url, hash_column in ADDED:
            store.connection.execute(f"INSERT INTO {table} (run_id, {url}) SELECT 1, unnest($1)", [[*URLS, None]])
            store.connection.execute(f"ALTER TABLE {table} DROP COLUMN {hash_column}")
        store.connection.commit()
    with Store.create(Path(shutil.copy(path, tmp_path / "older.duckdb"))) as store:
        for table, url, hash_column in ADDED:
            rows = store.rows(f"SELECT DISTINCT {url}, {hash_column} FROM {table} WHERE {url} IS NOT NULL")
            assert sorted(rows) == sorted((address, _core.url_hash(address)) for address in URLS), hash_column
