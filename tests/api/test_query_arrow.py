"""The result of `urlset.query` is an Arrow stream, with the types of DuckDB."""

from __future__ import annotations

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor
from datetime import date, datetime, time
from decimal import Decimal
from types import SimpleNamespace
from typing import Any, cast

import _duckdb as duckdb
import pyarrow
import pytest

import urlset
from urlset import _core
from urlset.engine.result_rows import ResultRows
from urlset.engine.user_query import QueryDatabase
from urlset.errors import QueryError
from urlset.model.query import QueryReport

DOCUMENT = b"https://example.com/b\nhttps://example.com/a\n"

LAST = datetime.max  # noqa: DTZ901 - as DuckDB returns an infinite instant

COLUMNS: dict[str, tuple[str, object]] = {
    # SQL, and the value that Arrow has for it.
    "text": ("loc", "https://example.com/a"),
    "hostile text": ("'a''b\\\"{]'", "a'b\\\"{]"),
    "int": ("1", 1),
    "utinyint": ("3::utinyint", 3),
    "hugeint": ("170141183460469231731687303715884105727::hugeint", Decimal(2**127 - 1)),
    "decimal": ("1.50::decimal(9,2)", Decimal("1.50")),
    "float": ("'inf'::float", float("inf")),
    "bool": ("true", True),
    "null": ("null", None),
    "date": ("date '2026-01-02'", date(2026, 1, 2)),
    "time": ("time '01:02:03'", time(1, 2, 3)),
    "timestamp": ("timestamp '2026-01-02 03:04:05.000006'", datetime(2026, 1, 2, 3, 4, 5, 6)),  # noqa: DTZ001
    "instant": ("timestamptz '2026-01-02 03:04:05+02'", datetime(2026, 1, 2, 1, 4, 5)),  # noqa: DTZ001
    "blob": ("'a\\x00b'::blob", b"a\0b"),
    "uuid": ("uuid '00000000-0000-0000-0000-000000000001'", "00000000-0000-0000-0000-000000000001"),
    "list": ("['a', null, 'b''\\\\ ,]']", ["a", None, "b'\\\\ ,]"]),
    "numbers": ("[1, null]::bigint[]", [1, None]),
    "lists": ("[[1], [null], null]::int[][]", [[1], [None], None]),
    "struct": ("{'k': loc, 'x y': {'n': null::int}}", {"k": "https://example.com/a", "x y": {"n": None}}),
    "map": ("map {'a''=': [1], 'b': null}", [("a'=", [1]), ("b", None)]),
    'a "name"': ("date '2026-01-02'", date(2026, 1, 2)),
}


def test_every_type() -> None:
    names = [name.replace('"', '""') for name in COLUMNS]
    listed = ", ".join(f'{sql} AS "{name}"' for name, (sql, _) in zip(names, COLUMNS.values(), strict=True))
    report = urlset.query(f"SELECT {listed} FROM urls ORDER BY loc", DOCUMENT)
    table = pyarrow.table(report)
    assert table.to_pylist()[0] == {name: value for name, (_, value) in COLUMNS.items()}
    assert table.num_rows == len(report.rows) == 2
    assert pyarrow.table(report).equals(table)  # It can be read repeatedly.
    assert (table.schema.field("int").type, table.schema.field("decimal").type) == (
        pyarrow.int32(),
        pyarrow.decimal128(9, 2),
    )


def test_no_rows_have_types() -> None:
    table = pyarrow.table(urlset.query("SELECT loc, ordinal, lastmod_at FROM urls WHERE false", DOCUMENT))
    assert table.schema.types == [pyarrow.string(), pyarrow.int32(), pyarrow.timestamp("us")]
    assert table.num_rows == 0


def test_a_type_without_a_form_is_an_error() -> None:
    report = QueryReport(
        ("a",), ("UNION(x INTEGER, y VARCHAR[])",), [(["a"],)], arrow=urlset.query("SELECT 1", DOCUMENT).arrow
    )
    with pytest.raises(QueryError, match="cannot be converted to Arrow"):
        report.__arrow_c_stream__()
    with pytest.raises(TypeError, match="only the report of a query"):
        QueryReport(("a",), ("INTEGER",), [(1,)]).__arrow_c_stream__()


def test_rows_in_columns_are_tuples_as_duckdb_has_them() -> None:
    sql = (
        "SELECT range::BIGINT AS n, 'u' || range AS u, [range, NULL] AS l, range / 2 AS d, range > 1 AS b, "
        "CASE range WHEN 0 THEN timestamp '2026-01-02 03:04:05.000006' WHEN 1 THEN 'infinity'::timestamp "
        "WHEN 2 THEN timestamp '290000-01-01' END AS t FROM range(4) ORDER BY range"
    )
    report = urlset.query(sql, DOCUMENT)
    instants = (datetime(2026, 1, 2, 3, 4, 5, 6), LAST, "290000-01-01 00:00:00", None)  # noqa: DTZ001
    assert report.rows == [(n, f"u{n}", [n, None], n / 2, n > 1, instant) for n, instant in enumerate(instants)]
    assert isinstance(report.rows, ResultRows)


