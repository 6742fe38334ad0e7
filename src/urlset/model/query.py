"""What a query gives: `urlset sql` streams it, Python gets it whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from urlset.errors import Unreadable
    from urlset.model.document import LeftOut


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


@dataclass(frozen=True, slots=True)
class QueryReport:
    """The result of `query`.

    Attributes:
        columns: The name of each column; no name occurs twice.
        types: The type of each column, as DuckDB writes it.
        rows: All rows, in memory. Instants are datetimes without timezone, in UTC.
        unreadable: What could not be read, so that the rows lack it.
        left_out: Files of directories that are not sitemaps.
    """

    columns: tuple[str, ...]
    types: tuple[str, ...]
    rows: list[tuple[object, ...]]
    unreadable: Sequence[Unreadable] = ()
    left_out: Sequence[LeftOut] = ()
