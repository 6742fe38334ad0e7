"""Reads documents on a cluster into a run as a folder of Parquet.

Each document is read once: a first pass writes the rows of all tables as Arrow to a temporary folder in the run, and
a second one, table by table, writes them as Parquet. If indexes are followed, the first pass runs once per level. The
row of `runs` comes last and makes the run complete.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from msgspec import Struct, field, structs

from urlset import _core
from urlset.cluster.document_list import MAX_BYTES, documents_frame, frame_of, list_documents
from urlset.cluster.frames import is_unread, schema_of, tables_of, write_parquet, write_table
from urlset.cluster.hadoop_files import ClusterFiles, is_local
from urlset.cluster.tasks import REACHED, TALL, ReadTask, failed_row, table_rows
from urlset.engine.run_folder import RUN_NUMBER
from urlset.engine.spark.statements import own_session
from urlset.engine.store_tables import RESULTS
from urlset.errors import OutputError, Unreadable
from urlset.net.reach import Reach
from urlset.sources import SourceKind
from urlset.store.results import NO_RESULTS
from urlset.tables import CHILDREN, DOCUMENTS, READER_TABLES, RUNS, TABLES
from urlset.text.masking import mask_target

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from pyspark.sql import DataFrame, Row, SparkSession

    from urlset.model.audit import PageCounts
    from urlset.model.document import SkippedFile
    from urlset.net.trust import Trust
    from urlset.options.verbs import ReadOptions
    from urlset.sources import Source

STAGING = "_reading"
"""The folder of the first pass; Spark and DuckDB ignore names with an underscore."""

READING_SETTINGS: Mapping[str, str] = {
    # A row is a whole document, or the rows of many.
    "spark.sql.execution.arrow.maxRecordsPerBatch": "1",
    # Otherwise each task would sort its rows by table.
    "spark.sql.maxConcurrentOutputFileWriters": "32",
    # Spark holds that many rows of the first pass in memory, of up to a MiB each.
    "spark.sql.parquet.columnarReaderBatchSize": "8",
}

STAGING_SETTINGS: Mapping[str, int] = {
    "parquet.block.size": 8 * 1024 * 1024,
    # Otherwise Parquet would compare the size with the limit only after 100 rows.
    "parquet.block.size.row.check.min": 1,
    "parquet.page.size.row.check.min": 1,
}
"""Settings of Parquet that limit the memory of the first pass, whose rows are large."""


NOT_READ_BY_SPARK = f"cannot be read by Spark: it is gone, refused, or larger than {MAX_BYTES}"


class ClusterRun(Struct):
    """A run as a folder that is being written.

    Attributes:
        targets: The targets as given.
        unreadable: Targets and documents that could not be read.
        skipped: Files of folders that are not sitemaps.
        notes: What was left out.
    """

    folder: str
    targets: list[str]
    started_at: datetime
    unreadable: list[Unreadable] = field(default_factory=list)
    skipped: list[SkippedFile] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


class ClusterReader:
    """Reads documents, level by level, into a folder; `complete` makes the tables of a run from them.

    Attributes:
        run: The run so far.
        sources: The documents that were given, in the order of their numbers.
    """

    def __init__(
        self,
        spark: SparkSession,
        source: str | Sequence[str] | DataFrame,
        folder: str,
        options: ReadOptions,
        trust: Trust,
    ) -> None:
        """List the documents.

        Args:
            source: The documents, as for `listing.list_documents`.
            folder: A folder that does not exist, or is empty, on a file system that all executors reach.

        Raises:
            OutputError: The folder exists, or cannot be written.
            UsageError: The source is invalid.
            InputError: No source has a document.
        """
        started_at = datetime.now(UTC)
        self._files = ClusterFiles(spark)
        if not self._files.is_empty(folder):
            raise OutputError(f"{folder}: is not empty; name a folder that does not exist yet")
        self._session = own_session(spark, READING_SETTINGS)
        self._options = options
        self._trust = trust
        self._staging = f"{folder}/{STAGING}"
        self._levels = 0
        self._listing = list_documents(self._session, source)
        self.sources = self._listing.sources
        unreadable, notes = self._listing.unreadable, self._listing.notes
        self.run = ClusterRun(folder, self._listing.names, started_at, unreadable, notes=notes)

    def read_sources(self) -> None:
        self._read(documents_frame(self._session, self._listing))

    def read_children(self, numbered: Iterable[tuple[int, Source]]) -> None:
        """Read documents that others list, with their numbers."""
        self._read(frame_of(self._session, numbered))

    def documents(self) -> Iterator[Row]:
        """Yield the rows of `documents` of the last level that was read, by number."""
        return self._last_level(
            DOCUMENTS.name, ("document_id", "final_url", "kind", "bytes", "entries", "loc_absolute"), ["document_id"]
        )

    def children(self, columns: Sequence[str]) -> Iterator[Row]:
        """Yield columns of the rows of `children` of the last level that was read, in order."""
        return self._last_level(CHILDREN.name, columns, ["document_id", "ordinal"])

    def complete(self, without: Collection[int] = ()) -> ClusterRun:
        """Write the tables, and remove what the levels left.

        Args:
            without: The numbers of documents to leave out.

        Raises:
            OutputError: The folder cannot be written.
        """
        folder = self.run.folder
        self._unpack(DOCUMENTS.name, without)
        if missing := self._missing():
            write_rows(self._session, folder, DOCUMENTS.name, missing)
        unread = self._unreadable_documents()
        self.run.unreadable += [Unreadable(url, error) for _, url, error in unread]
        for name in READER_TABLES:
            self._unpack(name, [*without, *(number for number, _, _ in unread)])
        self._files.remove(f"{folder}/{STAGING}")
        return self.run

    def _read(self, frame: DataFrame) -> None:
        tall = frame.mapInArrow(ReadTask(self._options, self._trust), TALL)
        writer = tall.write.options(**STAGING_SETTINGS).partitionBy("table_name")
        write_parquet(writer, f"{self._staging}/{self._levels}")
        self._levels += 1
        # A host that turned out to be public stays public for the levels that follow.
        for [data] in self._staged_rows(REACHED, [self._levels - 1]).collect() if self._has(REACHED) else ():
            for host, reach in json.loads(data).items():
                self._trust.reached_hosts.narrow(host, Reach(reach))

    def _last_level(self, name: str, columns: Sequence[str], order: Sequence[str]) -> Iterator[Row]:
        if not self._has(name):
            return iter(())
        rows = self._staged_rows(name, [self._levels - 1]).mapInArrow(table_rows, schema_of(TABLES[name]))
        return iter(rows.select(*columns).orderBy(*order).toLocalIterator())

    def _has(self, name: str) -> bool:
        """Return whether the last level has rows of a table."""
        return f"table_name={name}" in self._files.names(f"{self._staging}/{self._levels - 1}")

    def _staged_rows(self, name: str, levels: Iterable[int]) -> DataFrame:
        paths = [f"{self._staging}/{level}/table_name={name}" for level in levels]
        return self._session.read.schema("data binary").parquet(*paths)

    def _unpack(self, name: str, without: Collection[int]) -> None:
        """Write the rows of a table as Parquet, without those of some documents."""
        from pyspark.sql.functions import col

        folder = f"table_name={name}"
        levels = [level for level in range(self._levels) if folder in self._files.names(f"{self._staging}/{level}")]
        if not levels:
            return
        rows = self._staged_rows(name, levels).mapInArrow(table_rows, schema_of(TABLES[name]))
        if without:
            rows = rows.where(~col("document_id").isin(list(without)))
        write_table(rows, self.run.folder, name)

    def _missing(self) -> list[dict[str, object]]:
        """Return rows of `documents` for the files that Spark was to read, and could not."""
        remote = {
            number: source
            for number, source in enumerate(self.sources)
            if source.kind is SourceKind.PATH and not is_local(str(source.place))
        }
        if not remote:
            return []
        documents = tables_of(self._session, self._files, self.run.folder, [DOCUMENTS.name])
        if DOCUMENTS.name in documents:
            for (number,) in documents[DOCUMENTS.name].select("document_id").collect():
                remote.pop(number, None)
        return [failed_row(source, number, NOT_READ_BY_SPARK) for number, source in remote.items()]

    def _unreadable_documents(self) -> list[tuple[int, str, str]]:
        """Return the number, name, and error of each document that could not be read."""
        documents = tables_of(self._session, self._files, self.run.folder, [DOCUMENTS.name])[DOCUMENTS.name]
        rows = documents.where(is_unread()).select("document_id", "url", "error")
        return [(number, url, error) for number, url, error in rows.orderBy("document_id").collect()]


def finish(
    spark: SparkSession,
    run: ClusterRun,
    settings: Mapping[str, object],
    numbers: Mapping[str, int],
    pages: PageCounts | None = None,
) -> None:
    """Write the row of `runs`, which completes the run.

    Args:
        settings: The settings: JSON values without secrets.
        numbers: The columns documents, urls, pages, errors, warnings, and infos of `runs`.
        pages: The listed pages in numbers; None if they were not fetched.

    Raises:
        OutputError: It cannot be written.
    """
    results = structs.replace(
        NO_RESULTS,
        pages=pages,
        unreadable=tuple(run.unreadable),
        skipped=tuple(run.skipped),
        notes=tuple(run.notes),
    )
    session = own_session(spark, {})
    facts = session.createDataFrame([(results.to_json(),)], "facts string")
    write_table(facts.coalesce(1), run.folder, RESULTS)
    row = {
        "run_id": RUN_NUMBER,
        "started_at": run.started_at,
        "finished_at": datetime.now(UTC),
        "targets": [mask_target(target) for target in run.targets],
        "settings": json.dumps(settings, sort_keys=True),
        "version": _core.__version__,
        "text_version": _core.TEXT_VERSION,
        **numbers,
    }
    write_rows(session, run.folder, RUNS.name, [row])


def write_rows(session: SparkSession, folder: str, name: str, rows: Sequence[Mapping[str, object]]) -> None:
    """Write a few rows of a table, by column; missing values are null."""
    columns = [(column.name, column.type) for column in TABLES[name].columns]
    write_core(session, folder, name, _core.Table.from_rows(columns, [dict(row) for row in rows]))


def write_core(session: SparkSession, folder: str, name: str, table: _core.Table) -> None:
    import pyarrow as pa

    frame = session.createDataFrame(pa.table(table), schema_of(TABLES[name]))
    write_table(frame.coalesce(1), folder, name)
