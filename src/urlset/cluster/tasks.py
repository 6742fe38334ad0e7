"""Tasks of executors: read documents with urlset's reader, and pass their tables on as Arrow."""

from __future__ import annotations

import json
from collections import deque
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

from urlset import _core
from urlset.cluster.document_list import path_source
from urlset.documents import DocumentReader, facts_of
from urlset.engine.documents_table import documents_table
from urlset.errors import InputError, internal_error
from urlset.fetch import fetch
from urlset.net.origin import Origin
from urlset.net.urlparts import published_at, requested_at
from urlset.sources import Source, SourceKind, is_url, url_of
from urlset.tables import DOCUMENTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from concurrent.futures import Future

    import pyarrow as pa

    from urlset.fetch.fetched_source import FetchedSource
    from urlset.fetch.fetcher import Fetcher
    from urlset.fetch.response import Response
    from urlset.net.trust import Trust
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


REACHED = "reached"
"""The name for what a task learned of the hosts that it connected to, as JSON instead of rows of a table."""


@dataclass(frozen=True)
class ReadTask:
    """Reads documents on an executor; called with batches of `listing.GIVEN`."""

    options: ReadOptions
    trust: Trust

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield the rows of the tables, as rows of `TALL`."""
        collected: dict[str, _Collected] = {}
        rows = (row for batch in batches for row in batch.to_pylist())
        with _Fetches(self.options, self.trust) as fetches:
            for row, source, answer in fetches.prefetch(rows):
                for name, table in self._tables_of(row["document_id"], source, answer):
                    waiting = collected.setdefault(name, _Collected())
                    waiting.add(table)
                    if waiting.is_full:
                        yield from _tall(name, collected.pop(name).tables)
        for name, rest in collected.items():
            yield from _tall(name, rest.tables)
        if reached := self.trust.reached_hosts.snapshot():
            yield _value(REACHED, json.dumps(reached).encode())

    def _tables_of(
        self, document_id: int, source: Source, answer: Future[Response] | None
    ) -> Iterator[tuple[str, _core.Table]]:
        """Yield the rows of a document in batches, its row of `documents` last."""
        facts: dict[str, object]
        try:
            fetched = self._fetch_result(document_id, source, answer)
            if isinstance(fetched, dict):
                facts = fetched
            else:
                reader = DocumentReader(source, fetched, document_id, self.options)
                for batch in reader:
                    yield from batch.items()
                facts = reader.facts
        except InputError as error:
            facts = failed_row(source, document_id, error.reason)
        except Exception as error:  # noqa: BLE001 (one document must not end the run)
            facts = failed_row(source, document_id, internal_error(error))
        if source.kind is SourceKind.BYTES and url_of(source.name) is not None:
            facts |= published_at(source.name) | requested_at(source.name)
        yield DOCUMENTS.name, documents_table([facts])

    def _fetch_result(
        self, document_id: int, source: Source, answer: Future[Response] | None
    ) -> FetchedSource | dict[str, object]:
        """Return what can be read, or the row of `documents` of a listed document that was not fetched.

        Raises:
            InputError: It cannot be read.
        """
        if answer is None:
            return fetch(source, self.options)
        response = answer.result()
        if response.has_document:
            return response.as_fetched()
        response.close()
        if source.found_by == "given":
            return failed_row(source, document_id, response.why_not) | {"final_url": response.final_url}
        return facts_of(source, response.as_fetched(), document_id)


class _Fetches:
    """Fetches the URLs among the documents of a task, a few ahead of reading. Use it as a context manager."""

    def __init__(self, options: ReadOptions, trust: Trust) -> None:
        self._options = options
        self._trust = trust
        self._resources = ExitStack()
        self._fetcher: Fetcher | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._resources.close()

    def prefetch(
        self, rows: Iterable[dict[str, object]]
    ) -> Iterator[tuple[dict[str, Any], Source, Future[Response] | None]]:
        """Yield each row with its source and, for a URL, its response."""
        queue: deque[tuple[dict[str, object], Source, Future[Response] | None]] = deque()
        for row in rows:
            source = source_of(row)
            answer = self._submit(source) if source.kind is SourceKind.URL else None
            queue.append((row, source, answer))
            if answer is None or len(queue) > self._options.concurrency:
                yield queue.popleft()
        yield from queue

    def _submit(self, source: Source) -> Future[Response]:
        if self._fetcher is None:
            # Imported only for URLs, because the import is slow.
            from urlset.fetch.fetcher import Fetcher

            self._fetcher = self._resources.enter_context(Fetcher(self._options, self._trust))
        return self._fetcher.submit(str(source.place), via=source.via, max_bytes=self._options.max_document_bytes)


def source_of(row: Mapping[str, Any]) -> Source:
    """Return the source of a row of `listing.GIVEN`."""
    name, place, content = row["url"], row["place"], row["content"]
    # The content of a frame has none of these.
    keys = ("site_path", "depth", "found_by", "parent_id", "parent_ordinal", "line", "col")
    facts = {key: row[key] for key in keys if row[key] is not None}
    if not is_url(place or ""):
        source = replace(path_source(place or name), **facts)
        return source if content is None else replace(source, kind=SourceKind.BYTES, name=name, place=content)
    scheme, host, port = (row["via"] or "  ").split(" ")
    via = Origin(scheme, host, int(port)) if port else None
    return Source(SourceKind.URL, name, place, via=via, **facts)


def failed_row(source: Source, document_id: int, reason: str) -> dict[str, object]:
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


def _tall(name: str, tables: list[_core.Table]) -> Iterator[pa.RecordBatch]:
    import pyarrow as pa

    rows = pa.table(_core.Table.concat(tables))
    at_once = max(1, len(rows) * BYTES_PER_ROW // max(rows.nbytes, 1))
    for batch in rows.to_batches(at_once):
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, batch.schema) as stream:
            stream.write_batch(batch)
        yield _value(name, sink.getvalue().to_pybytes())


def _value(name: str, data: bytes) -> pa.RecordBatch:
    """Return a row of `TALL`."""
    import pyarrow as pa

    return pa.RecordBatch.from_arrays([pa.array([name]), pa.array([data], pa.binary())], names=["table_name", "data"])


def table_rows(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Yield the rows of one table, from rows of `TALL`."""
    import pyarrow as pa

    for batch in batches:
        for data in batch.column("data"):
            with pa.ipc.open_stream(data.as_buffer()) as stream:
                yield from stream
