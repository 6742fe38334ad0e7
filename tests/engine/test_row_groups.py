"""Rows are inserted in row groups, and those of many small files before they take too much memory."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from urlset import _core
from urlset.database.connections import ROW_GROUP
from urlset.engine.row_groups import MAX_TABLES, RowGroups


def rows(count: int) -> _core.Table:
    columns = [("ordinal", "int32"), ("loc", "text")]
    return _core.Table.from_rows(columns, [{"ordinal": number, "loc": "a"} for number in range(count)])


@pytest.mark.parametrize(
    ("tables", "size", "expected"),
    [
        (0, 1, []),
        (3, 10, [30]),
        (2 * MAX_TABLES + 1, 1, [MAX_TABLES, MAX_TABLES, 1]),
        (5, ROW_GROUP // 2, [ROW_GROUP, ROW_GROUP, ROW_GROUP // 2]),
        (1, ROW_GROUP + 1, [ROW_GROUP + 1]),
    ],
)
def test_groups(tables: int, size: int, expected: list[int]) -> None:
    inserted: list[int] = []

    def insert(name: str, given: object, columns: Sequence[str]) -> None:
        assert isinstance(given, _core.Table)
        assert (name, given.column_names, columns) == ("urls", ["loc"], ["loc"])
        inserted.append(given.num_rows)

    groups, table = RowGroups(insert), rows(size)
    for _ in range(tables):
        groups.add("urls", table, ["loc"])
    groups.finish()
    groups.finish()
    assert inserted == expected
