"""Documents as they are read: whole or in batches."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import ExitStack
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from urlset import _core
from urlset.errors import InputError, reason_of
from urlset.files.built_parts import MIN_URLS, is_built_part
from urlset.files.decompress import ZSTD_MAGIC, DecompressedFile, decompress, may_be_compressed
from urlset.net.urlparts import split_url
from urlset.sources import SourceKind
from urlset.tables import DOCUMENTS, READER_TABLES, instant

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from urlset._core import Table
    from urlset.fetch.fetched_source import FetchedSource
    from urlset.model.entry import Entry
    from urlset.options.verbs import ReadOptions
    from urlset.sources import BinaryFile, Source

EMPTY_TABLES: Mapping[str, Table] = MappingProxyType(_core.reader_schemas())
"""An empty table of each kind, with all columns."""

FACT_NAMES = DOCUMENTS.column_names
FACT_PLACES = {name: place for place, name in enumerate(FACT_NAMES)}

INSTANTS = ("lastmod_oldest", "lastmod_newest")


class Tables:
    """Arrow tables, which DuckDB, Polars, pandas, and pyarrow can read without a copy.

    Attributes:
        urls: One row for each entry of a urlset, text sitemap, or feed.
        children: One row for each entry of a sitemap index.
        alternates: One row for each hreflang link.
        link_sets: One row for the hreflang links of each entry that has any.
        images: One row for each image.
        videos: One row for each video.
        news: One row for each news record.
        anomalies: One row for each anomaly that the reader noticed, repaired, or discarded.

    See `urlset.tables` for columns, types, and units.
    """

    urls: Table
    children: Table
    alternates: Table
    link_sets: Table
    images: Table
    videos: Table
    news: Table
    anomalies: Table

    def __init__(self, tables: Mapping[str, Table]) -> None:
        self.tables: Mapping[str, Table] = {name: tables.get(name, EMPTY_TABLES[name]) for name in READER_TABLES}
        for name, table in self.tables.items():
            setattr(self, name, table)


class Batch(Tables):
    """Consecutive entries of a document, with all their records. Iterating yields typed entries."""

    def __len__(self) -> int:
        return self.urls.num_rows + self.children.num_rows

    def __iter__(self) -> Iterator[Entry]:
        from urlset.model.entry import entries_of

        return entries_of(self.tables)


class Document(Tables):
    """A document that was read to the end. Iterating yields its typed entries in document order.

    Attributes:
        facts: The columns of `urlset.tables.DOCUMENTS` by name. Instants are datetimes in UTC.
    """

    def __init__(self, facts: Mapping[str, object], tables: Mapping[str, Table]) -> None:
        super().__init__(tables)
        self.facts = facts

    @property
    def kind(self) -> str:
        """Kind of document: urlset, sitemapindex, text, rss, atom, or another detected kind."""
        return str(self.facts["kind"])

    def __len__(self) -> int:
        return self.urls.num_rows + self.children.num_rows

    def __iter__(self) -> Iterator[Entry]:
        from urlset.model.entry import entries_of

        return entries_of(self.tables)

    def __repr__(self) -> str:
        return f"<Document {self.facts['url']}: {self.kind}, {len(self)} entries>"


def facts_of(source: Source, fetched: FetchedSource, document_id: int) -> dict[str, object]:
    """Return the facts that are known before a document is read: columns of `urlset.tables.DOCUMENTS`."""
    return {
        "document_id": document_id,
        "url": source.name,
        "final_url": source.name,
        "site_path": source.site_path,
        "parent_id": source.parent_id,
        "parent_ordinal": source.parent_ordinal,
        "depth": source.depth,
        "found_by": source.found_by,
        "error": None,
        **fetched.facts,
        "fetched_at": fetched.fetched_at,
        "elapsed_ms": fetched.elapsed_ms,
    }


_SHARED: dict[object, object] = {}
MAX_SHARED = 10_000


def _shared_value(value: object) -> object:
    """Return an equal value that other rows already use, if it is remembered; many facts are the same for all rows."""
    match value:
        case str() if len(value) <= 64:
            key: object = value
        case list():
            key = (list, *value)
        case _:
            return value
    if len(_SHARED) >= MAX_SHARED:
        _SHARED.clear()
    return _SHARED.setdefault(key, value)


class DocumentFacts(Mapping[str, object]):
    """A compact row of `urlset.tables.DOCUMENTS`: a run may have 100,000 of them."""

    __slots__ = ("_values",)

    def __init__(self, facts: Mapping[str, Any]) -> None:
        self._values = tuple(map(_shared_value, map(facts.get, FACT_NAMES)))

    def __getitem__(self, name: str) -> Any:
        return self._values[FACT_PLACES[name]]

    def __iter__(self) -> Iterator[str]:
        return iter(FACT_NAMES)

    def __len__(self) -> int:
        return len(FACT_NAMES)

    def __repr__(self) -> str:
        return f"DocumentFacts({dict(self)!r})"


class DocumentReader:
    """Reads a fetched document in batches.

    Attributes:
        facts: The row of `urlset.tables.DOCUMENTS`; complete after the last batch.
        months: Valid lastmods by month, as (year, month, count); empty before the end.
        children: The entries of an index that were read so far; empty unless `keeps_children` is set.
    """

    def __init__(
        self,
        source: Source,
        fetched: FetchedSource,
        document_id: int,
        options: ReadOptions,
        *,
        hashed: bool = True,
        keeps_children: bool = False,
    ) -> None:
        """Prepare to read; nothing is read yet.

        Args:
            document_id: The number of the document in the run.
            hashed: Whether to compute the SHA-256.
            keeps_children: Whether to keep the rows of `children` in addition to yielding them.
        """
        self.source = source
        self._fetched = fetched
        self._began = time.perf_counter()
        self._options = options
        self._computes_hash = hashed
        self._document_id = document_id
        self._keeps_children = keeps_children
        self.facts: dict[str, Any] = facts_of(source, fetched, document_id)
        self.children: list[Table] = []
        self.months: list[tuple[int, int, int]] = []
        self._watcher: Callable[[bytes], object] | None = None

    def watched_by(self, watcher: Callable[[bytes], object]) -> None:
        """Call a function with each piece of the received bytes as they are read, and with an empty one at the end.

        If reading stops at a limit, there is no empty piece.
        """
        self._watcher = watcher

    def __iter__(self) -> Iterator[dict[str, Table]]:
        """Yield the batches: the tables that have rows, by name.

        Raises:
            InputError: The bytes cannot be read to the end.
        """
        with ExitStack() as resources:
            yield from self._batches(resources)

    def _batches(self, resources: ExitStack) -> Iterator[dict[str, Table]]:
        try:
            content = self._content(resources)
            reader = _core.Reader(
                content if self._watcher is None else _Watched(_as_file(content, resources), self._watcher),
                document_id=self._document_id,
                url=str(self.facts["final_url"]) if self.source.kind is SourceKind.URL else None,
                max_inflated=self._options.max_document_bytes,
                hash=self._computes_hash,
            )
            for batch in reader:
                if self._keeps_children and "children" in batch:
                    self.children.append(batch["children"])
                yield batch
        except OSError as error:
            raise InputError(self.source.name, f"cannot be read: {reason_of(error)}") from None
        finally:
            self._fetched.close()
        facts = reader.facts()
        self.months = facts.pop("lastmod_months")
        for name in INSTANTS:
            facts[name] = instant(facts[name])
        fetched = self._fetched.facts
        self.facts |= facts
        if isinstance(content, DecompressedFile):
            self._add_decompression_facts(content)
        # The core sees bytes after decoding Content-Encoding, and cannot know that the response was incomplete.
        if fetched.get("content_encoding") is not None:
            self.facts["wire_bytes"] = fetched["wire_bytes"]
        if fetched.get("error_kind") is not None:
            self.facts["complete"] = False
        if isinstance(content, str) and facts["entries"] >= MIN_URLS and is_built_part(Path(content), facts["entries"]):
            self.facts["is_built_part"] = True
        elapsed = timedelta(seconds=time.perf_counter() - self._began)
        self.facts["elapsed_ms"] = self._fetched.elapsed_ms + elapsed / timedelta(milliseconds=1)

    def _content(self, resources: ExitStack) -> bytes | str | BinaryFile:
        """Return what the core reads: the content of a file in a format that it cannot decompress, or the file."""
        content = self._fetched.content
        if isinstance(content, bytes) and not content.startswith(ZSTD_MAGIC) and not self._name.endswith(".br"):
            return content
        if isinstance(content, str) and not may_be_compressed(Path(content), self._name):
            return content
        return decompress(_as_file(content, resources), self._name, hashed=self._computes_hash)

    @property
    def _name(self) -> str:
        """The name of the document, without the query of a URL."""
        name = str(self.facts["final_url"])
        return split_url(name).path if self.source.kind is SourceKind.URL else name

    def _add_decompression_facts(self, content: DecompressedFile) -> None:
        """Correct the facts that the core does not know about a file that was decompressed before it."""
        self.facts |= {"compression": content.compression, "wire_bytes": content.wire_bytes, "sha256": content.sha256}
        if content.damage is not None:
            self.facts |= {"complete": False, "error": content.damage}
        if content.damage is not None and not self.facts["bytes"]:
            self.facts["kind"] = "zstd" if content.compression == "zstd" else "binary"

    def read_all(self) -> dict[str, Table]:
        """Read to the end, and return every table that has rows.

        Raises:
            InputError: The bytes cannot be read to the end.
        """
        return concatenate(self)


class _Watched:
    """A file that passes its bytes to a watcher as they are read."""

    def __init__(self, file: BinaryFile, watcher: Callable[[bytes], object]) -> None:
        self._file = file
        self._watcher = watcher

    def read(self, size: int, /) -> bytes:
        piece = self._file.read(size)
        self._watcher(piece)
        return piece


def _as_file(content: bytes | str | BinaryFile, resources: ExitStack) -> BinaryFile:
    match content:
        case bytes():
            return BytesIO(content)
        case str():
            return resources.enter_context(Path(content).open("rb"))
        case _:
            return content


def concatenate(batches: Iterable[Mapping[str, Table]]) -> dict[str, Table]:
    """Concatenate the tables of several batches without a copy."""
    pieces: dict[str, list[Table]] = {}
    for batch in batches:
        for name, table in batch.items():
            pieces.setdefault(name, []).append(table)
    return {name: _core.Table.concat(tables) for name, tables in pieces.items()}
