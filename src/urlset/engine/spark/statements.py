"""Runs statements on Spark: translates them from DuckDB's SQL, and several at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, TypeVar

from urlset.engine.rule_sql import EngineError
from urlset.engine.spark.dialect import SETTINGS, TranslationError, to_spark
from urlset.engine.spark.failures import first_line
from urlset.processes.threads import in_order

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from pyspark.sql import DataFrame, SparkSession

Row: TypeAlias = tuple[object, ...]
Item = TypeVar("Item")
Result = TypeVar("Result")

JOBS_AT_ONCE = 4
"""Statements to run at the same time: most are small, and one leaves the executors waiting for the driver."""


FEW_ENTRIES = 100_000
"""Entries up to which compiling each query takes longer than running it uncompiled."""

PARTITIONS = "spark.sql.shuffle.partitions"

ENTRIES_PER_TASK = 100_000
"""Entries per task of a join, as long as that is fewer tasks than the session is set to."""

SETTINGS_FOR_FEW: Mapping[str, str] = {
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.codegen.wholeStage": "false",
    PARTITIONS: "1",
    # A broadcast is a job of its own.
    "spark.sql.autoBroadcastJoinThreshold": "-1",
}
"""Settings for a run with few entries."""

SETTINGS_FOR_MANY: Mapping[str, str] = {
    # Spark broadcasts a table whose files are smaller than 10 MiB. Columns of URLs compress so well that such a table
    # can need more than a GiB of memory.
    "spark.sql.sources.fileCompressionFactor": "20",
    "spark.sql.adaptive.autoBroadcastJoinThreshold": "1m",
}
"""Settings for a run with many entries."""


class SparkStatements:
    """Runs statements in a session of its own, so that the settings and views of the user's session are not changed.

    Args:
        session: The user's session.
    """

    def __init__(self, session: SparkSession) -> None:
        self.session = own_session(session, {})

    def expect(self, entries: int) -> bool:
        """Adapt the settings to the number of entries of the run, and return whether these are few."""
        if entries <= FEW_ENTRIES:
            for name, value in SETTINGS_FOR_FEW.items():
                self.session.conf.set(name, value)
            return True
        for name, value in SETTINGS_FOR_MANY.items():
            self.session.conf.set(name, value)
        tasks = max(2 * self.session.sparkContext.defaultParallelism, entries // ENTRIES_PER_TASK)
        if tasks < int(self.session.conf.get(PARTITIONS) or 0):
            self.session.conf.set(PARTITIONS, str(tasks))
        return False

    def frame(self, code: str, sql: str) -> DataFrame:
        """Return the result of a query in DuckDB's SQL, which is not run yet.

        Args:
            code: The rules that the query is of, for errors.
            sql: The query.

        Raises:
            EngineError: The query cannot be translated, or Spark rejects it.
        """
        from pyspark.errors import AnalysisException, ParseException

        try:
            return self.session.sql(to_spark(sql))
        except TranslationError as error:
            raise EngineError(code, str(error)) from error
        except (AnalysisException, ParseException) as error:
            raise EngineError(code, first_line(error)) from error

    def rows(self, code: str, frame: DataFrame) -> list[Row]:
        """Run a query and return its rows.

        Raises:
            EngineError: A value makes it fail.
        """
        from py4j.protocol import Py4JJavaError
        from pyspark.errors import PySparkException

        try:
            return [tuple(row) for row in frame.collect()]
        except (PySparkException, Py4JJavaError) as error:
            raise EngineError(code, first_line(error)) from error


def own_session(session: SparkSession, settings: Mapping[str, str]) -> SparkSession:
    """Return a session with settings and views of its own, on the same executors."""
    own = session.newSession()
    for name, value in {**SETTINGS, **settings}.items():
        own.conf.set(name, value)
    return own


def each_at_once(session: SparkSession, run: Callable[[Item], Result], items: Iterable[Item]) -> list[Result]:
    """Call a function for several items at the same time, and return the results in their order."""
    from pyspark import inheritable_thread_target

    return list(in_order(inheritable_thread_target(session)(run), list(items), JOBS_AT_ONCE, "urlset-spark"))
