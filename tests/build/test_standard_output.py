"""`-o -`: one document to standard output, the report to standard error."""

from __future__ import annotations

from pathlib import Path

import pytest

import urlset
from urlset.cli.main import main

from .judging import BASE


@pytest.fixture(autouse=True)
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    Path("urls.txt").write_text("".join(f"/{number}\n" for number in range(25)))
    return tmp_path


ARGUMENTS = ["build", "urls.txt", "--base-url", BASE, "-o", "-"]


@pytest.mark.parametrize("options", [[], ["--gzip", "all"], ["--robots", "robots.txt"], ["--set", "build.pretty=true"]])
def test_one_document(capfdbinary: pytest.CaptureFixture[bytes], options: list[str]) -> None:
    for _ in range(2):
        assert main([*ARGUMENTS, *options]) == 0
        captured = capfdbinary.readouterr()
        assert [entry.loc for entry in urlset.read(captured.out)] == [f"{BASE}{number}" for number in range(25)]
        assert b"Published: 25 URLs." in captured.err
    assert not Path("-").exists()


def test_several_files_are_refused(capfd: pytest.CaptureFixture[str]) -> None:
    assert main([*ARGUMENTS, "--max-entries", "10"]) == 2
    captured = capfd.readouterr()
    assert captured.out == ""
    assert captured.err == (
        "urlset: standard output takes a single document, and this set has 4 files; write it to a directory\n"
    )


@pytest.mark.parametrize("option", ["--check", "--diff", "--dry-run"])
def test_there_is_nothing_to_compare_with(capfd: pytest.CaptureFixture[str], option: str) -> None:
    assert main([*ARGUMENTS, option]) == 2
    assert "has nothing to compare with; omit --check, --dry-run, and --diff" in capfd.readouterr().err


def test_several_sites_are_refused(capfd: pytest.CaptureFixture[str]) -> None:
    site = (
        '[[build.site]]\nbase-url = "https://{0}.example.com/"\nout = "{1}"\n[[build.site.source]]\nlist = "urls.txt"\n'
    )
    Path("urlset.toml").write_text(site.format("www", "-") + site.format("docs", "docs"))
    assert main(["build"]) == 2
    assert "standard output takes a single document; write several sites" in capfd.readouterr().err
    assert not Path("docs").exists()


def test_the_key_and_python(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    Path("urlset.toml").write_text(f'[build]\nbase-url = "{BASE}"\nout = "-"\n[[build.source]]\nlist = "urls.txt"\n')
    assert main(["build"]) == 0
    assert len(urlset.read(capfdbinary.readouterr().out)) == 25
    urlset.write(["/a"], BASE, "-")
    assert len(urlset.read(capfdbinary.readouterr().out)) == 1
