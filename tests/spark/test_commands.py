"""`--engine spark` of the commands: the same output and exit codes, and options that do not go together."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import urlset
from urlset.cli.main import main
from urlset.errors import ExitCode

from .test_reading import sitemap


def ended(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    capsys.readouterr()
    code = main(list(arguments))
    shown = capsys.readouterr()
    return int(code), shown.out, shown.err


@pytest.fixture
def site(tmp_path: Path) -> Path:
    (tmp_path / "a.xml").write_bytes(sitemap("https://example.com/", "ftp://example.com/"))
    (tmp_path / "b.xml").write_bytes(sitemap("https://example.com/"))
    return tmp_path


def test_validate(spark: Any, site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    on_spark = ("validate", "--engine", "spark", "--select", "LOC,DUP")
    code, text, _ = ended(capsys, *on_spark, f"{site}/*.xml")
    expected = ended(capsys, "validate", "--select", "LOC,DUP", f"{site}/a.xml", f"{site}/b.xml")
    assert (code, text) == (ExitCode.FINDINGS, expected[1])
    _, made, _ = ended(capsys, *on_spark, "--format", "json", "--run-folder", f"{site}/run", f"{site}/*.xml")
    assert {one["code"] for one in json.loads(made)["findings"]} == {"LOC002", "DUP003"}
    assert urlset.query("SELECT count(*) FROM urls", site / "run").rows == [(3,)]
    assert ended(capsys, *on_spark, f"{site}/run")[:2] == (code, text)
    assert ended(capsys, *on_spark, "--fail-on", "never", f"{site}/b.xml")[0] == ExitCode.CLEAN
    code, _, errors = ended(capsys, *on_spark, "--fail-on", "never", f"{site}/b.xml", f"{site}/c.xml")
    assert code == ExitCode.UNREADABLE
    assert f"{site}/c.xml: no such file, or nothing matches" in errors


def test_build(spark: Any, site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spark.createDataFrame([("https://example.com/",), ("mailto:a",)], "loc string").write.parquet(f"{site}/data")
    code, text, _ = ended(
        capsys, "build", "--engine", "spark", f"{site}/data", "--base-url", "https://example.com/", "-o", f"{site}/out"
    )
    assert code == ExitCode.CLEAN
    assert "url-invalid" in text
    assert (site / "out" / "sitemap.xml").is_file()


MISUSED = {
    "a master without the engine": (("validate", "--master", "local", "a.xml"), "--master requires --engine spark"),
    "a folder without the engine": (("validate", "--run-folder", "a", "b"), "--run-folder requires --engine spark"),
    "an HTML report": (("validate", "--engine", "spark", "--report", "a.html", "b"), "--report is not available with"),
    "a search": (("validate", "--engine", "spark", "--discover", "a"), "discover is not available on Spark"),
    "no source": (("build", "--engine", "spark", "--base-url", "https://a.com", "-o", "b"), "no source; name Parquet"),
    "another engine": (("validate", "--engine", "flink", "a"), "flink"),
}


@pytest.mark.parametrize("name", MISUSED)
def test_what_does_not_go_together(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments, reason = MISUSED[name]
    code, _, errors = ended(capsys, *arguments)
    assert code == ExitCode.USAGE
    assert reason in errors
