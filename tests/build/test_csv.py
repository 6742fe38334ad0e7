"""The two ways to read a CSV file: the core and DuckDB return the same rows, notes, and errors."""

from __future__ import annotations

from contextlib import ExitStack, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest import mock

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.tiers import examples

from urlset.build.options import BaseUrl
from urlset.build.sources import csv_list, tabular
from urlset.build.sources.source import RobotsFilter, SiteLog
from urlset.errors import UrlsetError
from urlset.options.sources import LastmodSource, UrlList

from .judging import BASE

if TYPE_CHECKING:
    from collections.abc import Iterator

LONG = "https://example.com/" + "x" * 2_000

LINES = st.lists(
    st.sampled_from(
        [
            "https://example.com/a,2025-01-02", "/a,", "//b.example/,1", "./c,x", "c,d", ",", "é,é", "/a b,c",
            '"https://example.com/q",1', '"a ""b""",c', '"a\nb",', " https://example.com/a,1",
            "https://example.com/a ,1", "https://example.com/a, 1", "\u00a0/a,1", "one", "a,b,c", "", "https://example.com/a\u00a0,1",
            "http://example.com/\0,1", f"{LONG},1", "NULL,null",
        ]
    ),
    max_size=12,
)  # fmt: skip


def context(log: SiteLog) -> Any:
    resolver = mock.Mock(explains=False)
    made = mock.Mock(base=BaseUrl.of(BASE), robots_filter=RobotsFilter(), log=log, resolver=resolver, bare_paths=False)
    made.place.return_value = BASE
    made.lastmod_sources.return_value = (LastmodSource.GIVEN,)
    return made


@pytest.fixture(scope="module", autouse=True)
def one_database() -> Iterator[None]:
    """A database for all reads: to open one for each takes most of the time."""
    with tabular.open_duckdb(Path()) as shared, pytest.MonkeyPatch.context() as patch:
        patch.setattr(tabular, "open_duckdb", lambda _: shared.cursor())
        yield


def read(path: Path, *, core: bool) -> tuple[list[tuple[Any, ...]] | str, list[str]]:
    """Return the rows, or the error, and the notes."""
    log = SiteLog()
    choice = nullcontext() if core else mock.patch.object(csv_list, "_ordinary_fields", return_value=None)
    with ExitStack() as opened, choice:
        try:
            entries = csv_list.entries(UrlList(file=path), context(log), path, path.name, opened)
            rows = []
            with tabular.readable(path.name):
                for stream in entries.streams():
                    with tabular.open_duckdb(Path()) as connection:
                        rows += connection.register("stream", stream).sql("SELECT * FROM stream").fetchall()
            return rows, log.notes
        except UrlsetError as error:
            # DuckDB excerpts the line in different ways, depending on where it began to read.
            return str(error).partition(", Original Line")[0], log.notes


@pytest.mark.long("slow cases")
@settings(max_examples=examples(30))
@given(LINES, st.sampled_from(["loc,lastmod", "url,title", "lastmod,loc", '"loc",lastmod', "\ufeffloc,lastmod"]))
@example([f"{LONG},{number}" for number in range(1_200)] + ['"/quoted",1', "/a,2"], "loc,lastmod")
@example([f"{LONG},{number}" for number in range(1_200)] + ["/ragged"], "loc,lastmod")
@example(["/a,1", "https://example.com/\udcff,1", "/b,2"], "loc,lastmod")
def test_the_core_agrees_with_duckdb(tmp_path_factory: pytest.TempPathFactory, lines: list[str], header: str) -> None:
    path = tmp_path_factory.mktemp("csv") / "urls.csv"
    for end in ("\n", "\r\n"):
        path.write_bytes("".join(f"{line}{end}" for line in [header, *lines]).encode(errors="surrogateescape"))
        assert read(path, core=True) == read(path, core=False)


def test_ordinary_files_need_no_duckdb(tmp_path: Path) -> None:
    path = tmp_path / "urls.csv"
    path.write_text("loc,lastmod\nhttps://example.com/a,2025-01-02\n/b,\n")
    with mock.patch.object(csv_list, "_of_duckdb", side_effect=AssertionError):
        rows, notes = read(path, core=True)
    assert (rows, notes) == ([(f"{BASE}a", "2025-01-02"), (f"{BASE}b", None)], [])


def test_a_file_that_vanishes_is_an_input_error(tmp_path: Path) -> None:
    path = tmp_path / "urls.csv"
    path.write_text("loc\n/a\n")
    with ExitStack() as opened:
        entries = csv_list.entries(UrlList(file=path), context(SiteLog()), path, "urls.csv", opened)
        path.unlink()
        with pytest.raises(UrlsetError, match=r"urls\.csv: cannot be read"):
            list(entries.streams())
