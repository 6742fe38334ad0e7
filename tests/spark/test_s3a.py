"""Sources on `s3a:`, through Hadoop's own client. Needs hadoop-aws, which is 670 MB with the SDK of AWS.

To run it, set URLSET_HADOOP_AWS to a folder with hadoop-aws of the version of Hadoop that pyspark has, and with the
packages that it depends on; see docs/how-to/scale.md.
"""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import fsspec
import pytest
from tests.objects import store as server
from tests.objects.conftest import ENVIRONMENT

from .test_reading import sitemap

JARS = os.environ.get("URLSET_HADOOP_AWS", "")
pytestmark = pytest.mark.skipif(not JARS, reason="URLSET_HADOOP_AWS names no folder with hadoop-aws")

HOME = f"s3a://{server.BUCKET}"
EXPECTED = {
    f"{HOME}/a/*.xml.gz": (1, f"{HOME}/a/1.xml.gz:1:"),
    f"{HOME}/a/": (1, f"{HOME}/a/1.xml.gz:1:"),
    f"{HOME}/none/*.xml": (3, "no such file, or nothing matches"),
    f"{HOME}/none.xml": (3, "no such file, or nothing matches"),
    f"{HOME}/refused/*.xml": (3, "access denied; check the credentials of Spark for it"),
    f"{HOME}/refused/a.xml": (3, "access denied; check the credentials of Spark for it"),
    "s3a://no-such-bucket/*.xml": (3, "no such bucket"),
}
COMMANDS = """
import sys
from urlset.cli.main import main
from urlset.cluster.spark_session import session

with session("local[2]"):
    for target in sys.argv[1:]:
        code = main(["validate", "--engine", "spark", "--select", "LOC", "--format", "concise", target])
        print(f"exit {int(code)}", flush=True)
"""


@pytest.fixture
def settings(tmp_path: Path) -> Iterator[dict[str, str]]:
    """The environment of a Spark with hadoop-aws, and with an object store that has two sitemaps."""
    with server.serving() as running, pytest.MonkeyPatch.context() as patch:
        for name, value in (ENVIRONMENT | {"AWS_ENDPOINT_URL": running.address}).items():
            patch.setenv(name, value)
        system = fsspec.filesystem("s3")
        system.mkdir(server.BUCKET)
        for number, loc in enumerate(("https://example.com/", "ftp://example.com/")):
            system.pipe_file(f"{server.BUCKET}/a/{number}.xml.gz", gzip.compress(sitemap(loc)))
        lines = {
            "spark.driver.extraClassPath": f"{JARS}/*",
            "spark.hadoop.fs.s3a.endpoint": running.address,
            "spark.hadoop.fs.s3a.endpoint.region": "us-east-1",
            "spark.hadoop.fs.s3a.path.style.access": "true",
        }
        written = "".join(f"{name} {value}\n" for name, value in lines.items())
        (tmp_path / "spark-defaults.conf").write_text(written, encoding="utf-8")
        yield {**os.environ, "SPARK_CONF_DIR": str(tmp_path), "PYTHONUTF8": "1"}


def test_sources_and_what_they_refuse(settings: dict[str, str]) -> None:
    command = [sys.executable, "-c", COMMANDS, *EXPECTED]
    done = subprocess.run(
        command, env=settings, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    # What Spark logs at its start comes before the first target.
    shown = done.stdout.split("\nexit ")
    assert len(shown) == len(EXPECTED) + 1, done.stdout
    for (target, (code, text)), before, after in zip(EXPECTED.items(), shown[:-1], shown[1:], strict=True):
        assert text in before, target
        assert after.startswith(str(code)), target
