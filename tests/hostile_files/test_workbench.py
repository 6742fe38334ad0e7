"""State that somebody else put next to a store: `urlset serve` starts none of it, and follows none of its links."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.serve.conftest import opened

from urlset.errors import OutputError, UsageError
from urlset.serve.jobs import FILES, LOG, RESULT, STATE, WORKING

SECRET = "https://secret.example/token-123\n"
JOB = {"id": 1, "kind": "validate", "target": "a.txt", "created_at": "2026-01-01T00:00:00Z", "options": {}}


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    place = tmp_path / "outside"
    (place / "jobs" / "7").mkdir(parents=True)
    (place / "keep.txt").write_text(SECRET)
    (place / "jobs" / "7" / "mine.txt").write_text(SECRET)
    return place


@pytest.fixture
def folder(tmp_path: Path, outside: Path) -> Path:
    """A directory in which a store is served, and its state, as an archive left them."""
    folder = tmp_path / "folder"
    (folder / "state" / "jobs" / "1").mkdir(parents=True)
    return folder


def plant(folder: Path, **more: object) -> Path:
    place = folder / "state" / "jobs" / "1"
    (place / STATE).write_bytes(msgspec.json.encode({**JOB, **more}))
    return place


def untouched(outside: Path) -> bool:
    return sorted(str(path.relative_to(outside)) for path in outside.rglob("*")) == [
        "jobs", "jobs/7", "jobs/7/mine.txt", "keep.txt",
    ] and (outside / "keep.txt").read_text() == SECRET  # fmt: skip


@pytest.mark.parametrize("state", ["running", "waiting"])
def test_no_planted_job_starts(state: str, folder: Path, outside: Path) -> None:
    plant(folder, state=state, target=str(outside / "keep.txt"))
    with opened(folder, None) as bench:
        job = bench.server.jobs.get(1)
        assert job is not None
        assert job.state.value == "interrupted"
        text = bench.page("/jobs/1")
        assert "Interrupted" in text
        assert ">Resume</button>" in text
        assert ">Resume</button>" in bench.page("/")
        # And the workbench reads no file of the server, whoever asks.
        assert "not a site or URL" in bench.post("/jobs/1/resume").text
        with pytest.raises(UsageError):
            bench.server.jobs.resume(1)
        assert bench.server.jobs.get(1).state.value == "interrupted"  # type: ignore[union-attr]
    assert not (folder / "urlset.duckdb").exists()


@pytest.mark.parametrize("kind", ["audit", "check", "page"])
@pytest.mark.parametrize("state", ["failed", "canceled"])
def test_no_planted_job_reads_a_file_when_it_is_resumed(state: str, kind: str, folder: Path, outside: Path) -> None:
    plant(folder, state=state, kind=kind, target=str(outside / "keep.txt"))
    with opened(folder, None) as bench, pytest.raises(UsageError):
        bench.server.jobs.resume(1)


LINKS = [f"jobs/1/{name}" for name in (STATE, FILES, LOG, RESULT, WORKING, "job.half", "working.half", "other")]


@pytest.mark.parametrize("link", [*LINKS, f"jobs/1/{FILES}/list.txt", "jobs/2", "jobs", "snapshots"])
@pytest.mark.parametrize("target", ["keep.txt", "jobs", "new"])
def test_no_link_is_followed(link: str, target: str, folder: Path, outside: Path) -> None:
    plant(folder, state="running", files=1)
    path = folder / "state" / link
    path.parent.mkdir(exist_ok=True)
    if path.name == STATE:
        path.unlink()
    if link == "jobs":
        (path / "1" / STATE).unlink()
        (path / "1").rmdir()
        path.rmdir()
    path.symlink_to(outside / target)
    with pytest.raises(OutputError, match="is a symbolic link, so it is not used; delete it"), opened(folder, None):
        pass
    assert untouched(outside)


@pytest.mark.parametrize("name", ["urlset.duckdb.serve", "urlset.duckdb.serve/lock", "urlset.baseline.json"])
def test_the_command_follows_no_link(
    name: str, folder: Path, outside: Path, cli: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    Path(name).parent.mkdir(exist_ok=True)
    Path(name).symlink_to(outside / ("new" if name.endswith("lock") else "jobs"))
    done = cli("serve", "--port", "0")
    assert done.code == 3
    assert "it is a symbolic link, so it is not used; delete it" in done.err
    assert untouched(outside)


def test_state_of_another_user_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    state = plant(folder, state="running") / STATE
    inode = state.stat().st_ino
    monkeypatch.setattr("urlset.files.own_files.is_foreign_status", lambda info, _: info.st_ino == inode)
    with pytest.raises(OutputError, match="belongs to another user, so it is not used"), opened(folder, None):
        pass


@pytest.mark.skipif(os.name == "nt", reason="pipes")
def test_a_pipe_does_not_stop_the_server(folder: Path) -> None:
    os.mkfifo(folder / "state" / "jobs" / "1" / STATE)
    with pytest.raises(OutputError, match="neither a file nor a directory"), opened(folder, None):
        pass


@pytest.mark.parametrize("name", ["2", "notes", "99999999999999999999"])
def test_what_is_no_job_stays(name: str, folder: Path) -> None:
    """Only folders of jobs that a server had just made are removed."""
    place = folder / "state" / "jobs" / name
    place.mkdir()
    (place / STATE).write_text("not a job")
    with opened(folder, None) as bench:
        assert bench.server.jobs.list() == []
        assert bench.server.jobs.new_folder() == (3 if name == "2" else 1)
    assert (place / STATE).exists()
