"""What is missing for Spark is named, with what to do: packages, Java, a supported version, urlset on the executors."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

import urlset.spark
from urlset.cluster import spark_session
from urlset.engine.spark.failures import OUT_OF_MEMORY, first_line
from urlset.errors import MissingExtraError, UsageError


@pytest.fixture
def no_gateway(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYSPARK_GATEWAY_PORT", raising=False)


@pytest.mark.parametrize("package", ["pyspark", "pyarrow", "sqlglot"])
def test_a_missing_package(monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    expected = r"^Spark requires an extra: pip install 'urlset\[spark\]'$"
    for function in (urlset.spark.read, urlset.spark.validate, urlset.spark.write):
        with pytest.raises(MissingExtraError, match=expected):
            cast("Any", function)(None, "a.xml", "out")


def test_another_version_of_spark() -> None:
    spark_session.check_version("4.0.1")
    for version in ("3.5.1", "5.0.0"):
        with pytest.raises(UsageError, match=f"Spark {version} is not supported; install pyspark 4"):
            spark_session.check_version(version)


def test_no_java(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, no_gateway: None) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert (
        spark_session.java_problem() == "Java is not installed; Spark needs Java 17 or later, in PATH or in JAVA_HOME"
    )


def test_a_java_home_without_java(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, no_gateway: None) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert spark_session.java_problem() == (
        f"JAVA_HOME is {tmp_path}, which has no bin/java; set it to the folder of a Java 17 or later"
    )
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "java").touch()
    assert spark_session.java_problem() is None


def test_spark_submit_started_java_already(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PYSPARK_GATEWAY_PORT", "1")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert spark_session.java_problem() is None


def test_spark_connect_is_refused() -> None:
    with pytest.raises(UsageError, match="Spark Connect is not supported"):
        spark_session.check_classic(SimpleNamespace(version="4.3.0"))  # type: ignore[arg-type]


class FakeExecutors:
    """A session whose executors answer with a version, or fail."""

    def __init__(self, answer: str | Exception) -> None:
        self.answer = answer

    def range(self, _: int) -> FakeExecutors:
        return self

    def mapInArrow(self, *_: object) -> FakeExecutors:  # noqa: N802 (the name of Spark)
        return self

    def collect(self) -> list[tuple[str]]:
        if isinstance(self.answer, Exception):
            raise self.answer
        return [(self.answer,)]


def test_executors_with_another_urlset() -> None:
    with pytest.raises(UsageError, match=r"the executors have urlset 0\.0\.9, the driver"):
        spark_session.check_executors(FakeExecutors("0.0.9"))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ModuleNotFoundError: No module named 'urlset'", "the executors have no urlset"),
        ("[PYTHON_VERSION_MISMATCH] Python 3.11 and 3.12", "another version of Python"),
    ],
)
def test_executors_that_cannot_run_urlset(text: str, expected: str) -> None:
    from pyspark.errors import PythonException

    with pytest.raises(UsageError, match=expected):
        spark_session.check_executors(FakeExecutors(PythonException(text)))  # type: ignore[arg-type]


ERRORS = [
    ("[TABLE_NOT_FOUND] no such table\n== SQL ==\nSELECT 1", "[TABLE_NOT_FOUND] no such table"),
    (
        'An exception was thrown:\nTraceback (most recent call last):\n  File "a.py", line 1\nValueError: no\n',
        "ValueError: no",
    ),
    ("", "RuntimeError"),
]


@pytest.mark.parametrize(("text", "expected"), ERRORS)
def test_the_message_of_an_error(text: str, expected: str) -> None:
    assert first_line(RuntimeError(text)) == expected


def test_the_message_of_an_error_of_java(spark: Any) -> None:
    from py4j.protocol import Py4JJavaError

    jvm = spark._jvm
    for cause, expected in (
        (jvm.java.lang.OutOfMemoryError("Java heap space"), OUT_OF_MEMORY),
        (jvm.java.io.IOException("disk full\nmore"), "disk full"),
        (jvm.java.io.IOException(), "IOException"),
    ):
        wrapped = jvm.java.lang.RuntimeException("Job aborted", cause)
        assert first_line(Py4JJavaError("An error occurred", wrapped)) == expected


def test_the_package_is_imported_without_spark() -> None:
    code = "import urlset, urlset.spark, sys; print({'pyspark', 'py4j', 'sqlglot', 'pyarrow'} & sys.modules.keys())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


@pytest.mark.long("slow cases on Spark")
@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
def test_java_that_ends(no_gateway: None) -> None:
    """As it does without memory, and when the system kills it."""
    code = """
import os, signal
from urlset.cluster.spark_session import session
with session("local[1]") as spark:
    os.kill(spark.sparkContext._gateway.proc.pid, signal.SIGKILL)
    spark.range(1).collect()
"""
    # What lives for a few statements is neither compiled well nor checked.
    flags = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote"
    environment = {**os.environ, "JDK_JAVA_OPTIONS": flags}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment)
    assert done.stderr.splitlines()[-1].startswith(
        "urlset.errors.InputError: local[1]: the Java process of Spark ended; if it ran out of memory, raise "
        "spark.driver.memory"
    )


def test_a_session_of_this_process_is_used(spark: Any) -> None:
    with spark_session.session("local[7]") as found:
        assert found.sparkContext.master == spark.sparkContext.master
    assert spark.range(1).count() == 1


def test_executors_import_nothing_from_the_current_directory(spark: Any) -> None:
    def search_path(batches: Any) -> Any:
        import pyarrow as pa

        for _ in batches:
            found = f"{os.environ.get('PYTHONSAFEPATH')} {str(Path.cwd()) in sys.path}"
            yield pa.RecordBatch.from_pydict({"path": [found]})

    with spark_session.session(None) as running:
        rows = running.range(1, numPartitions=1).mapInArrow(search_path, "path string").collect()
    assert [row.path for row in rows] == ["1 False"]
