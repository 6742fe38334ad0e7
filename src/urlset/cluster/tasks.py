"""What the executors do: read documents with urlset's reader, and pass their tables on as Arrow."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from urlset import _core
from urlset.documents import DocumentReader
from urlset.engine.documents_table import documents_table
from urlset.errors import InputError, internal_error
from urlset.fetch import fetch
from urlset.net.urlparts import host_of, split_url
from urlset.sources import Source, SourceKind, sources_of, url_of
from urlset.tables import DOCUMENTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa

    from urlset.options.verbs import ReadOptions

TALL = "table_name string, data binary"
"""The result of a task: rows of several tables, as Arrow streams."""

ROWS_AT_ONCE = 50_000
"""Rows of a table to collect from small documents before they are passed on."""

BYTES_AT_ONCE = 8 * 1024 * 1024
"""The same in bytes."""

BYTES_PER_ROW = 1024 * 1024
"""Approximate bytes of rows to pass on as a single value, several of which Spark holds in memory."""


@dataclass(slots=True)
class _Collected:
    """Rows of a table that were not passed on yet."""

    tables: list[_core.Table] = field(default_factory=list)
    rows: int = 0
    size: int = 0

    def add(self, table: _core.Table) -> None:
        self.tables.append(table)
        self.rows += len(table)
        self.size += table.nbytes

    @property
    def is_full(self) -> bool:
        return self.rows >= ROWS_AT_ONCE or self.size >= BYTES_AT_ONCE


@dataclass(frozen=True)
class ReadTask:
    """Reads documents on an executor; called with batches of `document_id`, `url`, and `content`.

    Attributes:
        options: How to read.
    """

    options: ReadOptions

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield the rows of the tables, as rows of `TALL`."""
        collected: dict[str, _Collected] = {}
        for batch in batches:
            for row in range(batch.num_rows):
                given = {name: batch.column(name)[row].as_py() for name in batch.schema.names}
                for name, table in self._tables_of(given):
                    waiting = collected.setdefault(name, _Collected())
                    waiting.add(table)
                    if waiting.is_full:
                        yield from _tall(name, collected.pop(name).tables)
        for name, rest in collected.items():
            yield from _tall(name, rest.tables)

    def _tables_of(self, given: dict[str, Any]) -> Iterator[tuple[str, _core.Table]]:
        """Yield the rows of a document in batches, its row of `documents` last."""
        source = source_of(given["url"], given.get("content"))
        document_id = given["document_id"]
        facts: dict[str, Any]
        try:
            reader = DocumentReader(source, fetch(source, self.options), document_id, self.options)
            for batch in reader:
                yield from batch.items()
            facts = reader.facts
        except InputError as error:
            facts = failed(source, document_id, error.reason)
        except Exception as error:  # noqa: BLE001 (one document must not end the run)
            facts = failed(source, document_id, internal_error(error))
        if source.kind is SourceKind.BYTES and url_of(source.name) is not None:
            facts |= _fetched_elsewhere(source.name)
        yield DOCUMENTS.name, documents_table([facts])


def source_of(url: str, content: bytes | None) -> Source:
    """Return the source of a row: a path, or content that was fetched elsewhere."""
    [source] = sources_of(url)
    if content is None:
        return source
    return Source(SourceKind.BYTES, source.name, content, site_path=source.site_path)


def failed(source: Source, document_id: int, reason: str) -> dict[str, Any]:
    """Return the row of `documents` of a document that cannot be read."""
    return {
        "document_id": document_id,
        "url": source.name,
        "final_url": source.name,
        "site_path": source.site_path,
        "depth": source.depth,
        "found_by": source.found_by,
        "error": reason,
    }


def _fetched_elsewhere(url: str) -> dict[str, Any]:
    host = host_of(url)
    return {"final_url": url, "host": host, "requested_host": host, "site_path": split_url(url).path}


def _tall(name: str, tables: list[_core.Table]) -> Iterator[pa.RecordBatch]:
    import pyarrow as pa

    rows = pa.table(_core.Table.concat(tables))
    at_once = max(1, len(rows) * BYTES_PER_ROW // max(rows.nbytes, 1))
    for batch in rows.to_batches(at_once):
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, batch.schema) as stream:
            stream.write_batch(batch)
        data = pa.array([sink.getvalue().to_pybytes()], pa.binary())
        yield pa.RecordBatch.from_arrays([pa.array([name]), data], names=["table_name", "data"])


def table_rows(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Yield the rows of one table, from rows of `TALL`."""
    import pyarrow as pa

    for batch in batches:
        for data in batch.column("data"):
            with pa.ipc.open_stream(data.as_buffer()) as stream:
                yield from stream
