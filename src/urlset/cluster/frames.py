"""Tables of a run as Spark sees them."""

from __future__ import annotations

from functools import reduce
from operator import and_
from typing import TYPE_CHECKING

from urlset.engine.spark.failures import first_line
from urlset.errors import InputError, OutputError
from urlset.tables import TABLES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pyspark.sql import Column, DataFrame, DataFrameWriter, SparkSession

    from urlset.cluster.hadoop_files import ClusterFiles
    from urlset.tables import Table

SPARK_TYPES = {
    "int32": "int",
    "int64": "bigint",
    "double": "double",
    "bool": "boolean",
    "text": "string",
    "text[]": "array<string>",
    "int64[]": "array<bigint>",
    "timestamp": "timestamp_ntz",
}
"""Spark's type for each type in `tables.py`."""

TABLE = "table:"
"""Prefix of the name of a table of Spark's catalog."""


def schema_of(table: Table) -> str:
    """Return the schema of a table in the DDL of Spark."""
    return ", ".join(f"`{column.name}` {SPARK_TYPES[column.type]}" for column in table.columns)


def read_frame(spark: SparkSession, source: str) -> DataFrame:
    """Return the rows of Parquet files, by a path or glob, or of a table of Spark's catalog with the prefix `table:`.

    Raises:
        InputError: They cannot be read.
    """
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PySparkException

    try:
        if source.startswith(TABLE):
            return spark.table(source.removeprefix(TABLE))
        return spark.read.parquet(source)
    except (PySparkException, Py4JJavaError) as error:
        raise InputError(source, f"cannot be read as Parquet: {first_line(error)}") from None


def write_table(frame: DataFrame, folder: str, name: str) -> None:
    """Write a table of a run, or more rows of it."""
    write_frame(frame, f"{folder}/{name}", "append")


def write_frame(frame: DataFrame, folder: str, mode: str = "overwrite") -> None:
    write_parquet(frame.write.mode(mode), folder)


def write_parquet(writer: DataFrameWriter, folder: str) -> None:
    """Write a folder of Parquet.

    Raises:
        OutputError: It cannot be written.
    """
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PySparkException

    try:
        writer.parquet(folder)
    except (PySparkException, Py4JJavaError) as error:
        raise OutputError(f"{folder}: cannot be written: {first_line(error)}") from None


def tables_of(spark: SparkSession, files: ClusterFiles, folder: str, names: Iterable[str]) -> dict[str, DataFrame]:
    """Return the tables of a run that have rows, as frames of a session."""
    there = set(files.names(folder))
    return {
        name: spark.read.schema(schema_of(TABLES[name])).parquet(f"{folder}/{name}") for name in names if name in there
    }


def is_unread() -> Column:
    """Return the condition for rows of `documents` that are targets that could not be read: they have no other rows."""
    from pyspark.sql.functions import col

    nothing_else = [col(name).isNull() for name in ("kind", "error_kind", "http_status")]
    return reduce(and_, nothing_else, col("error").isNotNull())


def readable(documents: DataFrame) -> DataFrame:
    """Return the rows of `documents` without the targets that could not be read."""
    return documents.where(~is_unread())
