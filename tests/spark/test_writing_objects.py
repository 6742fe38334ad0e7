"""Writing sets on Spark to an object store: the same files as to a directory, and no index of missing parts."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fsspec
import pytest
from tests.objects import store as server
from tests.objects.conftest import ENVIRONMENT

import urlset
import urlset.spark
from urlset.build.remote import Remote
from urlset.errors import OutputError, UsageError

from .test_kill import driver, judged, seconds_of_builds
from .test_writing import BASE, entries, files, publish

OUT = f"s3://{server.BUCKET}/site"
STATE = f"{server.BUCKET}/site/.urlset-build"
KILLS = 2


@pytest.fixture(scope="module")
def running(spark: Any) -> Iterator[server.ObjectStore]:
    """An object store, which the driver and the executors find in their environment."""
    before = dict(spark.sparkContext.environment)
    with server.serving() as running, pytest.MonkeyPatch.context() as patch:
        environment = ENVIRONMENT | {"AWS_ENDPOINT_URL": running.address}
        for name, value in environment.items():
            patch.setenv(name, value)
        spark.sparkContext.environment.update(environment)
        # The stores of one process share their objects.
        fsspec.filesystem("s3").makedirs(server.BUCKET, exist_ok=True)
        yield running
    spark.sparkContext.environment.clear()
    spark.sparkContext.environment.update(before)


@pytest.fixture
def objects(running: server.ObjectStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setenv("URLSET_CACHE_DIR", str(tmp_path / "cache"))
    system = fsspec.filesystem("s3", use_listings_cache=False)
    running.requests.clear()
    yield system
    if system.exists(OUT):
        system.rm(OUT, recursive=True)


def published(system: Any) -> dict[str, bytes]:
    return {path.rpartition("/")[2]: system.cat_file(path) for path in system.glob(f"{OUT}/*.xml*")}


@pytest.mark.long("slow cases on Spark")
def test_the_same_files_as_in_a_directory(
    spark: Any, objects: Any, running: server.ObjectStore, tmp_path: Path
) -> None:
    given: dict[str, Any] = {"max_entries": 100, "gzip": "parts"}
    local = urlset.spark.write(entries(spark, 250, 2), BASE, str(tmp_path), **given)
    assert urlset.spark.write(entries(spark, 250, 3), BASE, OUT, **given) == local
    # The store copies the parts, which nobody reads, and the index comes last. Nothing else stays.
    assert not [body for body in running.bodies if body.endswith(".gz") or "parts" in body]
    puts = [one.split()[1] for one in running.requests if one.startswith("PUT") and "?" not in one]
    home = f"/{server.BUCKET}/site"
    assert [one for one in puts if one.endswith((".xml", ".gz"))] == [
        *(f"{home}/sitemap-{number}.xml.gz" for number in (1, 2, 3)),
        f"{home}/sitemap.xml",
    ]
    assert [path.rpartition("/")[2] for path in objects.find(STATE)] == ["sitemap.json"]
    assert published(objects) == files(tmp_path)
    assert len(published(objects)) == 4
    # Only what changed is published.
    running.requests.clear()
    again = urlset.spark.write(entries(spark, 250, 1), BASE, OUT, **given)
    assert not any(file.changed for file in again.files)
    assert not [one for one in running.requests if one.startswith("PUT") and one.endswith((".xml", ".gz"))]
    # `urlset.write` finds the manifest.
    one = urlset.write([f"{BASE}p/{n:05}" for n in range(200)], BASE, OUT)
    assert (one.before, sorted(one.removed)) == (250, [f"sitemap-{number}.xml.gz" for number in (1, 2, 3)])


@pytest.mark.long("slow cases on Spark")
def test_a_set_without_entries(spark: Any, objects: Any) -> None:
    nothing = spark.createDataFrame([], "loc string")
    assert [file.entries for file in urlset.spark.write(nothing, BASE, OUT).files] == [0]
    assert published(objects).keys() == {"sitemap.xml"}


@pytest.mark.long("slow cases on Spark")
def test_a_task_that_fails_publishes_nothing(spark: Any, objects: Any) -> None:
    publish(OUT)
    kept = published(objects)
    frame = entries(spark, 40, 2).selectExpr("loc", "assert_true(loc NOT LIKE '%39') AS lastmod")
    with pytest.raises(OutputError, match="the entries cannot be written"):
        urlset.spark.write(frame, BASE, OUT)
    assert published(objects) == kept
    assert [path.rpartition("/")[2] for path in objects.find(STATE)] == ["sitemap.json"]


@pytest.mark.long("slow cases on Spark")
def test_a_store_that_refuses(spark: Any, objects: Any) -> None:
    with pytest.raises(OutputError, match=r"s3://sitemaps/refused/: cannot be written: access denied"):
        urlset.spark.write(entries(spark, 3, 1), BASE, f"s3://{server.BUCKET}/refused/")


def test_a_lock_that_is_lost_while_executors_write(spark: Any, objects: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("urlset.build.remote.PUT_OFF", 0.05)

    def write_late(target: Remote) -> None:
        with target.keep_locked():
            objects.rm_file(f"{STATE}/sitemap.lock.json")
            time.sleep(0.5)

    target = Remote(OUT, "sitemap")
    target.open()
    with pytest.raises(OutputError, match="another build took over the lock"):
        write_late(target)
    target.close()


@pytest.mark.parametrize("out", ["-", "memory://bucket/site", "sftp://host/site"])
def test_places_that_executors_do_not_share(spark: Any, out: str) -> None:
    with pytest.raises(UsageError, match="is written to a directory that all executors reach, or to an object store"):
        urlset.spark.write(entries(spark, 1, 1), BASE, out)


@pytest.mark.long("kills of a build on Spark")
@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
def test_a_build_killed_at_any_moment(spark: Any, objects: Any) -> None:
    rng = random.Random(7)
    one_build = 0.0
    for kill in range(KILLS):
        with driver(spark, OUT, kill * 3) as process:
            one_build = one_build or seconds_of_builds(process)
            time.sleep(rng.uniform(0.2, 1.2) * one_build)
        judged(OUT)
    assert urlset.spark.write(entries(spark, 30, 2), BASE, OUT, allow_shrink=True).written == 30
    assert [path.rpartition("/")[2] for path in objects.find(STATE)] == ["sitemap.json"]
