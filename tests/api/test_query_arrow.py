"""The result of `urlset.query` is an Arrow stream, with the types of DuckDB."""

from __future__ import annotations

from datetime import date, datetime, time
from decimal import Decimal

import pyarrow
import pytest

import urlset
from urlset.errors import QueryError
from urlset.model.query import QueryReport

DOCUMENT = b"https://example.com/b\nhttps://example.com/a\n"

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
