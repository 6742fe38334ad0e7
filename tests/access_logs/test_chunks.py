"""A log counts the same in whatever pieces it is read, and however many counts are written and merged at once."""

from __future__ import annotations

import gzip
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests import tiers
from tests.access_logs.lines import BING, GOOGLE, PERSON, combined

from urlset.access_logs.visits import LogStore
from urlset.errors import OutputError
from urlset.options.reading_logs import LogsOptions
from urlset.pipeline.logs import logs

TABLES = ("crawls", "crawl_days", "sitemap_fetches")
PATHS = ("/", "/a", "/s/1", "/s/2?x=1", "/sitemap.xml", "/robots.txt", "*")
REQUESTS = st.tuples(
    st.sampled_from(PATHS),
    st.sampled_from((GOOGLE, BING, PERSON)),
    st.integers(1, 9),
    st.sampled_from((200, 301, 404, "-")),
    st.sampled_from((0, 7, "-")),
)


def counts(parts: Sequence[bytes]) -> list[Any]:
    """Read logs one after the other into a new store, and return its rows."""
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder, "logs.duckdb")
        for number, part in enumerate(parts):
            path = Path(folder, f"{number}.log")
            path.write_bytes(part)
            logs([str(path)], LogsOptions(store=store, site="https://example.com"))
        with duckdb.connect(str(store), read_only=True) as connection:
            asked = (connection.execute(f"SELECT * FROM {name} ORDER BY ALL").fetchall() for name in TABLES)
            [read] = connection.execute(
                "SELECT sum(lines), sum(hits), min(first_at), max(last_at) FROM log_files"
            ).fetchall()
            return [*asked, read]


@settings(max_examples=12 if tiers.IS_LONG else 4, deadline=None)
@given(
    st.lists(REQUESTS, min_size=1, max_size=60),
    st.booleans(),
    st.integers(1, 60),
    st.sampled_from((1, 100, 5_000)),
    st.sampled_from((1, 400, 20_000)),
    st.sampled_from((1, 7)),
    st.sampled_from((0, 20, 10**9)),
)
def test_pieces_do_not_matter(
    requests: list[tuple[str, str, int, object, object]],
    is_compressed: bool,
    split: int,
    piece: int,
    weight: int,
    at_once: int,
    most_changed: int,
) -> None:
    # A log whose first lines were read before would be continued.
    lines = [
        combined(path, agent, day=day, time=f"13:55:{number:02}", status=status, size=size)
        for number, (path, agent, day, status, size) in enumerate(requests)
    ]
    whole = "".join(lines).encode()
    expected = counts([whole])
    parts = ["".join(some).encode() for some in (lines[:split], lines[split:]) if some]
    with (
        patch("urlset.access_logs.log_files.PIECE", piece),
        patch("urlset.access_logs.log_files.STEP", piece),
        patch("urlset.access_logs.log_reader.SAMPLE", 1_000),
        patch("urlset.access_logs.log_reader.MAX_WEIGHT", weight),
        patch("urlset.access_logs.visits.ROWS_AT_ONCE", at_once),
        patch("urlset.access_logs.visits.HASHES_AT_ONCE", at_once),
        patch("urlset.access_logs.visits.MAX_CHANGED", most_changed),
    ):
        assert counts([gzip.compress(part) if is_compressed else part for part in parts]) == expected


def test_counts_that_cannot_be_written_end_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = []
    add = LogStore.add

    def failing(self: LogStore, *arguments: Any) -> None:
        written.append(arguments)
        if len(written) == 2:
            raise OutputError("logs.duckdb: cannot be written: disk full")
        add(self, *arguments)

    monkeypatch.setattr(LogStore, "add", failing)
    monkeypatch.setattr("urlset.access_logs.log_files.PIECE", 1_000)
    monkeypatch.setattr("urlset.access_logs.log_reader.SAMPLE", 1_000)
    monkeypatch.setattr("urlset.access_logs.log_reader.MAX_WEIGHT", 1)
    path = tmp_path / "access.log"
    path.write_text("".join(combined(f"/{number}") for number in range(200)))
    store = tmp_path / "logs.duckdb"
    with pytest.raises(OutputError, match="disk full"):
        logs([str(path)], LogsOptions(store=store, site="https://example.com"))
    assert len(written) == 2
    # The counts that were written are there, with their position.
    with duckdb.connect(str(store), read_only=True) as connection:
        [(hits,)] = connection.execute("SELECT sum(hits) FROM crawls").fetchall()
        assert [(hits,)] == connection.execute("SELECT hits FROM log_files").fetchall()
        assert 0 < hits < 200
