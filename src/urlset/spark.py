"""urlset on Apache Spark: read, check, and write sitemaps on a cluster. Requires the extra `urlset[spark]`.

Example:
    ```python
    from pyspark.sql import SparkSession
    import urlset.spark

    spark = SparkSession.builder.getOrCreate()
    report = urlset.spark.validate(spark, "s3a://bucket/sitemaps/*.xml.gz", "s3a://bucket/runs/monday")
    ```
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from urlset.cluster.spark_session import check_packages
from urlset.options.merge import merge
from urlset.options.verbs import ReadOptions, ValidateOptions
from urlset.options.writing import WriteOptions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import DataFrame, SparkSession

    from urlset.model.build import Summary
    from urlset.model.cluster import FolderRun
    from urlset.model.report import Report
    from urlset.options.fields import ReadFields, ValidateFields, WriteFields

__all__ = ["read", "validate", "write"]


def read(
    spark: SparkSession,
    source: str | Sequence[str] | DataFrame,
    folder: str,
    options: ReadOptions | None = None,
    **fields: Unpack[ReadFields],
) -> FolderRun:
    """Read documents into a run as a folder of Parquet, with one folder per table of `urlset.tables`.

    Args:
        spark: The session. Its settings and views are not changed.
        source: URLs, and paths, folders, and globs on any file system that Spark reads; or a frame with the column
            `url`, which is the same, or `url` and `content`, the bytes of documents that were fetched elsewhere. URLs
            in a frame may only lead to public addresses, unless `allow_private` is set.
        folder: The folder to write, which must not exist yet or be empty.
        options: How documents are read.
        fields: Single options, which take precedence over `options`; see `urlset.options.ReadOptions`.

    Returns:
        The complete run. A document that could not be read is a row of `documents` with an `error`.

    Raises:
        MissingExtraError: A package of the extra is not installed.
        UsageError: The session, the source, or an option is not supported, or the executors lack urlset.
        InputError: No source has a document.
        OutputError: The folder is not empty, or cannot be written.
    """
    check_packages()
    from urlset.pipeline.cluster import read

    return read(spark, source, folder, merge(ReadOptions, options, fields))


def validate(
    spark: SparkSession,
    source: str | Sequence[str] | DataFrame,
    folder: str | None = None,
    options: ValidateOptions | None = None,
    *,
    pages: str | DataFrame | None = None,
    **fields: Unpack[ValidateFields],
) -> Report:
    """Check documents with the same rules and the same results as `urlset.validate`.

    Args:
        spark: The session. Its settings and views are not changed.
        source: As for `read`; or the folder of a run, which is not read again.
        folder: The folder to keep the run and its findings in; by default a temporary one, if Spark runs on this
            machine.
        options: Which rules run, and how.
        pages: The listed pages, which were fetched elsewhere, to run the rules of `urlset audit` on them: a frame, the
            path or glob of Parquet files, or `table:NAME`, with the columns `url` (as the sitemaps list it), `status`,
            and any other ones of `urlset.tables.PAGES`. A rule that reads a missing column does not run, and
            `Report.notes` names it. None to use the pages of the run, if `source` is one that has them.
        fields: Single options, which take precedence over `options`; see `urlset.options.ValidateOptions`.

    Raises:
        MissingExtraError: A package of the extra is not installed.
        UsageError: The session, the source, or an option is not supported, or the executors lack urlset.
        ConfigError: A custom rule is invalid, cannot be run on Spark, or fails on a value.
        InputError: No source has a document, or the pages cannot be read.
        OutputError: The folder is not empty, or cannot be written.
    """
    check_packages()
    from urlset.pipeline.cluster import validate

    return validate(spark, source, merge(ValidateOptions, options, fields), folder, pages)


def write(
    entries: DataFrame,
    base_url: str,
    out: str,
    options: WriteOptions | None = None,
    *,
    refused: str | None = None,
    **fields: Unpack[WriteFields],
) -> Summary:
    """Write a set of sitemaps from a frame, and publish it.

    Entries with the same URL are written once. The files do not depend on how the frame is partitioned.

    Args:
        entries: A frame with `loc`, and any fields of an entry, such as `lastmod`.
        base_url: The URL of the sitemaps' directory, such as `https://example.com/`.
        out: A directory that the driver and all executors reach by this path, or a prefix in an object store, such as
            `s3://bucket/site/`. fsspec opens it, on the driver and on the executors, with the credentials in their
            environment.
        options: How entries are checked and written, and split into files.
        refused: The folder to write the table of omitted entries and fields to, as Parquet, with the columns of
            `urlset.model.Refusal`; a number is 0, since a frame has no order.
        fields: Single options, which take precedence over `options`; see `urlset.options.WriteOptions`.

    Returns:
        The summary, as of `urlset.write`.

    Raises:
        MissingExtraError: A package of the extra is not installed, or one that `out` needs.
        UsageError: A column, an option, or the session is not supported, or the executors do not reach the directory.
        EntryRefusedError: An entry is invalid, and `strict` is set.
        OutputError: A file could not be written; the published files are unchanged.
        EmptySetError: Every entry was left out; see `empty`.
        ShrinkError: The set has no URLs, or less than half as many as published; see `allow_shrink`.
    """
    check_packages()
    from urlset.pipeline.cluster_build import write

    return write(entries.sparkSession, entries, base_url, out, merge(WriteOptions, options, fields), refused)
