"""Temporary folders: gone at the end, and gone when somebody else comes if their process was killed."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from urlset.scratch import Scratch, sweep

HOLD = """
import sys, tempfile
from pathlib import Path
tempfile.tempdir = sys.argv[1]
from urlset.scratch import Scratch
one = Scratch()
(one.path / "much").write_text("text")
print(one.path, flush=True)
sys.stdin.read()
"""


def holding(where: Path) -> tuple[subprocess.Popen[str], Path]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(where)],
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
