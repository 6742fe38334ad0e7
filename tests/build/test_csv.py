"""CSV lists: their rows, and that DuckDB, which only some options need, makes the same entries of them."""

from __future__ import annotations

import gzip
from contextlib import ExitStack, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest import mock

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.tiers import examples

from urlset import _core
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


def rows_of(entries: tabular.Stream) -> list[tuple[Any, ...]]:
    """Return the rows as the writer reads them."""
    rows: list[tuple[Any, ...]] = []
    with tabular.readable(entries.what), tabular.open_duckdb(Path()) as connection:
        for chunk in _core.Table.stream(entries, 1_000):
            rows += connection.register("chunk", chunk).sql("SELECT * FROM chunk").fetchall()
    return rows


def read(path: Path, *, plain: bool = True) -> tuple[list[tuple[Any, ...]] | str, list[str]]:
    """Return the rows, or the error, and the notes.

    Args:
        plain: Whether the core makes the entries; otherwise, DuckDB does.
    """
    log = SiteLog()
    choice = nullcontext() if plain else mock.patch.object(csv_list, "_plain_fields", return_value=None)
    with ExitStack() as opened, choice:
        try:
            entries = csv_list.entries(UrlList(file=path), context(log), path, path.name, opened)
            return rows_of(entries), log.notes
        except UrlsetError as error:
            return str(error), log.notes


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
        assert read(path) == read(path, plain=False)


A, B, C = (f"{BASE}{name}" for name in "abc")

FILES: dict[str, tuple[str | bytes, list[tuple[Any, ...]] | str]] = {
    "ordinary": (f"loc,lastmod\n{A},2025-01-02\n/b,\n", [(A, "2025-01-02"), (B, None)]),
    "quotes": ('loc,lastmod\n"/a","1"\n"/b",\n/c,"2\n""3"""\n', [(A, "1"), (B, None), (C, '2\n"3"')]),
    "a header of two lines": (f'"the\ntitle",loc\nx,{A}\n', [(A,)]),
    "line endings that differ": ("loc\r\n/a\n/b\r/c", [(A,), (B,), (C,)]),
    "blank lines": ("\n\nloc\n\n/a\n \n/b\n\n", [(A,), (B,)]),
    "a byte order mark and quotes": ('\ufeff"loc"\n/a\n', [(A,)]),
    "NUL": ("loc\n/a\0\n/b\n", [(f"{A}\0",), (B,)]),
    "without a header": (f"{A};1\n/b;2\n", [(A, "1"), (B, "2")]),
    "gzip": (gzip.compress(b"loc\n/a\n"), [(A,)]),
    "empty": ("", []),
    "too few values": (
        "loc,lastmod\r\n/a,1\r\n\r\n/b\r\n",
        "line 4 has a different number of values (1) than there are columns (2); "
        "put values that contain the separator in quotes",
    ),
    "a quote that is never closed": ('loc\n/a\n"/b\n/c\n', "a quote is never closed, in the row after line 2"),
    "no UTF-8": (b"loc\n/a\n/caf\xe9\n", "line 3 is not valid UTF-8"),
    "gzip that is cut": (
        gzip.compress(b"loc\n" + b"".join(b"/%d\n" % (number**5) for number in range(30_000)))[:-9],
        "incomplete deflate stream",
    ),
}


@pytest.mark.parametrize(("content", "expected"), FILES.values(), ids=FILES)
@pytest.mark.parametrize("plain", [True, False], ids=["core", "DuckDB"])
def test_files(tmp_path: Path, content: str | bytes, expected: list[tuple[Any, ...]] | str, plain: bool) -> None:
    path = tmp_path / "urls.csv"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    rows, _ = read(path, plain=plain)
    assert rows == (f"urls.csv: cannot be read: {expected}" if isinstance(expected, str) else expected)


def test_a_row_without_end_is_not_read_to_the_end(tmp_path: Path) -> None:
    path = tmp_path / "urls.csv"
    path.write_text('loc\n/a\n"' + "x" * 5_000_000)
    rows, _ = read(path)
    assert rows == "urls.csv: cannot be read: a row is too long; a closing quote may be missing"


def test_plain_options_need_no_duckdb(tmp_path: Path) -> None:
    path = tmp_path / "urls.csv"
    path.write_text('loc,lastmod\n"/a",2025-01-02\n')
    with mock.patch.object(tabular, "open_duckdb", side_effect=AssertionError), ExitStack() as opened:
        entries = csv_list.entries(UrlList(file=path), context(SiteLog()), path, path.name, opened)
    assert not isinstance(entries, tabular.Columns)


def test_a_file_that_vanishes_is_an_input_error(tmp_path: Path) -> None:
    path = tmp_path / "urls.csv"
    path.write_text("loc\n/a\n")
    with ExitStack() as opened:
        entries = csv_list.entries(UrlList(file=path), context(SiteLog()), path, "urls.csv", opened)
        path.unlink()
        with pytest.raises(UrlsetError, match=r"urls\.csv: cannot be read: No such file"):
            rows_of(entries)
