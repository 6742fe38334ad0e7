"""Results of a query: `urlset sql` streams the rows, and Python gets all rows at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, TypeAlias

from msgspec import Struct

from urlset.errors import Unreadable
from urlset.model.document import SkippedFile
from urlset.model.fields import about
from urlset.model.result import with_short_repr

ArrowStream: TypeAlias = Callable[[Sequence[str], Sequence[str], Sequence[Sequence[object]], object], object]


MEANING = "about"
"""The column of a `DESCRIBE` with what each column of a table means."""

DESCRIBED = ("column_name", "column_type", MEANING)
"""The columns of a `DESCRIBE`."""


class QueryResult(Struct, frozen=True):
    """The rows of a query."""

    columns: Annotated[tuple[str, ...], about("The name of each column; names are unique.")]
    types: Annotated[tuple[str, ...], about("The DuckDB type of each column.")]
    rows: Annotated[
        Iterator[tuple[object, ...]],
        about("The rows, fetched lazily. Instants are datetimes in UTC, without a time zone."),
    ]


@with_short_repr
class QueryReport(Struct, frozen=True):
    """The result of `query`, which any library that reads Arrow streams takes, such as `polars.DataFrame(report)`."""

    columns: Annotated[tuple[str, ...], about("The name of each column; names are unique.")]
    types: Annotated[tuple[str, ...], about("The DuckDB type of each column.")]
    rows: Annotated[
        Sequence[tuple[object, ...]],
        about("All rows, in memory, as tuples. Instants are datetimes in UTC, without a time zone."),
    ]
    unreadable: Annotated[Sequence[Unreadable], about("Targets that could not be read, whose rows are missing.")] = ()
    skipped: Annotated[Sequence[SkippedFile], about("Skipped files of directories, which are not sitemaps.")] = ()
    arrow: Annotated[ArrowStream | None, about("Converts the rows to an Arrow stream.")] = None

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return the rows as an Arrow stream (the PyCapsule interface of Arrow).

        Raises:
            QueryError: A column has a type that cannot be converted.
            TypeError: The report was not made by a query.
        """
        if self.arrow is None:
            raise TypeError("only the report of a query is an Arrow stream")
        return self.arrow(self.columns, self.types, self.rows, requested_schema)
