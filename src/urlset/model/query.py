"""Results of a query: `urlset sql` streams the rows, and Python gets all rows at once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from urlset.model.result import with_short_repr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import TypeAlias

    from urlset.errors import Unreadable
    from urlset.model.document import SkippedFile

    ArrowStream: TypeAlias = Callable[[Sequence[str], Sequence[str], Sequence[Sequence[object]], object], object]


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


@with_short_repr
@dataclass(frozen=True, slots=True)
class QueryReport:
    """The result of `query`, which any library that reads Arrow streams takes, such as `polars.DataFrame(report)`.

    Attributes:
        columns: The name of each column; names are unique.
        types: The DuckDB type of each column.
        rows: All rows, in memory. Instants are datetimes in UTC, without a time zone.
        unreadable: Targets that could not be read, whose rows are missing.
        skipped: Skipped files of directories, which are not sitemaps.
        arrow: Converts the rows to an Arrow stream.
    """

    columns: tuple[str, ...]
    types: tuple[str, ...]
    rows: list[tuple[object, ...]]
    unreadable: Sequence[Unreadable] = ()
    skipped: Sequence[SkippedFile] = ()
    arrow: ArrowStream | None = field(default=None, repr=False, compare=False)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return the rows as an Arrow stream (the PyCapsule interface of Arrow).

        Raises:
            QueryError: A column has a type that cannot be converted.
            TypeError: The report was not made by a query.
        """
        if self.arrow is None:
            raise TypeError("only the report of a query is an Arrow stream")
        return self.arrow(self.columns, self.types, self.rows, requested_schema)
