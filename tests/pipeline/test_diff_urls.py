"""`diff --urls`: every URL that differs, in each format."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import duckdb
import pytest

from urlset.cli.main import main
from urlset.errors import ExitCode

HEAD = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
SITE = "https://example.com"
COLUMNS = ["change", "url", "lastmod_before", "lastmod_after"]

ROWS = [
    ("removed", f"{SITE}/a", "2026-01-01", None),
    ("changed", f"{SITE}/b", "2026-01-01", "2026-01-02"),
    ("changed", f"{SITE}/c", None, "2026-01-02"),
    ("added", f"{SITE}/e,=f", None, None),
]


@pytest.fixture
def sides(tmp_path: Path) -> list[str]:
    listed = {
        "old.xml": {"a": "2026-01-01", "b": "2026-01-01", "c": "", "d": "2026-01-01"},
        "new.xml": {"b": "2026-01-02", "c": "2026-01-02", "d": "2026-01-01", "e,=f": ""},
    }
    for name, urls in listed.items():
        entries = (
            f"<url><loc>{SITE}/{path}</loc>{f'<lastmod>{date}</lastmod>' if date else ''}</url>"
            for path, date in urls.items()
        )
        (tmp_path / name).write_text(f"{HEAD}{''.join(entries)}</urlset>")
    return [str(tmp_path / name) for name in listed]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("selection", ["added", "removed", "changed", "all"])
def test_each_selection_in_each_format(
    sides: list[str], selection: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    expected = [row for row in ROWS if selection in ("all", row[0])]

    def output(*arguments: str) -> str:
        assert main(["diff", *sides, "--urls", selection, "--no-config", *arguments]) == ExitCode.CLEAN
        return capsys.readouterr().out

    signs = {"added": "+", "removed": "-", "changed": "~"}
    lines = output().splitlines()
    assert [line[: 2 + len(row[1])] for line, row in zip(lines, expected, strict=True)] == [
        f"{signs[row[0]]} {row[1]}" for row in expected
    ]
    assert [tuple(json.loads(line).values()) for line in output("--format", "jsonl").splitlines()] == expected
    head, *rows = csv.reader(io.StringIO(output("--format", "csv")))
    assert head == COLUMNS
    assert rows == [[value or "" for value in row] for row in expected]
    file = tmp_path / "changes.parquet"
    assert output("--format", "parquet", "--output", str(file)) == ""
    assert duckdb.read_parquet(str(file)).fetchall() == expected
    file = tmp_path / "changes.csv"
    assert output("--format", "csv", "--output", str(file)) == ""
    assert len(file.read_text().splitlines()) == len(expected) + 1


def test_many_urls_are_complete(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, numbers in (("old.txt", range(5_000)), ("new.txt", range(2_500, 7_500))):
        (tmp_path / name).write_text("".join(f"{SITE}/{number}\n" for number in numbers))
    sides = [str(tmp_path / name) for name in ("old.txt", "new.txt")]
    assert main(["diff", *sides, "--urls", "all", "--no-config"]) == ExitCode.CLEAN
    lines = capsys.readouterr().out.splitlines()
    gone = {f"- {SITE}/{number}" for number in range(2_500)}
    assert set(lines) == gone | {f"+ {SITE}/{number}" for number in range(5_000, 7_500)}
    assert [line[2:] for line in lines] == sorted(line[2:] for line in lines)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--urls", "all", "--format", "json"], "--format json is not possible with --urls; choose from text, csv"),
        (["--format", "csv"], "--format csv is not possible without --urls; choose from text, json"),
        (["--urls", "all", "--format", "parquet"], "parquet is a binary format"),
        (["--urls", "some"], "--urls"),
    ],
)
def test_usage_errors(sides: list[str], arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", *sides, "--no-config", *arguments]) == ExitCode.USAGE
    assert message in capsys.readouterr().err


def test_a_side_that_cannot_be_read(sides: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", sides[0], "missing.xml", "--urls", "all", "--no-config"]) == ExitCode.UNREADABLE
    assert "no such file" in capsys.readouterr().err


@pytest.mark.long("slow cases")
def test_shares_add_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from urlset.comparison import url_differences

    # A document that both sides have, URLs in two documents with different dates, and one that moves between them.
    same = "".join(f"<url><loc>{SITE}/{n}</loc><lastmod>2026-01-01</lastmod></url>" for n in range(300))
    for side, numbers, date in (("old", range(200, 700), "2026-02-01"), ("new", range(250, 800), "2026-02-02")):
        (tmp_path / side).mkdir()
        (tmp_path / side / "same.xml").write_text(f"{HEAD}{same}</urlset>")
        own = "".join(f"<url><loc>{SITE}/{n}</loc><lastmod>{date}</lastmod></url>" for n in numbers)
        (tmp_path / side / "own.xml").write_text(f"{HEAD}{own}</urlset>")
    arguments = ["diff", str(tmp_path / "old"), str(tmp_path / "new"), "--urls", "all", "--no-config"]

    def lines() -> list[str]:
        assert main(arguments) == ExitCode.CLEAN
        return capsys.readouterr().out.splitlines()

    whole = lines()
    assert len(whole) == 600
    monkeypatch.setattr(url_differences, "ROWS_IN_SHARE", 50)
    assert lines() == whole
