"""Temporary folders: gone at the end, and gone when somebody else comes if their process was killed."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from urlset.errors import OutputError
from urlset.files.publish import publish
from urlset.files.scratch import Scratch, sweep

HOLD = """
import sys, tempfile
from pathlib import Path
tempfile.tempdir = sys.argv[1]
from urlset.files.scratch import Scratch
one = Scratch()
(one.path / "much").write_text("text")
print(one.path, flush=True)
sys.stdin.read()
"""


def holding(where: Path, code: str = HOLD) -> tuple[subprocess.Popen[str], Path]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(where)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment,
    )  # fmt: skip
    assert process.stdout is not None
    return process, Path(process.stdout.readline().strip())


def end(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGKILL)
    process.communicate()


def test_it_is_there_and_then_it_is_not() -> None:
    with Scratch() as scratch:
        (scratch.path / "a").write_text("text")
        folder = scratch.path
    assert not folder.exists()
    scratch.remove()


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such locks")
def test_what_a_killed_process_left_goes_and_nothing_else_does(tmp_path: Path) -> None:
    process, left = holding(tmp_path)
    end(process)
    assert (left / "much").exists()
    process, living = holding(tmp_path)
    try:
        # The next one has removed it already.
        assert not left.exists()
        elsewhere = tmp_path / "elsewhere"
        elsewhere.mkdir()
        (elsewhere / ".lock").touch()
        (tmp_path / "urlset-link").symlink_to(elsewhere)
        (tmp_path / "urlset-mine").mkdir()
        (tmp_path / "urlset-file").touch()
        (tmp_path / "other").mkdir()
        (tmp_path / "other" / ".lock").touch()
        before = {path.name for path in tmp_path.iterdir()}
        sweep(tmp_path)
        assert {path.name for path in tmp_path.iterdir()} == before
        assert (living / "much").exists()
        assert (elsewhere / ".lock").exists()
    finally:
        end(process)
    sweep(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == before - {living.name}


REPLACE = """
import sys
from pathlib import Path
from urlset.files.publish import replacing
with replacing(Path(sys.argv[1]) / "report.html") as place:
    place.write_text("half")
    print(place.parent, flush=True)
    sys.stdin.read()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such locks")
def test_what_a_kill_left_next_to_a_file_goes_with_the_next_file(tmp_path: Path) -> None:
    process, left = holding(tmp_path, REPLACE)
    end(process)
    assert [path.name for path in left.iterdir() if path.name != ".lock"] == ["report.html"]
    # Killed before the folder was locked.
    (tmp_path / f".urlset-{'0' * 16}").mkdir()
    # Not ours: another name, and a link.
    (tmp_path / ".urlset-build").mkdir()
    (tmp_path / ".urlset-build" / ".lock").touch()
    (tmp_path / f".urlset-{'1' * 16}").symlink_to(".urlset-build")
    process, living = holding(tmp_path, REPLACE)
    try:
        publish(tmp_path / "other.html", b"whole")
        assert not left.exists()
        assert {path.name for path in tmp_path.iterdir()} == {
            ".urlset-build", f".urlset-{'1' * 16}", living.name, "other.html",
        }  # fmt: skip
        assert (tmp_path / ".urlset-build" / ".lock").exists()
    finally:
        end(process)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such locks")
def test_a_file_system_without_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(descriptor: int, operation: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("urlset.files.scratch.fcntl.flock", refused)
    publish(tmp_path / "report.html", b"whole")
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such locks")
def test_a_lock_that_cannot_be_created(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: object, flags: int, mode: int = 0o777) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("urlset.files.scratch.os.open", full)
    with pytest.raises(OutputError, match="cannot be written: no space left on device"):
        publish(tmp_path / "report.html", b"whole")
    monkeypatch.undo()
    assert not list(tmp_path.iterdir())


def test_folders_that_cannot_be_listed_are_let_be(tmp_path: Path) -> None:
    sweep(tmp_path / "none")


def test_a_folder_that_is_written_to_while_it_is_emptied_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    emptied = shutil.rmtree
    late = ["a", "b"]

    def interrupted(path: Path, ignore_errors: bool) -> None:
        emptied(path, ignore_errors=ignore_errors)
        if late:
            path.mkdir()
            (path / late.pop()).write_text("of another thread")

    monkeypatch.setattr(shutil, "rmtree", interrupted)
    with Scratch() as folder:
        path = folder.path
    assert not path.exists()
