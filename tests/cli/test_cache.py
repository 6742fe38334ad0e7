"""`urlset cache`."""

from __future__ import annotations

import errno
import json
from pathlib import Path

import pytest

from urlset.cli.main import main
from urlset.fetch.cache import Cache, CacheEntry
from urlset.files.user_folders import cache_folder
from urlset.options.storing import store_of_builds
from urlset.store.cached_stores import cached_stores


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    cache = Cache(tmp_path / "kept")
    for number in range(2):
        cache.store(
            f"{number}" * 64, CacheEntry("https://example.com/", 200, {"etag": '"1"'}, 5, "0" * 64, 5, None), b"12345"
        )
    return tmp_path / "kept"


def test_info_and_clear(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("URLSET_CACHE_DIR", str(folder.parent / "none"))
    (folder / "http" / "notes.txt").write_text("of somebody else")
    assert main(["cache", "info", "--set", f"cache-dir={folder}", "--no-config"]) == 0
    assert capsys.readouterr().out.startswith(f"{folder}: 2 cached responses, ")
    assert main(["cache", "clear", "--set", f"cache-dir={folder}", "--no-config"]) == 0
    assert capsys.readouterr().out.startswith("removed 2 cached responses, ")
    assert main(["cache", "info", "--set", f"cache-dir={folder}", "--no-config", "--format", "json"]) == 0
    info = json.loads(capsys.readouterr().out)
    stores = {"folder": str(cache_folder() / "stores"), "count": 0, "bytes": 0}
    nothing = {"entries": 0, "bytes": 0, "stores": stores, "removed_stores": None}
    assert info == {"version": 1, "folder": str(folder), "action": "info", **nothing}
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


def test_stores_of_audited_directories_stay_unless_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("URLSET_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    store = store_of_builds()
    store.parent.mkdir(parents=True)
    store.write_bytes(b"1234567")
    store.with_name(f"{store.name}.wal").write_bytes(b"89")
    other = store.with_name("notes.duckdb")
    other.write_bytes(b"")
    assert main(["cache", "info", "--no-config"]) == 0
    assert f"1 store of audited directories, 9 bytes in {store.parent}; `urlset cache clear --stores` removes it" in (
        capsys.readouterr().out
    )
    assert main(["cache", "clear", "--no-config"]) == 0
    assert "kept 1 store of audited directories, 9 bytes in" in capsys.readouterr().out
    assert main(["cache", "clear", "--stores", "--no-config"]) == 0
    assert "removed 1 store of audited directories, 9 bytes from" in capsys.readouterr().out
    assert [path.name for path in store.parent.iterdir()] == [other.name]


def test_a_store_in_use_is_not_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("URLSET_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr("urlset.store.file.is_in_use", lambda path: path == store_of_builds())
    store = store_of_builds()
    store.parent.mkdir()
    store.write_bytes(b"")
    other = store.with_name(f"other-{'0' * 16}.duckdb")
    other.write_bytes(b"12")
    assert main(["cache", "clear", "--stores", "--no-config"]) != 0
    captured = capsys.readouterr()
    assert f"{store} is in use by another process, so it is not removed" in captured.err
    assert "removed 1 store of audited directories, 2 bytes from" in captured.out
    assert "kept 1 store of audited directories, 0 bytes in" in captured.out
    assert (store.exists(), other.exists()) == (True, False)


@pytest.mark.parametrize("command", ["info", "clear --stores"])
def test_a_directory_of_stores_that_cannot_be_read(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(folder: Path) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(folder))

    monkeypatch.setenv("URLSET_CACHE_DIR", str(tmp_path))
    (tmp_path / "stores").mkdir()
    monkeypatch.setattr(Path, "iterdir", refuse)
    assert main(["cache", *command.split(), "--no-config"]) != 0
    assert f"{tmp_path / 'stores'}: cannot be read: " in capsys.readouterr().err


def test_a_store_that_vanishes_has_no_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("urlset.store.cached_stores._stores", lambda: [tmp_path / "gone"])
    assert (cached_stores().count, cached_stores().bytes) == (1, 0)


def test_the_variable_names_the_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("URLSET_CACHE_DIR", str(tmp_path))
    assert cache_folder() == tmp_path
    monkeypatch.delenv("URLSET_CACHE_DIR")
    assert cache_folder().name == "urlset"
