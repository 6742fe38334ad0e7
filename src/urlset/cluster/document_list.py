"""Lists the documents to read on a cluster, and numbers them."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from msgspec import Struct, field

from urlset.cluster.hadoop_files import ClusterFiles, is_local
from urlset.engine.spark.failures import first_line
from urlset.errors import InputError, Unreadable, UsageError
from urlset.net.urlparts import host_of
from urlset.sources import Source, SourceKind, is_url, sources_of
from urlset.sources.targets import is_wanted, no_files_message
from urlset.text.masking import mask_target
from urlset.text.sizes import inflect, quantity

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pyspark.sql import DataFrame, SparkSession

CONTENT_COLUMNS: Mapping[str, str] = {
    "document_id": "int",
    "url": "string",
    "place": "string",
    "site_path": "string",
    "content": "binary",
    "depth": "int",
    "found_by": "string",
    "parent_id": "int",
    "parent_ordinal": "int",
    "line": "int",
    "col": "int",
    "via": "string",
}
"""The columns of the documents to read: a number, facts of the source, and the content if Spark or the user read it."""

DOCUMENTS_PER_TASK = 8
"""Documents per task, as long as there are enough tasks for all executors."""

MAX_BYTES = "spark.sql.sources.binaryFile.maxLength"
"""Setting of Spark for the largest file that it reads."""

_GLOB = re.compile(r"[*?\[\]{}\\]")
"""Characters of patterns, which Spark would expand again."""

MAX_TASKS_PER_CORE = 16
"""Tasks per core that even out documents of different sizes."""


class DocumentList(Struct):
    """The documents to read.

    Attributes:
        sources: The documents in the order of their numbers.
        names: The targets as given.
        contents: `document_id`, `url`, and `content` of documents that were fetched elsewhere; None to read `sources`.
        unreadable: Targets without a document.
        notes: What was left out.
    """

    sources: list[Source]
    names: list[str]
    contents: DataFrame | None = None
    unreadable: list[Unreadable] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def list_documents(spark: SparkSession, source: str | Sequence[str] | DataFrame) -> DocumentList:
    """List the documents of a source, numbered in the order of their names.

    Args:
        source: URLs, and paths, folders, and globs on any file system that Spark reads; or a frame with `url`, or
            with `url` and `content`.

    Raises:
        UsageError: The frame has other columns.
        InputError: No source has a document.
    """
    from pyspark.sql import DataFrame

    if isinstance(source, DataFrame):
        return _of_frame(source)
    addresses = [source] if isinstance(source, str) else list(source)
    if not addresses:
        raise UsageError("no target given; name files or globs")
    by_place: dict[str, Source] = {}
    unreadable: list[Unreadable] = []
    repeated = folders = 0
    system = ClusterFiles(spark)
    for address in addresses:
        if is_url(address):
            sources, skipped = list(sources_of(address)), 0
        else:
            try:
                sources, skipped = _files(system, address)
            except InputError as error:
                unreadable.append(Unreadable.of(error))
                continue
            folders += skipped
        repeated += sum(str(file.place) in by_place for file in sources)
        by_place.update((str(file.place), file) for file in sources)
    if not by_place:
        raise InputError(unreadable[0].target, unreadable[0].reason)
    ordered = [by_place[place] for place in sorted(by_place, key=lambda place: place.encode("utf-8", "surrogatepass"))]
    notes = [f"{quantity(repeated, 'file')} matched more than once, and read once"] if repeated else []
    if folders:
        notes.append(f"{quantity(folders, 'folder')} that a glob matches {inflect(folders, 'was', 'were')} not read")
    return DocumentList(ordered, addresses, unreadable=unreadable, notes=notes)


def _files(system: ClusterFiles, address: str) -> tuple[list[Source], int]:
    """Return the files of a path, glob, or folder, and the number of folders that are left out.

    Raises:
        InputError: There is none, or they cannot be listed.
    """
    below = None if _GLOB.search(address) else system.below(address)
    if below is None:
        files, folders = system.find(address)
        return [path_source(file) for file in files], folders
    selected = [(file, path) for file, path in below if is_wanted(path)]
    if not selected:
        raise InputError(mask_target(address), no_files_message())
    return [replace(path_source(file), site_path=f"/{path}", is_searched=True) for file, path in selected], 0


def path_source(path: str) -> Source:
    """Return the source of a file on any file system that Spark reads."""
    return Source(SourceKind.PATH, mask_target(path), path, site_path=f"/{path.rpartition('/')[2]}")


def documents_frame(spark: SparkSession, listed: DocumentList) -> DataFrame:
    """Return the listed documents as rows of `CONTENT_COLUMNS`."""
    if listed.contents is None:
        return frame_of(spark, enumerate(listed.sources))
    return _with_all_columns(listed.contents)


def frame_of(spark: SparkSession, numbered: Iterable[tuple[int, Source]]) -> DataFrame:
    """Return documents as rows of `CONTENT_COLUMNS`, partitioned for the tasks that read them.

    All URLs of a host are in one partition, whose task keeps to the rate of the host. The content of files that
    executors cannot open is read by Spark.
    """
    urls: list[tuple[int, Source]] = []
    local: list[tuple[int, Source]] = []
    remote: list[tuple[int, Source]] = []
    for number, source in numbered:
        if source.kind is SourceKind.URL:
            urls.append((number, source))
        else:
            (local if is_local(str(source.place)) else remote).append((number, source))
    frames = []
    if local:
        frames.append(_in_tasks(spark, _split_evenly(local, _tasks(spark, len(local)))))
    if urls:
        frames.append(_in_tasks(spark, _by_host(urls, _max_tasks(spark))))
    if remote:
        frames.append(_read_by_spark(spark, remote))
    whole = frames[0]
    for frame in frames[1:]:
        whole = whole.unionByName(frame)
    return whole


def _read_by_spark(spark: SparkSession, remote: Sequence[tuple[int, Source]]) -> DataFrame:
    """Return the files that Spark can read with their content; the others are left out.

    Raises:
        InputError: A file is gone.
    """
    from pyspark.errors import AnalysisException
    from pyspark.sql.functions import col

    rows = [(number, str(source.place), source.site_path) for number, source in remote]
    numbers = spark.createDataFrame(rows, "document_id int, url string, site_path string").hint("broadcast")
    reader = spark.read.format("binaryFile").option("ignoreCorruptFiles", "true").option("ignoreMissingFiles", "true")
    try:
        contents = reader.load([_GLOB.sub(r"\\\g<0>", path) for _, path, _ in rows])
    except AnalysisException as error:
        raise InputError(quantity(len(rows), "file"), f"cannot be read: {first_line(error)}") from None
    # Spark does not read a file that does not match the condition.
    contents = contents.where(col("length") <= int(spark.conf.get(MAX_BYTES) or 0))
    return _with_all_columns(contents.join(numbers, col("path") == col("url")))


def _with_all_columns(contents: DataFrame) -> DataFrame:
    """Return contents as rows of `CONTENT_COLUMNS`."""
    from pyspark.sql.functions import col, lit

    there = contents.columns
    columns = [
        (col(name) if name in there else lit(None).cast(kind)).alias(name) for name, kind in CONTENT_COLUMNS.items()
    ]
    return contents.select(*columns)


def _in_tasks(spark: SparkSession, tasks: Sequence[Sequence[tuple[int, Source]]]) -> DataFrame:
    """Return documents as rows, with a partition for each task."""
    rows = [[_row(number, source) for number, source in task] for task in tasks]
    spread = spark.sparkContext.parallelize(rows, len(rows)).flatMap(list)
    return spark.createDataFrame(spread, ", ".join(f"{name} {kind}" for name, kind in CONTENT_COLUMNS.items()))


def _row(number: int, source: Source) -> tuple[object, ...]:
    via = None if source.via is None else " ".join(map(str, source.via))
    facts = (source.depth, source.found_by, source.parent_id, source.parent_ordinal, source.line, source.col)
    return (number, source.name, str(source.place), source.site_path, None, *facts, via)


def _max_tasks(spark: SparkSession) -> int:
    return max(spark.sparkContext.defaultParallelism, 1) * MAX_TASKS_PER_CORE


def _tasks(spark: SparkSession, documents: int) -> int:
    """Return the number of tasks that keeps all executors busy with files."""
    cores = max(spark.sparkContext.defaultParallelism, 1)
    return max(min(documents, cores), min(documents // DOCUMENTS_PER_TASK, _max_tasks(spark)))


def _split_evenly(documents: Sequence[tuple[int, Source]], tasks: int) -> list[Sequence[tuple[int, Source]]]:
    """Return runs of documents of about the same length."""
    bounds = [place * len(documents) // tasks for place in range(tasks + 1)]
    return [documents[first:last] for first, last in pairwise(bounds)]


def _by_host(documents: Sequence[tuple[int, Source]], max_tasks: int) -> list[Sequence[tuple[int, Source]]]:
    """Return the documents by host; with more hosts than tasks, a task has several."""
    hosts: dict[str | None, list[tuple[int, Source]]] = {}
    for number, source in documents:
        hosts.setdefault(host_of(str(source.place)), []).append((number, source))
    by_size = sorted(hosts.values(), key=len, reverse=True)
    return [
        [document for host in by_size[task::max_tasks] for document in host]
        for task in range(min(max_tasks, len(by_size)))
    ]


def _of_frame(source: DataFrame) -> DocumentList:
    """Return a frame of addresses or contents with numbers, in the order of their addresses."""
    from pyspark.sql import Window
    from pyspark.sql.functions import col, row_number

    columns = set(source.columns)
    if columns not in ({"url"}, {"url", "content"}):
        named = ", ".join(source.columns)
        raise UsageError(f"a source frame must have the columns url, or url and content, not {named}")
    if columns == {"url"}:
        addresses = sorted({str(url) for (url,) in source.distinct().collect() if url is not None})
        return list_documents(source.sparkSession, addresses)
    once = source.where(col("url").isNotNull()).dropDuplicates(["url"])
    left_out = source.count() - once.count()
    # Only the addresses are sorted in one place, not the contents.
    numbers = once.select("url").withColumn("document_id", row_number().over(Window.orderBy("url")) - 1)
    contents = once.join(numbers, "url").select("document_id", "url", "content")
    rows = quantity(left_out, "row")
    notes = [f"{rows} without a URL, or with one that another row has; not read"] if left_out else []
    sources = [Source(SourceKind.BYTES, url) for (url,) in numbers.orderBy("document_id").select("url").collect()]
    return DocumentList(sources, ["<frame>"], contents, notes=notes)
