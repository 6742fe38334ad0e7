"""The rows of one side of a comparison.

Most rows of `urls` are not needed, because the other side has the same document. Of documents that can be read again,
only the hashes of their URLs are stored at first: storing all rows takes several times as long as reading them again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from urlset.engine.batches import Batches
from urlset.engine.row_groups import RowGroups
from urlset.tables import URLS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from urlset._core import Table
    from urlset.store.run import Run

ReadAgain: TypeAlias = "Callable[[Sequence[int]], Iterator[Table]]"
"""Reads documents again, by their numbers, and yields their rows of `urls`. `document_id` is the place of the document
in the sequence."""

URL_HASHES = "url_hashes"
"""The table of hashes: `document_id` and `loc_hash` of each entry with a URL, of documents that can be read again."""

_OF_HASHES = ("document_id", "loc_length", "loc_hash")


class SideRows:
    """Adds the rows of many documents to a run, in row groups. This run cannot be resumed.

    Args:
        has_hashes: Whether any document gets hashes instead of rows.
    """

    def __init__(self, run: Run, *, has_hashes: bool) -> None:
        self._run = run
        self._has_hashes = has_hashes
        self._batches = Batches(run.store.connection)
        self._groups = RowGroups(self._insert)
        if has_hashes:
            with run.writing() as connection:
                connection.execute(f"CREATE TABLE {URL_HASHES} (document_id INTEGER, loc_hash BIGINT)")

    @property
    def all_rows(self) -> RowsOfDocument:
        """A sink that stores all rows of a document."""
        return RowsOfDocument(self, URLS.name)

    @property
    def without_urls(self) -> RowsOfDocument:
        """A sink that leaves out the rows of `urls`."""
        return RowsOfDocument(self, None)

    @property
    def with_hashes(self) -> RowsOfDocument:
        """A sink that stores hashes instead of the rows of `urls`."""
        return RowsOfDocument(self, URL_HASHES)

    def add(self, table: str, rows: object) -> None:
        """Add rows to a table, as far as the run stores it."""
        columns = _OF_HASHES if table == URL_HASHES else self._run.columns(table)
        if columns:
            self._groups.add(table, rows, tuple(columns))

    def remove(self, document_id: int) -> None:
        self.finish()
        self._run.remove(document_id)
        if self._has_hashes:
            with self._run.writing() as connection:
                connection.execute(f"DELETE FROM {URL_HASHES} WHERE document_id = {document_id:d}")

    def finish(self) -> None:
        """Store the rest of the rows."""
        self._groups.finish()

    def _insert(self, table: str, rows: object, _columns: Sequence[str]) -> None:
        if table != URL_HASHES:
            self._run.add({table: rows})
            return
        with self._run.writing() as connection, self._batches.show(table, rows) as view:
            connection.execute(f"INSERT INTO {table} SELECT document_id, loc_hash FROM {view} WHERE loc_length > 0")


class RowsOfDocument:
    """Adds the rows of a document to those of a side.

    Args:
        urls: The table that rows of `urls` are added to; None to leave them out.
    """

    def __init__(self, side: SideRows, urls: str | None) -> None:
        self._side = side
        self._urls = urls

    def add(self, batch: Mapping[str, object]) -> None:
        """Add rows by table, without tables that this side leaves out."""
        for name, rows in batch.items():
            table = self._urls if name == URLS.name else name
            if table is not None:
                self._side.add(table, rows)

    def remove(self, document_id: int) -> None:
        self._side.remove(document_id)
