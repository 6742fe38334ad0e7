"""Odd values in a store, and paths that are no store, end with one sentence in every command that reads one."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest

SITEMAP = (
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/</loc></url></urlset>'
)
READING: dict[str, list[str]] = {
    "history": ["history", "STORE"],
    "pages": ["pages", "STORE"],
    "report": ["report", "STORE", "-o", "report.html"],
    "diff": ["diff", "STORE@1", "STORE@1"],
    "sql": ["sql", "SELECT count(*) FROM documents", "STORE"],
    "prune": ["prune", "STORE", "--keep", "1"],
    "coverage": ["coverage", "--store", "STORE"],
}
DEEP = "[" * 100_000 + "]" * 100_000
VALUES: dict[str, str] = {
    "depth": f"UPDATE runs SET settings = '{{\"select\": {DEEP}}}'",
    "depth of an unknown setting": f"UPDATE runs SET settings = '{{\"unknown\": {DEEP}}}'",
    "an integer": f"UPDATE runs SET settings = '{{\"select\": {'9' * 5_000}}}'",
    "another type": "UPDATE runs SET settings = '[]'",
    "a time": "UPDATE runs SET started_at = '290000-01-01'",
}

Command = Callable[..., Any]


@pytest.fixture(scope="module")
def audited(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from urlset import api

    folder = tmp_path_factory.mktemp("audited")
    (folder / "public").mkdir()
    (folder / "public" / "sitemap.xml").write_text(SITEMAP)
    (folder / "public" / "index.html").write_text("<title>x</title>")
    api.audit([str(folder / "public")], base_url="https://example.com", store=str(folder / "urlset.duckdb"))
    return folder / "urlset.duckdb"


@pytest.fixture
def store(audited: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return Path(shutil.copy(audited, tmp_path))


@pytest.mark.parametrize("value", VALUES)
def test_damaged_runs(value: str, store: Path, cli: Command) -> None:
    with duckdb.connect(str(store)) as connection:
        connection.execute(VALUES[value])
    for arguments in READING.values():
        outcome = cli(*(one.replace("STORE", store.name) for one in arguments))
        assert outcome.code == 3, (arguments, outcome)
        assert "urlset.duckdb: is damaged: " in outcome.err
        assert len(outcome.err.splitlines()) == 1


def test_a_round_in_a_year_that_python_does_not_have(store: Path, cli: Command) -> None:
    Path("monitor.toml").write_text(f'store = "{store.name}"\n[[site]]\nurl = "http://127.0.0.1:1"\n')
    assert cli("monitor", "monitor.toml").code == 1
    with duckdb.connect(str(store)) as connection:
        connection.execute("UPDATE urlset_rounds SET started_at = '290000-01-01'")
    for arguments in (["monitor", "monitor.toml"], ["metrics", store.name]):
        outcome = cli(*arguments)
        assert outcome.code == 3
        assert "is damaged: its time '290000-01-01 00:00:00' is not in the years 1 to 9999" in outcome.err


@pytest.mark.parametrize("place", [".", "..", "/"])
@pytest.mark.parametrize("command", ["history", "pages", "report", "diff", "prune", "coverage", "metrics", "serve"])
def test_a_directory_is_no_store(command: str, place: str, store: Path, cli: Command) -> None:
    store.unlink()
    arguments = {**READING, **{name: [name, "STORE"] for name in ("report", "metrics", "serve")}}[command]
    outcome = cli(*(one.replace("STORE", place) for one in arguments))
    assert outcome.code in (2, 3), outcome
    assert "internal error" not in outcome.err
