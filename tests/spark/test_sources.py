"""Files that only Spark can read, such as those of object stores, and what is said if it cannot."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import urlset
import urlset.spark
from urlset.cluster.document_list import MAX_BYTES
from urlset.cluster.hadoop_files import reason_of_java
from urlset.cluster.read_documents import NOT_READ_BY_SPARK, ClusterReader
from urlset.errors import InputError
from urlset.net.trust import Trust
from urlset.options import ReadOptions

from .test_reading import sitemap


@pytest.fixture
def bucket(spark: Any, tmp_path: Path) -> tuple[Path, str]:
    """A folder, and its address on a file system that executors cannot open without Spark."""
    folder = tmp_path / "bucket"
    folder.mkdir()
    name = f"b{tmp_path.name.encode().hex()[-16:]}"
    settings = spark.sparkContext._jsc.hadoopConfiguration()
    settings.set(f"fs.viewfs.mounttable.{name}.link./data", f"file://{folder}")
    return folder, f"viewfs://{name}/data"


@pytest.mark.long("slow cases on Spark")
def test_names_with_the_characters_of_patterns(spark: Any, bucket: tuple[Path, str], tmp_path: Path) -> None:
    folder, address = bucket
    names = ["a[1].xml", "b c%20ä.xml", "c{x,y}.xml", "d.xml"]
    for name in names:
        (folder / name).write_bytes(sitemap(f"https://example.com/{name[0]}"))
    found = urlset.spark.read(spark, f"{address}/*.xml", str(tmp_path / "run"))
    assert (found.documents, found.urls, found.unreadable) == (4, 4, ())
    rows = urlset.query("SELECT url, site_path FROM documents ORDER BY url", tmp_path / "run").rows
    assert rows == [(f"{address}/{name}", f"/{name}") for name in names]


def test_a_file_that_spark_cannot_read_is_a_row(spark: Any, bucket: tuple[Path, str], tmp_path: Path) -> None:
    folder, address = bucket
    (folder / "a.xml").write_bytes(sitemap("https://example.com/"))
    (folder / "b.xml").write_bytes(sitemap(*(f"https://example.com/{n}" for n in range(50))))
    reader = ClusterReader(spark, f"{address}/*", str(tmp_path / "run"), ReadOptions(), Trust())
    reader._session.conf.set(MAX_BYTES, "1000")
    reader.read_sources()
    run = reader.complete()
    assert [(one.target, one.reason) for one in run.unreadable] == [(f"{address}/b.xml", NOT_READ_BY_SPARK)]


def test_a_file_that_is_gone(spark: Any, bucket: tuple[Path, str], tmp_path: Path) -> None:
    folder, address = bucket
    (folder / "a.xml").write_bytes(sitemap("https://example.com/"))
    reader = ClusterReader(spark, f"{address}/*", str(tmp_path / "run"), ReadOptions(), Trust())
    (folder / "a.xml").unlink()
    with pytest.raises(InputError, match=r"1 file: cannot be read: \[PATH_NOT_FOUND\]"):
        reader.read_sources()


def test_a_glob_that_matches_nothing(spark: Any, bucket: tuple[Path, str], tmp_path: Path) -> None:
    _, address = bucket
    with pytest.raises(InputError, match=r"viewfs://.*/none\*: no such file, or nothing matches"):
        urlset.spark.read(spark, f"{address}/none*", str(tmp_path / "run"))


CAUSES = {
    "java.nio.file.AccessDeniedException": "access denied; check the credentials of Spark for it",
    "org.apache.hadoop.security.AccessControlException": "access denied; check the credentials of Spark for it",
    "java.net.UnknownHostException": "its host was not found",
    "org.apache.hadoop.fs.UnsupportedFileSystemException": "Spark has no file system for this scheme; add its package",
    "java.io.FileNotFoundException": "cannot be listed: s3a://bucket/a",
}


@pytest.mark.parametrize("name", CAUSES)
def test_why_a_bucket_cannot_be_listed(spark: Any, name: str) -> None:
    jvm = spark._jvm
    cause = getattr(jvm, name)("s3a://bucket/a")
    for exception in (cause, jvm.java.io.IOException("getFileStatus", cause)):
        assert reason_of_java(exception).startswith(CAUSES[name])
