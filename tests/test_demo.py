"""`make demo`: the first thing that somebody with a checkout runs."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

import demo
from urlset.cli.main import main


def test_every_command_ends_as_it_should(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """One command runs as a process, and the others in this one, where nothing is imported again."""
    start = subprocess.run
    commands: list[Sequence[str | Path]] = []

    def run(command: Sequence[str | Path], *, cwd: Path, check: bool) -> subprocess.CompletedProcess[bytes]:
        commands.append(command)
        if len(commands) == 1:
            return start(command, cwd=cwd, check=check)
        assert (command[0], cwd) == (commands[0][0], Path.cwd())
        return subprocess.CompletedProcess(command, main([str(each) for each in command[1:]]))

    monkeypatch.chdir(demo.ROOT)
    monkeypatch.setattr(subprocess, "run", run)
    code = demo.main()
    captured = capsys.readouterr()
    assert code == 0, captured.out[-3000:] + captured.err[-3000:]
    assert captured.out.rstrip().endswith("report.html")
    assert len(commands) == sum(map(len, (demo.FILES, demo.SITE, demo.AUDIT, demo.CHANGED)))
