"""Ranges of hashes, to work on a table share by share: DuckDB cannot move every state of an aggregation to disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    import _duckdb as duckdb

HASHES = 1 << 64
"""Number of hashes: `hash` returns 64 bits."""


def ranges(first: int, end: int, count: int) -> Iterator[tuple[int, int]]:
    """Yield equal parts of a range, each with its first number and its end."""
    size = end - first
    for number in range(count):
        yield first + size * number // count, first + size * (number + 1) // count


def between(numbers: tuple[int, int]) -> str:
    """Return SQL to compare a hash with a range, to follow the hash."""
    first, end = numbers
    return f"BETWEEN {first:d}::UBIGINT AND {end - 1:d}::UBIGINT"


def row_count(connection: duckdb.DuckDBPyConnection, table: str) -> int:
    """Return the number of rows of a table, which decides how many shares it takes."""
    [(count,)] = connection.execute(f"SELECT count(*) FROM {table}").fetchall()
    return int(count)
