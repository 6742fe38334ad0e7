"""A document whose first rows are read ahead in a separate thread, and the rest when it is used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.documents import concatenate
from urlset.errors import InputError, Unreadable

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from urlset._core import Table
    from urlset.documents import DocumentReader
    from urlset.schema.libxml2 import Validator

MAX_BUFFERED_ROWS = 250_000
"""Maximum rows of a document to hold in memory: five times the maximum entries of a sitemap."""


class BufferedDocument:
    """A document whose first rows are in memory; all of them if it is small.

    Attributes:
        validator: Validates it against the official schemas while it is read; None if not requested.
        failure: The error that stopped reading; None if nothing failed so far.
        nbytes: Memory of the first rows.
    """

    def __init__(
        self,
        reader: DocumentReader,
        validator: Validator | None = None,
        row_limit: int | None = None,
        tables: Collection[str] | None = None,
    ) -> None:
        """Read the first rows.

        Args:
            row_limit: Maximum rows to hold; by default `MAX_BUFFERED_ROWS`.
            tables: The tables to keep; by default all.

        Raises:
            InputError: It cannot be read.
        """
        self.reader = reader
        self.validator = validator
        self.failure: Unreadable | None = None
        if validator is not None:
            reader.watched_by(validator.feed)
        self._remaining_batches = _only(tables, iter(reader))
        max_rows = MAX_BUFFERED_ROWS if row_limit is None else row_limit
        buffered: list[dict[str, Table]] = []
        rows = 0
        for batch in self._remaining_batches:
            buffered.append(batch)
            rows += sum(table.num_rows for table in batch.values())
            if rows > max_rows:
                break
        self._buffer = [concatenate(buffered)]
        self.nbytes = sum(table.nbytes for table in self._buffer[0].values())

    def batches(self) -> Iterator[dict[str, Table]]:
        """Yield its rows, once: those in memory as one batch, then the rest as it is read.

        Raises:
            InputError: The rest cannot be read; the error is also in `failure`.
        """
        yield self._buffer.pop()
        try:
            yield from self._remaining_batches
        except InputError as error:
            self.failure = Unreadable.of(error)
            raise


def _only(tables: Collection[str] | None, batches: Iterator[dict[str, Table]]) -> Iterator[dict[str, Table]]:
    if tables is None:
        return batches
    return ({name: table for name, table in batch.items() if name in tables} for batch in batches)
