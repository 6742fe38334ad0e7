"""The rows of a query in columns: tuples, which take several times the memory, are made as they are read."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import accumulate
from typing import Any, overload

from urlset import _core
from urlset.database.connections import connect

COLUMNAR = {
    "VARCHAR": "text",
    "INTEGER": "int32",
    "BIGINT": "int64",
    "DOUBLE": "double",
    "BOOLEAN": "bool",
    "TIMESTAMP": "timestamp",
    "VARCHAR[]": "text[]",
    "BIGINT[]": "int64[]",
}
"""The DuckDB types that the core has as well. Instants are in UTC without a time zone, as in the rows."""

SHOWN = 100
"""Maximum number of rows to show as a list."""

_EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 - as DuckDB returns instants


class ResultRows(Sequence[tuple[object, ...]]):
    """A sequence of rows that needs no database, and can be read repeatedly and from several threads.

    Iteration makes the tuples of a table at a time, and an index those of one row, so that nothing is kept.

    Args:
        tables: The rows, in tables with the same columns.
    """

    def __init__(self, tables: Sequence[_core.Table]) -> None:
        self._tables = tables
        self._ends = [*accumulate(map(len, tables))]

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return the rows as an Arrow stream (the PyCapsule interface of Arrow), without a copy."""
        return _core.Table.concat(self._tables).__arrow_c_stream__(requested_schema)

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def __iter__(self) -> Iterator[tuple[object, ...]]:
        for table in self._tables:
            yield from _rows(table)

    @overload
    def __getitem__(self, place: int) -> tuple[object, ...]: ...
    @overload
    def __getitem__(self, place: slice) -> list[tuple[object, ...]]: ...
    def __getitem__(self, place: int | slice) -> tuple[object, ...] | list[tuple[object, ...]]:
        places = range(len(self))[place]
        if isinstance(places, range):
            if places.step == 1:
                return [*self._between(places.start, places.stop)]
            return [self[index] for index in places]
        return next(self._between(places, places + 1))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, list | ResultRows):
            return NotImplemented
        return len(self) == len(other) and all(mine == theirs for mine, theirs in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(list(self)) if len(self) <= SHOWN else f"<{len(self):,} rows>"

    def __reduce__(self) -> tuple[Any, ...]:
        return list, (list(self),)

    def _between(self, begin: int, end: int) -> Iterator[tuple[object, ...]]:
        number = bisect(self._ends, begin)
        while begin < end:
            table, stop = self._tables[number], self._ends[number]
            yield from _rows(table.slice(begin - (stop - len(table)), min(end, stop) - begin))
            begin, number = stop, number + 1


def _rows(table: _core.Table) -> Iterator[tuple[object, ...]]:
    columns = (_values(table, name, kind) for name, kind in zip(table.column_names, table.column_types, strict=True))
    return zip(*columns, strict=True)


def _values(table: _core.Table, name: str, kind: str) -> list[object]:
    values = table.column(name)
    if kind != "timestamp":
        return values
    try:
        return [None if value is None else _EPOCH + timedelta(microseconds=value) for value in values]
    except OverflowError:
        # An infinite instant, or one that Python does not have.
        with connect() as connection:
            connection.register("given", table.select([name]))
            return [value for (value,) in connection.execute("FROM given").fetchall()]
