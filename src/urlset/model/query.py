"""Results of a query: `urlset sql` streams the rows, and Python gets all rows at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from urlset.model.shown import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from urlset.errors import Unreadable
    from urlset.model.document import SkippedFile


@dataclass(frozen=True, slots=True)
class QueryResult:
    """The rows of a query.

    Attributes:
        columns: The name of each column; names are unique.
        types: The DuckDB type of each column.
        rows: The rows, fetched lazily. Instants are datetimes in UTC, without a time zone.
    """

    columns: tuple[str, ...]
    types: tuple[str, ...]
    rows: Iterator[tuple[object, ...]]


@shown
@dataclass(frozen=True, slots=True)
class QueryReport:
    """The result of `query`.

    Attributes:
        columns: The name of each column; names are unique.
        types: The DuckDB type of each column.
        rows: All rows, in memory. Instants are datetimes in UTC, without a time zone.
        unreadable: Targets that could not be read, whose rows are missing.
        skipped: Skipped files of directories, which are not sitemaps.
    """

    columns: tuple[str, ...]
    types: tuple[str, ...]
    rows: list[tuple[object, ...]]
    unreadable: Sequence[Unreadable] = ()
    skipped: Sequence[SkippedFile] = ()
