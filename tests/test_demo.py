"""`make demo`: the first thing that somebody with a checkout runs."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import pytest

import demo
from urlset.cli.main import main


class OneAfterTheOther(Executor):
    """Runs what is submitted at once."""

    def __init__(self, workers: int) -> None:
        assert workers == 1

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        """Runs the function."""
        future: Future[Any] = Future()
        future.set_result(function(*arguments, **named))
        return future


def test_every_command_ends_as_it_should(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """One command runs as a process, and the others in this one, in turn, where nothing is imported again."""
    start = subprocess.run
    commands: list[Sequence[str | Path]] = []

    def run(command: Sequence[str | Path], *, cwd: Path, **how: Any) -> subprocess.CompletedProcess[str]:
        commands.append(command)
        assert (command[0], cwd) == (demo.URLSET, Path.cwd())
        if command[1:] == ["validate", "examples/good/sitemap.xml"]:
            return start(command, cwd=cwd, **how)
        return subprocess.CompletedProcess(command, main([str(each) for each in command[1:]]), stdout="")

    monkeypatch.chdir(demo.ROOT)
    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr(demo, "ThreadPoolExecutor", OneAfterTheOther)
    code = demo.main()
    captured = capsys.readouterr()
    assert code == 0, captured.out[-3000:] + captured.err[-3000:]
    assert captured.out.rstrip().endswith("report.html")
    assert len(commands) == sum(map(len, (demo.FILES, demo.SITE, demo.AUDIT, demo.CHANGED)))
