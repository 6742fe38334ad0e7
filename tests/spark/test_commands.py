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


def test_validate_and_its_html_report(spark: Any, site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page, run = site / "page.html", site / "run"
    on_spark = ("validate", "--engine", "spark", "--report", str(page))
    select = ("--select", "LOC002,DUP003")
    complete = "The complete data is in <code>run</code>; query it with <code>urlset sql</code>"
    code, text, _ = ended(capsys, *on_spark, *select, "--run-folder", str(run), f"{site}/[ab].xml", f"{site}/c.xml")
    expected = ended(capsys, "validate", *select, f"{site}/a.xml", f"{site}/b.xml", f"{site}/c.xml")
    # A name may be a glob on Spark.
    reason = "no such file, or nothing matches"
    assert (code, text) == (ExitCode.UNREADABLE, expected[1].replace("no such file", reason))
    assert f"{site}/c.xml: {reason}" in text
    assert urlset.query("SELECT count(*) FROM urls", run).rows == [(3,)]
    shown = page.read_text(encoding="utf-8")
    assert "LOC002" in shown
    assert "ftp://example.com/" in shown
    assert f"{site}/b.xml" in shown
    assert complete in shown

    code, text, _ = ended(capsys, *on_spark, "--select", "DUP003", "--format", "json", "--fail-on", "never", str(run))
    assert code == ExitCode.CLEAN
    assert {one["code"] for one in json.loads(text)["findings"]} == {"DUP003"}
    shown = page.read_text(encoding="utf-8")
    assert "DUP003" in shown
    assert "LOC002" not in shown
    assert complete in shown


UNREPORTED = {
    "a run elsewhere": (
        ("validate", "--run-folder", "s3a://bucket/run", "a.xml"),
        "--report reads the run on this machine, which cannot open s3a://bucket/run; name a local or mounted",
    ),
    "pages that the run does not keep": (
        ("audit", "run", "--pages-from", "pages"),
        "--report shows the pages of a run, and a run that was read before does not keep those of --pages-from",
    ),
}


@pytest.mark.parametrize("name", UNREPORTED)
def test_what_cannot_be_reported(
    spark: Any, name: str, site: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(site)
    (site / "run" / "documents").mkdir(parents=True)
    (site / "run" / "documents" / "part-0.parquet").touch()
    (command, *arguments), reason = UNREPORTED[name]
    code, _, errors = ended(capsys, command, "--engine", "spark", "--report", "page.html", *arguments)
    assert code == ExitCode.USAGE
    assert reason in errors
    assert not (site / "page.html").exists()


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
    "a search": (("validate", "--engine", "spark", "--discover", "a"), "discover is not available on Spark"),
    "pages without the engine": (("audit", "a.xml", "--pages-from", "b"), "--pages-from requires --engine spark"),
    "a sample": (("audit", "--engine", "spark", "--sample", "5", "a"), "--sample is not available with --engine spark"),
    "a store": (("audit", "--engine", "spark", "--store", "a.db", "a"), "--store is not available with --engine spark"),
    "no source": (("build", "--engine", "spark", "--base-url", "https://a.com", "-o", "b"), "no source; name Parquet"),
    "another engine": (("validate", "--engine", "flink", "a"), "flink"),
}


@pytest.mark.parametrize("name", MISUSED)
def test_what_does_not_go_together(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments, reason = MISUSED[name]
    code, _, errors = ended(capsys, *arguments)
    assert code == ExitCode.USAGE
    assert reason in errors
