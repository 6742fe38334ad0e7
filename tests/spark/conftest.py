"""One Spark for all tests of the engine on Spark, in a single worker."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from urlset.cluster.spark_session import java_problem

FOR_LITTLE: Mapping[str, bool | float | int | str | None] = {
    # Compiling takes longer than running what is not compiled.
    # A code cache that is full ends all compiling, and is small with this compiler alone.
    # The classes of Spark need no check: it takes an eighth of the start.
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:ReservedCodeCacheSize=256m "
    "-XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote",
    # Each sort, join, and group takes a page at least, by default of 32 MiB here.
    "spark.buffer.pageSize": "512k",
    # Every statement writes its plan for the UI.
    "spark.sql.ui.explainMode": "simple",
    "spark.sql.ui.retainedExecutions": "1",
    "spark.ui.retainedJobs": "1",
    "spark.ui.retainedStages": "1",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.adaptive.enabled": "false",
    "spark.shuffle.compress": "false",
}
"""Settings for the small amounts of data of the suite."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Accepts what pyspark warns of."""
    for item in items:
        if item.nodeid.startswith("tests/spark/"):
            # pyspark warns of the version of pandas, which urlset does not use.
            item.add_marker(pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas"))
            item.add_marker(pytest.mark.filterwarnings("ignore::ResourceWarning"))


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    """A Spark on this machine with two executors' worth of threads, which binds to the loopback network only."""
    problem = java_problem()
    if problem is not None:
        pytest.fail(f"{problem}; the tests of the engine on Spark need it", pytrace=False)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pyspark.sql import SparkSession

        made = (
            SparkSession.builder.master("local[2]")
            .config(map=dict(FOR_LITTLE))
            .appName("urlset-tests")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.driver.memory", "2g")
            .config("spark.log.level", "ERROR")
            .config("spark.sql.shuffle.partitions", "2")
            .config("spark.ui.enabled", "false")
            .config("spark.ui.showConsoleProgress", "false")
            .getOrCreate()
        )
    yield made
    made.stop()
