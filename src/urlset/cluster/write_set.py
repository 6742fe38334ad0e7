"""Writes a set of sitemaps on a cluster.

The entries are checked first. Those that are written are sorted by URL over all partitions and numbered, and each run
of `max_entries` numbers is written by one task with the core's writer. So the same data gives the same files, however
it is partitioned, and every part but the last is full. The driver then names the parts, writes the indexes, and
publishes the set as `urlset build` does.
"""

from __future__ import annotations

import json
from contextlib import ExitStack
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from urlset import _core
from urlset.build.empty_set import empty_set_error
from urlset.build.folder import convert_write_errors
from urlset.build.options import BaseUrl, for_core
from urlset.build.plan import plan, published_files_of
from urlset.build.published import shrink
from urlset.build.refusal_log import MAX_EXAMPLES
from urlset.build.remote import Remote
from urlset.build.writer import target_of
from urlset.cluster.frames import write_frame
from urlset.cluster.part_storage import FolderParts, ObjectParts
from urlset.cluster.write_task import (
    CHUNK,
    COPY,
    KEY,
    OMISSION,
    OMITTED,
    PART,
    RANK,
    REFUSALS,
    WRITTEN,
    CheckTask,
    WriteTask,
)
from urlset.engine.spark.failures import first_line
from urlset.errors import EntryRefusedError, OutputError, UsageError
from urlset.model.build import Refusal, Summary
from urlset.objects.object_address import is_object, scheme_of

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import Column, DataFrame

    from urlset.options.writing import WriteOptions

DUPLICATE = "duplicate"
"""The reason of the writer for an entry whose URL was written already."""

ROWS_PER_PARTITION = 250_000
"""Entries per task of sorting."""

ROW = 33
"""Bits of a row within its partition, in `monotonically_increasing_id`."""


def write(entries: DataFrame, base_url: str, out: str, options: WriteOptions, refused: str | None = None) -> Summary:
    """Write a set of sitemaps and publish it, as `urlset.spark.write` says."""
    base = BaseUrl.of(base_url)
    _check(entries, out, options)
    target = target_of(out, options)
    with ExitStack() as resources:
        resources.callback(target.close)
        staging = target.open().absolute()
        parts = ObjectParts(target, out) if isinstance(target, Remote) else FolderParts(staging, out, resources)
        results = _ExecutorResults(resources, options, entries.sparkSession.sparkContext.defaultParallelism)
        with parts.running_tasks():
            results.run(entries, WriteTask(for_core(options, base), parts.place))
            if refused is not None:
                write_frame(results.omissions, refused)
        empty = empty_set_error(options.empty, len(results.saved), base, {}, (), results.refused, results.examples)
        if empty is not None:
            raise empty
        staged = parts.stage(results.saved)
        saved = results.saved or _write_empty_part(staging, options, base)
        with convert_write_errors(out):
            planned = plan(staging, saved, [""], base, options)
        before, count = target.count_urls(), sum(part["entries"] for part in saved)
        if not options.allow_shrink and (error := shrink(before, count)) is not None:
            raise error
        published = target.publish([staged(file.staged) for file in planned])
    return Summary(
        files=published_files_of(planned, published.changed),
        received=results.received,
        written=count,
        refused=results.refused,
        fields_left_out=results.fields,
        examples=tuple(results.examples),
        removed=published.removed,
        left=published.remaining,
        before=before,
        unescaped=sum(part["unescaped"] for part in saved),
        deprecated=sum(part["deprecated"] for part in saved),
        deprecated_fields=tuple(dict.fromkeys(name for part in saved for name in part["deprecated_fields"])),
    )


