"""Lists the documents to read on a cluster, and numbers them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

from urlset.cluster.files import ClusterFiles, is_local
from urlset.errors import InputError, Unreadable, UsageError
from urlset.masking import shown_target
from urlset.sizes import counted, inflected
from urlset.sources import is_url

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import DataFrame, SparkSession

NUMBERED = "document_id int, url string"
"""Documents with their numbers."""

DOCUMENTS_PER_TASK = 8
"""Documents per task, as long as there are enough tasks for all executors."""

MOST_TASKS_PER_CORE = 16
"""Tasks per core that even out documents of different sizes."""


class Listed(Struct):
    """The documents to read.

    Attributes:
        frame: `document_id`, `url`, and `content`, which is null for files that executors open.
        names: The targets as given.
        unreadable: Targets without a document.
        notes: What was left out.
    """

    frame: DataFrame
    names: list[str]
    unreadable: list[Unreadable] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def listed(spark: SparkSession, source: str | Sequence[str] | DataFrame) -> Listed:
    """List the documents of a source, numbered in the order of their names.

    Args:
        spark: The session that reads.
        source: Paths and globs on any file system that Spark reads, or a frame with `url`, or `url` and `content`.

    Raises:
        UsageError: The frame has other columns, or a source is a URL.
        InputError: No source has a document.
    """
    from pyspark.sql import DataFrame

    if isinstance(source, DataFrame):
        return _of_frame(spark, source)
    addresses = [source] if isinstance(source, str) else list(source)
    if not addresses:
        raise UsageError("no target given; name files or globs")
    found: set[str] = set()
    unreadable: list[Unreadable] = []
    repeated = folders = 0
    system = ClusterFiles(spark)
    for address in addresses:
        if is_url(address):
            raise UsageError(f"{shown_target(address)}: the engine on Spark reads files; give a path or a glob")
        try:
            files, skipped = system.found(address)
        except InputError as error:
            unreadable.append(Unreadable.of(error))
            continue
        repeated += sum(file in found for file in files)
        folders += skipped
        found.update(files)
    if not found:
        raise InputError(unreadable[0].target, unreadable[0].reason)
    paths = sorted(found, key=lambda path: path.encode("utf-8", "surrogatepass"))
    notes = [f"{counted(repeated, 'file')} matched more than once, and read once"] if repeated else []
    if folders:
        notes.append(f"{counted(folders, 'folder')} that a glob matches {inflected(folders, 'was', 'were')} not read")
    return Listed(_of_files(spark, paths), addresses, unreadable, notes)


def _of_files(spark: SparkSession, paths: Sequence[str]) -> DataFrame:
    """Return the files as a frame; the content of those that executors cannot open is read by Spark."""
    from pyspark.sql.functions import col, lit

    numbered = list(enumerate(paths))
    local = [row for row in numbered if is_local(row[1])]
    frames = []
    if local:
        frames.append(_spread(spark, local).withColumn("content", lit(None).cast("binary")))
    if remote := [row for row in numbered if not is_local(row[1])]:
        numbers = spark.createDataFrame(remote, NUMBERED).hint("broadcast")
        contents = spark.read.format("binaryFile").load([path for _, path in remote])
        frames.append(contents.join(numbers, col("path") == col("url")).select("document_id", "url", "content"))
    return frames[0] if len(frames) == 1 else frames[0].unionByName(frames[1])


def _spread(spark: SparkSession, rows: list[tuple[int, str]]) -> DataFrame:
    """Return rows as a frame with as many partitions as keep all executors busy."""
    cores = max(spark.sparkContext.defaultParallelism, 1)
    tasks = max(min(len(rows), cores), min(len(rows) // DOCUMENTS_PER_TASK, cores * MOST_TASKS_PER_CORE))
    return spark.createDataFrame(spark.sparkContext.parallelize(rows, tasks), NUMBERED)


def _of_frame(spark: SparkSession, source: DataFrame) -> Listed:
    """Return a frame of addresses or contents with numbers, in the order of their addresses."""
    from pyspark.sql import Window
    from pyspark.sql.functions import col, row_number

    columns = set(source.columns)
    if columns not in ({"url"}, {"url", "content"}):
        named = ", ".join(source.columns)
        raise UsageError(f"a source frame must have the columns url, or url and content, not {named}")
    if columns == {"url"}:
        addresses = sorted({str(url) for (url,) in source.distinct().collect() if url is not None})
        return listed(spark, addresses)
    once = source.where(col("url").isNotNull()).dropDuplicates(["url"])
    left_out = source.count() - once.count()
    # Only the addresses are sorted in one place, not the contents.
    numbers = once.select("url").withColumn("document_id", row_number().over(Window.orderBy("url")) - 1)
    frame = once.join(numbers, "url").select("document_id", "url", "content")
    rows = counted(left_out, "row")
    notes = [f"{rows} without a URL, or with one that another row has; not read"] if left_out else []
    return Listed(frame, ["<frame>"], notes=notes)
