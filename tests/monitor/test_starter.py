"""The file that `urlset monitor --init` prints."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from urlset.cli.main import main
from urlset.options.monitoring import load_monitor


def test_the_starter_is_a_file_that_monitor_takes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("URLSET_ISSUE_TOKEN", "token")
    assert main(["monitor"]) == 2
    assert "urlset monitor --init > monitor.toml" in capsys.readouterr().err
    assert main(["monitor", "--init"]) == 0
    starter = capsys.readouterr().out
    Path("monitor.toml").write_text(starter)
    assert [site.spec.url for site in load_monitor(Path("monitor.toml")).sites] == ["https://www.example.com"]
    # What is commented out is right, too.
    Path("monitor.toml").write_text(re.sub(r"^# (?=[\[a-z-]+(?:\]| =))", "", starter, flags=re.MULTILINE))
    plan = load_monitor(Path("monitor.toml"))
    assert (len(plan.webhooks), plan.issue is not None) == (1, True)


def test_one_file_at_a_time(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["monitor", "--init", "--print-timer"]) == 2
    assert "--init and --print-timer cannot be combined" in capsys.readouterr().err
