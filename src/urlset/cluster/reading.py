"""Reads documents on a cluster into a run as a folder of Parquet.

Each document is read once: a first pass writes the rows of all tables as Arrow to a temporary folder in the run, and a
second one, table by table, writes them as Parquet. The row of `runs` comes last and makes the run complete.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from urlset import _core
from urlset.cluster.files import ClusterFiles
from urlset.cluster.frames import schema_of, tables_of, write_table
from urlset.cluster.listing import listed
from urlset.cluster.tasks import TALL, ReadTask, table_rows
from urlset.engine.documents_table import storable_row
from urlset.engine.run_folder import RESULTS, RUN_NUMBER
from urlset.engine.spark.statements import own_session
from urlset.errors import OutputError, Unreadable
from urlset.masking import shown_target
from urlset.tables import DOCUMENTS, READER_TABLES, RUNS, TABLES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pyspark.sql import DataFrame, SparkSession

    from urlset.options.verbs import ReadOptions

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


class ClusterRun(Struct):
    """A run as a folder that is being written.

    Attributes:
        folder: The folder.
        targets: The targets as given.
        started_at: When it began.
        unreadable: Targets and documents that could not be read.
        notes: What was left out.
    """

    folder: str
    targets: list[str]
    started_at: datetime
    unreadable: list[Unreadable] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def read_into(
    spark: SparkSession, source: str | Sequence[str] | DataFrame, folder: str, options: ReadOptions
) -> ClusterRun:
    """Read documents into a folder; `finish` completes the run.

    Args:
        spark: The user's session.
        source: The documents, as for `listing.listed`.
        folder: A folder that does not exist, or is empty, on a file system that all executors reach.
        options: How to read.

    Raises:
        OutputError: The folder exists, or cannot be written.
        UsageError: The source is invalid.
        InputError: No source has a document.
    """
    started_at = datetime.now(UTC)
    files = ClusterFiles(spark)
    if not files.is_empty(folder):
        raise OutputError(f"{folder}: is not empty; name a folder that does not exist yet")
    session = own_session(spark, READING_SETTINGS)
    documents = listed(session, source)
    run = ClusterRun(folder, documents.names, started_at, documents.unreadable, documents.notes)
    staging = f"{folder}/{STAGING}"
    tall = documents.frame.mapInArrow(ReadTask(options), TALL)
    _written(tall.write.options(**STAGING_SETTINGS).partitionBy("table_name"), staging)
    there = {name.removeprefix("table_name=") for name in files.names(staging)}
    _unpack(session, staging, folder, DOCUMENTS.name)
    unread = _unread(session, files, folder)
    run.unreadable += [Unreadable(url, error) for _, url, error in unread]
    for name in READER_TABLES:
        if name in there:
            _unpack(session, staging, folder, name, [number for number, _, _ in unread])
    files.remove(staging)
    return run


def _written(writer: Any, folder: str) -> None:
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PySparkException

    from urlset.cluster.session import first_line

    try:
        writer.parquet(folder)
    except (PySparkException, Py4JJavaError) as error:
        raise OutputError(f"{folder}: cannot be written: {first_line(error)}") from None


def _unpack(session: SparkSession, staging: str, folder: str, name: str, without: Sequence[int] = ()) -> None:
    """Write the rows of a table as Parquet, without those of documents that could not be read to the end."""
    from pyspark.sql.functions import col

    tall = session.read.schema("data binary").parquet(f"{staging}/table_name={name}")
    rows = tall.mapInArrow(table_rows, schema_of(TABLES[name]))
    if without:
        rows = rows.where(~col("document_id").isin(list(without)))
    write_table(rows, folder, name)


def _unread(session: SparkSession, files: ClusterFiles, folder: str) -> list[tuple[int, str, str]]:
    from pyspark.sql.functions import col

    documents = tables_of(session, files, folder, [DOCUMENTS.name])[DOCUMENTS.name]
    rows = documents.where(col("error").isNotNull()).select("document_id", "url", "error")
    return [(number, url, error) for number, url, error in rows.orderBy("document_id").collect()]


def finish(spark: SparkSession, run: ClusterRun, settings: Mapping[str, object], numbers: Mapping[str, int]) -> None:
    """Write the row of `runs`, which completes the run.

    Args:
        spark: The user's session.
        run: The run.
        settings: The settings: JSON values without secrets.
        numbers: The columns documents, urls, errors, warnings, and infos of `runs`.

    Raises:
        OutputError: It cannot be written.
    """
    facts = {
        "unreadable": [{"target": one.target, "reason": one.reason} for one in run.unreadable],
        "skipped": [],
        "notes": run.notes,
        **dict.fromkeys(("pages", "inventory", "earlier_run")),
        "agents": [],
        "checks": [],
    }
    session = own_session(spark, {})
    results = session.createDataFrame([(json.dumps(facts),)], "facts string")
    write_table(results.coalesce(1), run.folder, RESULTS)
    row = {
        "run_id": RUN_NUMBER,
        "started_at": run.started_at,
        "finished_at": datetime.now(UTC),
        "targets": [shown_target(target) for target in run.targets],
        "settings": json.dumps(settings, sort_keys=True),
        "version": _core.__version__,
        **numbers,
    }
    write_rows(session, run.folder, RUNS.name, [row])


def write_rows(session: SparkSession, folder: str, name: str, rows: Sequence[Mapping[str, object]]) -> None:
    """Write a few rows of a table, by column; missing values are null."""
    columns = [(column.name, column.type) for column in TABLES[name].columns]
    write_core(session, folder, name, _core.Table.from_rows(columns, [storable_row(row) for row in rows]))


def write_core(session: SparkSession, folder: str, name: str, table: _core.Table) -> None:
    """Write a table of the core."""
    import pyarrow as pa

    frame = session.createDataFrame(pa.table(table), schema_of(TABLES[name]))
    write_table(frame.coalesce(1), folder, name)
