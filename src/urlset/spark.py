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

from urlset.cluster.session import check_packages
from urlset.options.merge import merged
from urlset.options.verbs import ReadOptions, ValidateOptions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import DataFrame, SparkSession

    from urlset.model.cluster import FolderRun
    from urlset.model.report import Report
    from urlset.options.fields import ReadFields, ValidateFields

__all__ = ["read", "validate"]


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
        source: Paths and globs on any file system that Spark reads; or a frame with the column `url`, which is the
            same, or `url` and `content`, the bytes of documents that were fetched elsewhere.
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

    return read(spark, source, folder, merged(ReadOptions, options, fields))


def validate(
    spark: SparkSession,
    source: str | Sequence[str] | DataFrame,
    folder: str | None = None,
    options: ValidateOptions | None = None,
    **fields: Unpack[ValidateFields],
) -> Report:
    """Check documents with the same rules and the same results as `urlset.validate`.

    Args:
        spark: The session. Its settings and views are not changed.
        source: As for `read`; or the folder of a run, which is not read again.
        folder: The folder to keep the run and its findings in; by default a temporary one, if Spark runs on this
            machine.
        options: Which rules run, and how.
        fields: Single options, which take precedence over `options`; see `urlset.options.ValidateOptions`.

    Returns:
        The report.

    Raises:
        MissingExtraError: A package of the extra is not installed.
        UsageError: The session, the source, or an option is not supported, or the executors lack urlset.
        InputError: No source has a document.
        OutputError: The folder is not empty, or cannot be written.
    """
    check_packages()
    from urlset.pipeline.cluster import validate

    return validate(spark, source, merged(ValidateOptions, options, fields), folder)
