"""The progress bar is a single line, however narrow the terminal is."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from urlset.cli import progress_bar
from urlset.text.progress import ProgressEvent

NAME = "https://example.com/" + "a-long-name/" * 9


@pytest.mark.parametrize("width", [20, 40, 60, 80, 119, 120, 200])
def test_the_bar_is_one_line(width: int) -> None:
    console = Console(file=io.StringIO(), width=width, force_terminal=True)
    bar, task = progress_bar._start(console)
    bar.stop()
    state = ProgressEvent(1_204, 50_000, NAME, 1_234_567, 987_654_321)
    bar.update(task, completed=state.done, total=state.known, read=progress_bar._read(state, 30.0), name=NAME)
    output = Console(file=io.StringIO(), width=width)
    output.print(bar.get_renderable())
    assert isinstance(output.file, io.StringIO)
    [line] = output.file.getvalue().splitlines()
    assert len(line) <= width
    if width >= 40:
        assert "1204/50000" in line
    if width >= 60:
        assert "0:00:0" in line
        assert "https://" in line
    assert ("URLs/s" in line and "left:" in line) == (width >= 120)
