"""Starts Spark, and reports what is missing for it: Java, pyspark, a supported version, or urlset on the executors."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import warnings
from contextlib import contextmanager
from importlib import import_module, metadata
from pathlib import Path
from typing import TYPE_CHECKING

from urlset import _core
from urlset.engine.spark.failures import first_line
from urlset.errors import InputError, UsageError, requiring_extra
from urlset.processes.children import SAFE_PATH

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import SparkSession

SUPPORTED = 4
"""The supported major version of Spark."""

LOCAL_MASTER = "local[*]"

JAVA_ENDED = (
    "the Java process of Spark ended; if it ran out of memory, raise spark.driver.memory, for example to 4g with "
    "PYSPARK_SUBMIT_ARGS='--driver-memory 4g pyspark-shell'"
)

_PACKAGES = ("pyspark", "pyarrow", "sqlglot")


def check_packages() -> None:
    """Check that the packages of the extra are installed.

    Raises:
        MissingExtraError: One is missing.
        UsageError: pyspark has another major version.
    """
    with requiring_extra("spark", "Spark requires"):
        for name in _PACKAGES:
            import_module(name)
    check_version(metadata.version("pyspark"))


def check_version(version: str) -> None:
    """Check the version of Spark.

    Raises:
        UsageError: It is not supported.
    """
    if version.partition(".")[0] != str(SUPPORTED):
        raise UsageError(f"Spark {version} is not supported; install pyspark {SUPPORTED}")


@contextmanager
def session(master: str | None) -> Iterator[SparkSession]:
    """Yield the session of this process, such as of spark-submit, or a new session that is stopped at the end.

    Args:
        master: The cluster, as Spark spells it; None for that of spark-submit, or this machine.

    Raises:
        MissingExtraError: A package is missing.
        UsageError: Java is missing, or Spark has another version.
        InputError: Spark cannot be started, or its Java process ended.
    """
    check_packages()
    # Of the version of pandas, which urlset does not use.
    warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
    from py4j.protocol import Py4JError
    from pyspark.sql import SparkSession

    active = SparkSession.getActiveSession()
    if active is not None:
        active.sparkContext.environment.update(SAFE_PATH)
        yield active
        return
    started = _start(master)
    # Of its Python processes, wherever they run.
    started.sparkContext.environment.update(SAFE_PATH)
    java = getattr(started.sparkContext._gateway, "proc", None)
    try:
        yield started
    except (Py4JError, OSError, EOFError) as error:
        # pyspark reports the end of Java in many ways, such as a refused connection.
        if not _has_ended(java):
            raise
        raise InputError(master or LOCAL_MASTER, JAVA_ENDED) from error
    finally:
        if java is None or java.poll() is None:
            started.stop()


def _has_ended(java: subprocess.Popen[bytes] | None) -> bool:
    """Return whether Java has ended; its connections are closed a little earlier."""
    if java is None:
        return False
    try:
        java.wait(timeout=1)
    except subprocess.TimeoutExpired:
        return False
    return True


def _start(master: str | None) -> SparkSession:
    from pyspark.errors import PySparkRuntimeError
    from pyspark.sql import SparkSession

    if (problem := java_problem()) is not None:
        raise UsageError(problem)
    os.environ.update(SAFE_PATH)
    # Otherwise the executors on this machine would use the first python3 in PATH.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.appName("urlset").config("spark.ui.showConsoleProgress", "false")
    if master is None and not {"MASTER", "PYSPARK_GATEWAY_PORT"} & os.environ.keys():
        master = LOCAL_MASTER
    if master is not None:
        builder = builder.master(master)
    if master is not None and master.startswith("local"):
        # Nothing outside this machine takes part.
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
        builder = builder.config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1")
        builder = builder.config("spark.ui.enabled", "false")
    try:
        session = builder.getOrCreate()
    except PySparkRuntimeError as error:
        raise InputError(master or LOCAL_MASTER, f"Spark cannot be started: {first_line(error)}") from None
    session.sparkContext.setLogLevel("ERROR")
    return session


def java_problem() -> str | None:
    """Return why Java cannot be started; None if it can."""
    home = os.environ.get("JAVA_HOME")
    if "PYSPARK_GATEWAY_PORT" in os.environ:
        return None  # spark-submit started Java already.
    if home is not None:
        if (Path(home) / "bin" / "java").exists():
            return None
        return f"JAVA_HOME is {home}, which has no bin/java; set it to the folder of a Java 17 or later"
    if shutil.which("java") is None:
        return "Java is not installed; Spark needs Java 17 or later, in PATH or in JAVA_HOME"
    return None


def check_executors(spark: SparkSession) -> None:
    """Check that the executors have the same urlset as the driver.

    Raises:
        UsageError: They have none, or another version.
    """
    from pyspark.errors import PythonException

    wanted = _core.__version__
    try:
        rows = spark.range(1).mapInArrow(_installed_version, "version string").collect()
    except PythonException as error:
        if "ModuleNotFoundError" in str(error) or "ImportError" in str(error):
            raise UsageError(
                f"the executors have no urlset {wanted}; install urlset[spark] on them, or ship an environment with "
                "`--archives`; see docs/how-to/scale.md"
            ) from None
        if "PYTHON_VERSION_MISMATCH" in str(error):
            raise UsageError(
                "the executors have another version of Python than the driver; set PYSPARK_PYTHON to the same one"
            ) from None
        raise
    for (version,) in rows:
        if version != wanted:
            raise UsageError(
                f"the executors have urlset {version}, the driver {wanted}; install the same version on both"
            )


def _installed_version(batches: Iterator[object]) -> Iterator[object]:
    import pyarrow as pa

    from urlset import _core

    for _ in batches:
        yield pa.RecordBatch.from_pydict({"version": [_core.__version__]})


def check_classic(spark: SparkSession) -> None:
    """Check that urlset supports a session.

    Raises:
        UsageError: It has another version, or is a Spark Connect session.
    """
    check_version(spark.version)
    if not hasattr(spark, "sparkContext") or type(spark).__module__.startswith("pyspark.sql.connect"):
        raise UsageError("Spark Connect is not supported; use a classic session, such as with spark-submit")
