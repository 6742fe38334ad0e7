"""`urlset cache`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from urlset.cli.main import main
from urlset.fetch.cache import Cache, CacheEntry
from urlset.files.user_folders import cache_folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    cache = Cache(tmp_path / "kept")
    for number in range(2):
        cache.store(
            f"{number}" * 64, CacheEntry("https://example.com/", 200, {"etag": '"1"'}, 5, "0" * 64, 5, None), b"12345"
        )
    return tmp_path / "kept"


def test_info_and_clear(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "http" / "notes.txt").write_text("of somebody else")
    assert main(["cache", "info", "--set", f"cache-dir={folder}", "--no-config"]) == 0
    assert capsys.readouterr().out.startswith(f"{folder}: 2 cached responses, ")
    assert main(["cache", "clear", "--set", f"cache-dir={folder}", "--no-config"]) == 0
    assert capsys.readouterr().out.startswith("removed 2 cached responses, ")
    assert main(["cache", "info", "--set", f"cache-dir={folder}", "--no-config", "--format", "json"]) == 0
    info = json.loads(capsys.readouterr().out)
    assert info == {"version": 1, "folder": str(folder), "action": "info", "entries": 0, "bytes": 0}
    assert (folder / "http" / "notes.txt").exists()


def test_the_folder_of_the_configuration_counts(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder.parent)
    Path("urlset.toml").write_text(f'cache-dir = "{folder.name}"\n', "utf-8")
    assert main(["cache", "info"]) == 0
    assert "2 cached responses" in capsys.readouterr().out


def test_without_one_there_is_nothing_in_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cache", "clear", "--set", f"network.cache-dir={tmp_path / 'none'}", "--no-config"]) == 0
    assert capsys.readouterr().out.startswith("removed 0 cached responses, 0 bytes from ")


def test_the_variable_names_the_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("URLSET_CACHE_DIR", str(tmp_path))
    assert cache_folder() == tmp_path
    monkeypatch.delenv("URLSET_CACHE_DIR")
    assert cache_folder().name == "urlset"