def test_rows_in_columns_are_a_sequence() -> None:
    numbers = [{"n": number} for number in range(7)]
    tables = [_core.Table.from_rows([("n", "int64")], part) for part in (numbers[:3], numbers[3:4], numbers[4:])]
    rows, tuples = ResultRows(tables), [(number,) for number in range(7)]
    assert (list(rows), len(rows), repr(rows)) == (tuples, 7, repr(tuples))
    assert [rows[place] for place in range(-7, 7)] == tuples * 2
    assert (rows[1:6:2], rows[::-1], (6,) in rows, rows.index((3,))) == (tuples[1:6:2], tuples[::-1], True, 3)
    assert rows == tuples != rows[:6]
    assert pickle.loads(pickle.dumps(rows)) == copy.deepcopy(rows) == tuples
    assert pyarrow.table({"n": range(7)}).equals(pyarrow.RecordBatchReader.from_stream(rows).read_all())
    with pytest.raises(IndexError):
        rows[7]
    assert repr(ResultRows(tables * 20)) == "<140 rows>"


class CountedTable:
    """A table that counts the values that are made of it."""

    made = 0

    def __init__(self, table: _core.Table) -> None:
        self._table = table

    def __len__(self) -> int:
        return len(self._table)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)

    def slice(self, offset: int, length: int) -> CountedTable:
        return CountedTable(self._table.slice(offset, length))

    def column(self, name: str) -> list[Any]:
        CountedTable.made += len(self._table)
        return self._table.column(name)


def test_only_the_rows_that_are_read_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CountedTable, "made", 0)
    part = _core.Table.from_rows([("n", "int64")], [{"n": number} for number in range(5)])
    rows = ResultRows(cast("Any", [CountedTable(_core.Table.concat([part, part])), CountedTable(part)]))
    assert [rows[place] for place in (0, 14, 6, 9, 10)] == [(0,), (4,), (1,), (4,), (0,)]
    assert rows[8:12] == [(3,), (4,), (0,), (1,)]
    assert CountedTable.made == 9
    assert [mine == theirs for mine, theirs in zip(rows, iter(rows), strict=True)] == [True] * 15
    assert CountedTable.made == 9 + 2 * 15


@pytest.mark.parametrize(
    ("error", "message"),
    [(duckdb.OutOfMemoryException, "more than 20MB of memory"), (duckdb.InternalException, "broken")],
)
def test_errors_of_the_description(error: type[Exception], message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: str) -> None:
        raise error("broken")

    with QueryDatabase("SELECT 1", memory="20MB") as database:
        monkeypatch.setattr(database, "_connection", SimpleNamespace(execute=refuse))
        with pytest.raises(QueryError, match=message):
            database._result_columns()
        monkeypatch.undo()


def test_rows_outlive_the_query_and_are_read_in_threads() -> None:
    report = urlset.query("SELECT loc, loc, now() AS t FROM urls ORDER BY ALL", DOCUMENT)
    other = urlset.query("SELECT loc FROM urls ORDER BY ALL", DOCUMENT)
    assert report.columns == ("loc", "loc_1", "t")
    with ThreadPoolExecutor(4) as threads:
        read = [*threads.map(lambda _: list(report.rows), range(8))]
    assert all(rows == report.rows for rows in read)
    assert [row[:2] for row in copy.deepcopy(report).rows] == [(url, url) for (url,) in other.rows]
    assert pyarrow.table(report).column("loc").equals(pyarrow.table(other).column("loc"))


NO = "error('Out of Memory Error: no')"

FAILURES: dict[str, tuple[str, dict[str, object], str]] = {
    "error": (f"SELECT if(range < 200000, 1, {NO}) FROM range(300000)", {}, "^Invalid Input Error: Out of Memory"),
    "memory": ("SELECT list(range) FROM range(10000000)", {"memory": "20MB"}, "more than 20MB of memory"),
    "time": ("SELECT count(*) FROM range(10000000000)", {"max_time": 0.2}, "ran longer than 0.2 s"),
    "files": ("SELECT * FROM read_text('sitemap.xml')", {}, "allow it to read files"),
}


@pytest.mark.parametrize(("sql", "fields", "message"), FAILURES.values(), ids=FAILURES)
def test_errors(sql: str, fields: dict[str, object], message: str) -> None:
    with pytest.raises(QueryError, match=message):
        urlset.query(sql, DOCUMENT, **fields)  # type: ignore[arg-type]
