"""Killed at any moment, a build on Spark leaves a set whose index names no part that is missing."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.build.judging import BASE, complaints

import urlset

# A driver of its own on the Spark of the tests, since starting another one takes longer than a build. Its tasks outlive
# it, as they may on a cluster.
DRIVER = """
import os
import sys
from pyspark import SparkConf, SparkContext
from pyspark.java_gateway import launch_gateway
from pyspark.sql import SparkSession
import urlset.spark

gateway = launch_gateway()
context = gateway.jvm.org.apache.spark.SparkContext.getOrCreate()
context = gateway.jvm.org.apache.spark.api.java.JavaSparkContext.fromSparkContext(context)
spark = SparkSession(SparkContext(gateway=gateway, jsc=context, conf=SparkConf(_jconf=context.getConf())))
# Where the executors find an object store.
spark.sparkContext.environment.update({name: os.environ[name] for name in os.environ if name.startswith("AWS_")})
print("ready", flush=True)
out, number = sys.argv[1], int(sys.argv[2])
while True:
    urls = [(f"https://example.com/{number if n % 3 == 0 else 'same'}/{n}",) for n in range(60 + number % 5 * 25)]
    entries = spark.createDataFrame(urls, "loc string").repartition(2)
    urlset.spark.write(entries, "https://example.com/", out, max_entries=25, allow_shrink=True, pretty=number % 2 == 0)
    print("built", flush=True)
    number += 1
"""

EXPECTED = {"DUP002", "DUP003"}
"""Between two renames, a URL that goes from one part to another is in both."""


@contextmanager
def driver(spark: Any, out: Path | str, number: int) -> Iterator[Any]:
    """Runs a process that builds a different set each time, until it is killed."""
    gateway = spark.sparkContext._gateway
    connection = {
        "PYSPARK_GATEWAY_PORT": str(gateway.java_parameters.port),
        "PYSPARK_GATEWAY_SECRET": gateway.java_parameters.auth_token,
    }
    command = [sys.executable, "-c", DRIVER, str(out), str(number)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, **connection}) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        yield process
        process.kill()


def seconds_of_builds(process: Any) -> float:
    """Measures the second build of a driver, when everything is loaded."""
    assert process.stdout.readline() == "built\n"
    began = time.perf_counter()
    assert process.stdout.readline() == "built\n"
    return time.perf_counter() - began


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
def test_a_build_killed_at_any_moment(spark: Any, tmp_path: Path, amount: Callable[[str], int]) -> None:
    kills = amount("kills of a build on Spark")
    rng = random.Random(7)
    one_build = 0.0
    seen = set()
    for kill in range(kills):
        with driver(spark, tmp_path, kill * 3) as process:
            one_build = one_build or seconds_of_builds(process)
            time.sleep(rng.uniform(0.0, 2 * one_build))
        seen.add(judged(tmp_path))
    assert len(seen) > kills // 4, "the kills came too early to change anything"
    assert {code for code, _ in complaints(tmp_path)} <= EXPECTED
    rest = urlset.write([BASE], BASE, tmp_path, allow_shrink=True)
    assert rest.written == 1
    assert not [path.name for path in (tmp_path / ".urlset-build").iterdir() if path.is_dir()]


def judged(out: Path | str) -> tuple[int, ...]:
    """Sees to it that every part that the index names is there and whole; gives the hash of what is there."""
    index = urlset.read(f"{out}/sitemap.xml")
    names = [str(loc).removeprefix(BASE) for loc in index.children.column("loc")]
    assert names
    documents = [urlset.read(f"{out}/{name}") for name in names]
    assert all(document.facts["complete"] and len(document) for document in documents)
    return tuple(hash(document.facts["sha256"]) for document in documents)
