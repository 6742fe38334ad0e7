"""`--output`: which form a file gets, and that it is published whole or not at all."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest
from msgspec.structs import replace

from urlset.cli.outputs import ENDINGS, NAMES, Destination, destinations, write_outputs
from urlset.engine.parquet import findings_as_parquet
from urlset.errors import OutputError, UsageError
from urlset.files.publish import publish
from urlset.model.finding import Example, Finding, as_rows
from urlset.model.report import Report
from urlset.options import FailOn
from urlset.report.style import Style
from urlset.rules import registry
from urlset.tables import FINDINGS


@pytest.fixture(name="report")
def report_fixture() -> Report:
    rule = registry.rule("LOC003")
    places = (
        Example(0, 3, 10, "https://example.com/é", "loc", "é", "loc is long"),
        Example(1, None, None, None, None, None, "caf\udce9 \x00"),
    )
    row = {"document_id": 0, "url": "caf\udce9.xml", "kind": "urlset", "entries": 2}
    return Report("0.1.0", [row], [Finding(rule, 0, 7, places)])


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(("ending", "form"), ENDINGS.items())
def test_an_ending_names_a_form(ending: str, form: str) -> None:
    assert destinations([f"a{ending}", f"B{ending.upper()}"]) == [
        Destination(form, Path(f"a{ending}")),
        Destination(form, Path(f"B{ending.upper()}")),
    ]


@pytest.mark.parametrize("form", NAMES)
def test_a_prefix_wins_over_the_ending(form: str) -> None:
    assert destinations([f"{form}:report.sarif"]) == [Destination(form, Path("report.sarif"))]


def test_a_path_with_a_colon_is_a_path() -> None:
    assert destinations([r"C:\report.sarif", "./json:x.csv"]) == [
        Destination("sarif", Path(r"C:\report.sarif")),
        Destination("csv", Path("json:x.csv")),
    ]


@pytest.mark.parametrize(
    ("written", "words"),
    [
        (["report"], "the extension does not show the format"),
        (["report.html"], "the extension does not show the format"),
        (["sariff:report.x"], "did you mean sarif:report.x?"),
        (["sarif:"], "no file name"),
        (["sarif:-"], "no file name"),
        (["-"], "no file name"),
        ([""], "no file name"),
        (["a.sarif", "json:./a.sarif"], "given twice"),
    ],
)
def test_misuse(written: list[str], words: str) -> None:
    with pytest.raises(UsageError, match=r"--output") as caught:
        destinations(written)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("written", "words"), [("nowhere/a.csv", "no such directory nowhere"), ("csv:folder", "is a directory")]
)
def test_a_hopeless_place_is_said_before_the_work(written: str, words: str) -> None:
    Path("folder").mkdir()
    with pytest.raises(OutputError, match=words):
        destinations([written])


def test_every_form_is_written(report: Report) -> None:
    files = [Destination(form, Path(f"{form}.out")) for form in NAMES]
    write_outputs(report, files, Style(fail_on=FailOn.NEVER))
    assert sorted(path.name for path in Path().iterdir()) == sorted(f"{form}.out" for form in NAMES)
    assert json.loads(Path("json.out").read_text(encoding="utf-8"))["findings"][0]["count"] == 7
    assert "<skipped" in Path("junit.out").read_text(encoding="utf-8")
    assert Path("csv.out").read_bytes().count(b"\r\n") == 3


def test_parquet_holds_the_rows_of_findings(report: Report, tmp_path: Path) -> None:
    import polars

    content = findings_as_parquet(report.findings, {0: report.document_url(0)})
    table = polars.read_parquet(content)
    assert tuple(table.columns) == FINDINGS.column_names
    assert [str(kind) for kind in table.dtypes] == ["String", "String", "Int32", "String", "Int64"] + ["Int32"] * 4 + [
        "String"
    ] * 6 + ["List(String)", "List(Int64)", "String"]
    rows = as_rows(report.findings, {0: report.document_url(0)})
    assert table.rows(named=True)[0] == {**rows[0], "document": "caf\\udce9.xml"}
    # Parquet holds Unicode, which a lone surrogate is not.
    assert table["message"].to_list() == ["loc is long", "caf\\udce9 \x00"]
    assert table.height == sum(len(finding.examples) for finding in report.findings)
    assert table["count"].to_list() == [7, 7]


def test_parquet_counts_findings_without_examples(report: Report) -> None:
    import polars

    bare = [replace(finding, examples=()) for finding in report.findings]
    table = polars.read_parquet(findings_as_parquet(bare, {0: "a.xml"}))
    (row,) = table.select("document", "count", "example", "message").rows()
    assert row == ("a.xml", 7, 0, report.findings[0].rule.message)


def test_parquet_without_rows_has_the_columns() -> None:
    import polars

    assert tuple(polars.read_parquet(findings_as_parquet([], {})).columns) == FINDINGS.column_names


def test_a_file_is_replaced_and_keeps_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")
    path.chmod(0o640)
    publish(path, b"new")
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [each.name for each in tmp_path.iterdir()] == ["a.txt"]


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    publish(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"


def test_a_file_name_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "caf\udce9.txt"
    publish(path, b"new")
    assert path.read_bytes() == b"new"


def test_a_device_is_written_to() -> None:
    publish(Path(os.devnull), b"new")
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)


def test_a_failure_leaves_the_old_file_and_nothing_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "a.txt"
    path.write_text("old")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OutputError, match=r"a\.txt: cannot be written: no space left on device"):
        publish(path, b"new")
    assert path.read_text() == "old"
    assert [each.name for each in tmp_path.iterdir()] == ["a.txt"]


def test_a_folder_is_not_written_to(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="is a directory"):
        publish(tmp_path, b"new")
