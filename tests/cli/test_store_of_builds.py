"""The store of directories of pages, which adds no file to a repository."""

from __future__ import annotations

from pathlib import Path

import pytest

from urlset.cli.command import Command
from urlset.cli.main import main
from urlset.cli.serve import COMMAND as SERVE
from urlset.options.storing import store_of_builds

AUDIT = ("audit", "dist", "--base-url", "https://example.com/", "--no-config", "--fail-on", "never")


@pytest.fixture(autouse=True)
def _checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A working directory with a build."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("URLSET_CACHE_DIR", str(tmp_path / "cache"))
    Path("dist").mkdir()
    Path("dist", "index.html").write_text("<title>Home</title><p>Home")
    Path("dist", "sitemap.xml").write_text(
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/</loc></url></urlset>'
    )


def files() -> set[str]:
    return {path.name for path in Path.cwd().iterdir()} - {"cache", "dist"}


def test_commands_find_the_runs_of_a_build(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(AUDIT) == 0
    assert files() == set()
    assert f"Saved as run 1 in {store_of_builds()}. Open it in a browser with `urlset report --open`" in (
        capsys.readouterr().out
    )
    for command, shown in (
        (("history",), "dist"),
        (("pages",), "of run 1"),
        (("report", "-o", "-"), "<title>"),
        (("prune", "--keep", "1"), "deleted 0 runs"),
        (("audit", "--resume", "--no-config"), ": no unfinished run to resume"),
    ):
        main(command)
        out, err = capsys.readouterr()
        assert shown in out + err, command
    assert Command("serve", SERVE).resolve({}).options.store == store_of_builds()
    assert main(["report"]) == 0
    assert files() == {"urlset.html"}


def test_a_store_in_the_working_directory_comes_first(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*AUDIT, "--store", "urlset.duckdb"]) == 0
    assert main(AUDIT) == 0
    assert not store_of_builds().exists()
    capsys.readouterr()
    assert main(["history", "--format", "json"]) == 0
    assert capsys.readouterr().out.count('"run": ') == 2


def test_a_store_that_is_named_is_the_only_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(AUDIT) == 0
    assert main(["history", "urlset.duckdb"]) == 3
    assert "urlset.duckdb: " in capsys.readouterr().err
    Path("urlset.toml").write_text('[audit]\nstore = "named.duckdb"\n')
    assert main([each for each in AUDIT if each != "--no-config"]) == 0
    assert files() == {"named.duckdb", "urlset.toml"}


def test_a_cache_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    Path("a-file").write_text("")
    monkeypatch.setenv("URLSET_CACHE_DIR", str(Path("a-file").resolve()))
    assert main(AUDIT) == 3
    assert "name the store with --store, or add --no-store" in capsys.readouterr().err
    assert main([*AUDIT, "--no-store"]) == 0
