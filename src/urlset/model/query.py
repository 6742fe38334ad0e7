"""What a query of `urlset sql` gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class QueryResult:
    """The rows of a query.

    Attributes:
        columns: The name of each column; no name occurs twice.
        types: The type of each column, as DuckDB writes it.
        rows: The rows, fetched as they are asked for. Instants are datetimes without timezone, in UTC.
    """

    columns: tuple[str, ...]
    types: tuple[str, ...]
    rows: Iterator[tuple[object, ...]]