class _ExecutorResults(Struct):
    """The results of the executors.

    Attributes:
        resources: Frees what is kept on the executors at the end of the build.
        parallelism: Number of tasks that keeps all executors busy.
        received: Number of entries.
        saved: What the core reports about each part.
        refused: Number of entries left out, by reason.
        fields: Number of fields left out, by reason.
        examples: The first omissions.
        omissions: All omissions, as a frame.
    """

    resources: ExitStack
    options: WriteOptions
    parallelism: int
    received: int = 0
    saved: list[_core.SavedPart] = field(default_factory=list)
    refused: dict[str, int] = field(default_factory=dict)
    fields: dict[str, int] = field(default_factory=dict)
    examples: list[Refusal] = field(default_factory=list)
    omissions: Any = None

    def run(self, entries: DataFrame, task: WriteTask) -> None:
        """Write the parts.

        Raises:
            EntryRefusedError: An entry was refused, and `strict` is set.
            OutputError: A part could not be written.
        """
        from py4j.protocol import Py4JJavaError
        from pyspark.errors import PySparkException
        from pyspark.sql.functions import col, explode

        try:
            checked = self._checked_entries(entries, CheckTask(task.settings))
            numbered = self._number_entries(checked.where(col(COPY) == 1).drop(COPY, OMITTED))
            # One partition per part: without the number, Spark would make 200.
            parts = numbered.repartition(self._partitions(self.options.max_entries), CHUNK)
            written = self._persist(parts.groupBy(CHUNK).applyInArrow(lambda table: task(table), WRITTEN))
            self.saved = [json.loads(row[0]) for row in written.where(col(PART).isNotNull()).select(PART).collect()]
            noted = checked.select(explode(OMITTED).alias(OMITTED)).select(f"{OMITTED}.*")
            too_large = written.where(col(PART).isNull()).select(*REFUSALS)
            self.omissions = noted.unionByName(too_large).unionByName(_as_refusals(checked.where(col(COPY) > 1)))
            for reason, whole, count in self.omissions.groupBy("reason", "whole").count().orderBy("reason").collect():
                (self.refused if whole else self.fields)[reason] = count
            first = self.omissions.orderBy(*REFUSALS).take(MAX_EXAMPLES)
        except (PySparkException, Py4JJavaError) as error:
            raise OutputError(f"the entries cannot be written: {first_line(error)}") from error
        self.examples = [Refusal(*row) for row in first]
        if self.options.strict and self.examples:
            refusal = self.examples[0]
            raise EntryRefusedError(f"{refusal}; nothing was published because of the option strict", refusal)
        left_out = sum(self.refused.values())
        if sum(part["entries"] for part in self.saved) + left_out != self.received:
            raise OutputError("the entries changed while they were written; keep them in a table and build again")

    def _persist(self, frame: DataFrame) -> DataFrame:
        """Keep a frame on the executors until the end of the build."""
        from pyspark import StorageLevel

        persisted = frame.persist(StorageLevel.DISK_ONLY)
        self.resources.callback(persisted.unpersist)
        return persisted

    def _checked_entries(self, entries: DataFrame, check: CheckTask) -> DataFrame:
        """Return the checked entries, with the number of each among those to write with its URL; 0 for refused ones."""
        from pyspark.sql import Window
        from pyspark.sql.functions import col, exists, lit, row_number, when
        from pyspark.sql.types import ArrayType, StringType, StructField, StructType

        omissions = ArrayType(StructType.fromDDL(OMISSION))
        added = [StructField(KEY, StringType()), StructField(OMITTED, omissions)]
        checked = self._persist(entries.mapInArrow(check, StructType([*entries.schema.fields, *added])))
        self.received = checked.count()
        refused = col(OMITTED).isNotNull() & exists(OMITTED, lambda omission: omission["whole"])
        if self.options.duplicates != "refuse":
            return checked.withColumn(COPY, when(refused, lit(0)).otherwise(lit(1)))
        place = row_number().over(Window.partitionBy(KEY, refused).orderBy(*_order(entries)))
        by_url = checked.repartition(self._partitions(), KEY)
        numbered = self._persist(by_url.withColumn(COPY, when(refused, lit(0)).otherwise(place)))
        numbered.count()
        checked.unpersist()
        return numbered

    def _partitions(self, rows: int = ROWS_PER_PARTITION) -> int:
        """Return the number of partitions of about this many rows."""
        return max(self.parallelism, -(-self.received // rows))

    def _number_entries(self, entries: DataFrame) -> DataFrame:
        """Return the entries with their numbers in the order of their URLs, and their chunks."""
        from pyspark.sql.functions import col, lit, monotonically_increasing_id, shiftright

        by_url = entries.repartitionByRange(self._partitions(), col(KEY)).sortWithinPartitions(
            KEY, *_order(entries.drop(KEY))
        )
        placed = self._persist(by_url.withColumn(RANK, monotonically_increasing_id()))
        sizes = placed.groupBy(shiftright(col(RANK), ROW).alias("partition")).count().orderBy("partition").collect()
        firsts = accumulate((size for _, size in sizes), initial=0)
        starts = [
            (int(number), first - (int(number) << ROW)) for (number, _), first in zip(sizes, firsts, strict=False)
        ]
        started = entries.sparkSession.createDataFrame(starts, "partition bigint, start bigint").hint("broadcast")
        chunks = placed.withColumn("partition", shiftright(col(RANK), ROW)).join(started, "partition")
        ranked = chunks.withColumn(RANK, col(RANK) + col("start")).drop("partition", "start")
        return ranked.withColumn(CHUNK, (col(RANK) / lit(self.options.max_entries)).cast("bigint"))


def _order(entries: DataFrame) -> list[Column]:
    """Return an order of the entries with one URL that depends on nothing but their values."""
    from pyspark.sql.functions import col, struct, to_json

    return [col("loc").asc_nulls_first(), to_json(struct(*(col(name) for name in sorted(entries.columns))))]


def _as_refusals(copies: DataFrame) -> DataFrame:
    from pyspark.sql.functions import col, lit

    values = {
        "number": lit(0).cast("bigint"),
        "url": col("loc"),
        "reason": lit(DUPLICATE),
        "field": lit("loc"),
        "detail": lit(""),
        "value": col("loc").substr(1, 200),
        "whole": lit(True),
    }
    return copies.select(*(value.alias(name) for name, value in values.items()))


def _check(entries: DataFrame, out: str, options: WriteOptions) -> None:
    """Check that a build on Spark supports the columns and options."""
    if "loc" not in entries.columns:
        raise UsageError(f"the frame has no column loc, only {', '.join(entries.columns)}")
    if entries.schema["loc"].dataType.simpleString() != "string":
        raise UsageError(f"the column loc must be a string, not {entries.schema['loc'].dataType.simpleString()}")
    if "group" in entries.columns:
        raise UsageError("language versions in the column group are not supported on Spark; give each its alternates")
    if options.feed is not None:
        raise UsageError("feed is not available on Spark; build it from the newest entries with the engine duckdb")
    if options.refused_to is not None:
        raise UsageError("refused_to is not available on Spark; name a folder for the table of refusals")
    is_url = "://" in out
    if out == "-" or (is_url and (not is_object(out) or scheme_of(out) == "memory")):
        raise UsageError(
            f"{out}: a set on Spark is written to a directory that all executors reach, or to an object store "
            "(s3, gs, az, or abfs)"
        )


def _write_empty_part(staging: Path, options: WriteOptions, base: BaseUrl) -> list[_core.SavedPart]:
    """Write the part of a set without entries, unless `empty` is `none`."""
    core = _core.SetWriter(str(staging), for_core(options, base), lambda *_: None, 1)
    return core.finish(options.empty != "none")
