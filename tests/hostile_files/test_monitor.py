"""A `monitor.toml` or a store of someone else: which secrets they reach, and what is sent."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from urlset.cli.main import main
from urlset.errors import OutputError
from urlset.options import configuration_file as config_file
from urlset.options.monitoring import load_monitor
from urlset.pipeline.monitor import monitor

SITE = '[[site]]\nurl = "http://127.0.0.1:9/"\n'
SECRET = "ghp_abcdef"

NAMED = {
    "apprise": '[apprise]\nurls-env = "{}"\n',
    "apprise after a URL": '[apprise]\nurls = ["json://localhost"]\nurls-env = "{}"\n',
    "issue": '[issue]\nproject = "https://github.com/acme/site"\ntoken-env = "{}"\n',
    "webhook": '[[webhook]]\nurl = "http://127.0.0.1:9/"\nsecret-env = "{}"\n',
}
"""Each way in which the file names a variable."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GITHUB_TOKEN", SECRET)
    monkeypatch.setenv("URLSET_TOKEN", SECRET)
    return tmp_path


def foreign(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Let a file belong to another user."""
    monkeypatch.setattr(config_file, "is_foreign", lambda file, _: Path(file).name == name)
    monkeypatch.setattr("urlset.pipeline.monitor.is_foreign", lambda file, _: Path(file).name == name)


@pytest.mark.parametrize("how", NAMED)
@pytest.mark.parametrize(
    ("variable", "message"),
    [
        ("GITHUB_TOKEN", "rename GITHUB_TOKEN, or pass --env GITHUB_TOKEN to allow it"),
        ("github_token", "begin with URLSET_"),
        ("urlset_token", "begin with URLSET_"),
        ("URLSET_UNSET", "URLSET_UNSET is not set"),
        ("URLSET_X }}\\n  run: id", "must be a name of letters"),
    ],
)
def test_a_file_names_only_variables_with_the_prefix(
    folder: Path, capsys: pytest.CaptureFixture[str], how: str, variable: str, message: str
) -> None:
    (folder / "monitor.toml").write_text(SITE + NAMED[how].format(variable))
    for more in ((), ("--print-workflow",), ("--print-timer",)):
        assert main(("monitor", "monitor.toml", *more)) == 2
        printed = "".join(capsys.readouterr())
        assert message in printed
        assert SECRET not in printed


@pytest.mark.parametrize("allowed", [["URLSET_TOKEN"], ["GITHUB_TOKEN", "--env", "GITHUB_TOKEN"]])
def test_a_value_is_never_shown(folder: Path, capsys: pytest.CaptureFixture[str], allowed: list[str]) -> None:
    pytest.importorskip("apprise")
    name, *more = allowed
    (folder / "monitor.toml").write_text(SITE + NAMED["apprise"].format(name))
    assert main(("monitor", "monitor.toml", *more)) == 2
    printed = "".join(capsys.readouterr())
    assert "[apprise]: Apprise does not support URL 1" in printed
    assert SECRET not in printed


def test_a_timer_repeats_what_is_allowed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "monitor.toml").write_text(SITE + NAMED["webhook"].format("GITHUB_TOKEN"))
    for more, expected in (
        ("--print-timer", f"monitor {folder / 'monitor.toml'} --env GITHUB_TOKEN\n"),
        ("--print-workflow", "urlset monitor monitor.toml --env GITHUB_TOKEN\n"),
    ):
        assert main(("monitor", "monitor.toml", "--env", "GITHUB_TOKEN", "--env", "OTHER x", more)) == 0
        printed = capsys.readouterr().out
        assert expected in printed
        assert "OTHER" not in printed


def test_a_file_of_another_user_is_not_found(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "monitor.toml").write_text(SITE)
    foreign(monkeypatch, "monitor.toml")
    assert main(("monitor",)) == 2
    assert (
        "monitor.toml: belongs to another user, and was not used; to use it, run: urlset monitor"
        in capsys.readouterr().err
    )
    # Named, it is used.
    assert main(("monitor", "monitor.toml", "--print-timer")) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="pipes")
def test_a_pipe_is_not_found(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(folder / "monitor.toml")
    assert main(("monitor",)) == 2
    assert "monitor.toml: not a regular file" in capsys.readouterr().err


@pytest.mark.parametrize("named", [(), ("monitor.toml",)])
def test_a_file_behind_a_link_that_leads_out_is_not_used(
    named: tuple[str, ...], folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "outside.toml").write_text(SITE)
    clone = folder / "clone"
    (clone / ".git").mkdir(parents=True)
    (clone / "monitor.toml").symlink_to(folder / "outside.toml")
    monkeypatch.chdir(clone)
    assert main(("monitor", *named, "--print-timer")) == 2
    assert "not part of the repository" in capsys.readouterr().err


def test_a_store_of_another_user_sends_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "monitor.toml").write_text(SITE + NAMED["webhook"].format("URLSET_TOKEN"))
    (folder / "urlset.duckdb").write_bytes(b"")
    foreign(monkeypatch, "urlset.duckdb")
    with pytest.raises(OutputError, match="belongs to another user, who could change what is sent"):
        monitor(load_monitor(Path("monitor.toml")), look=lambda *_: pytest.fail("no site is checked"))
    assert {path.name for path in folder.iterdir()} == {"urlset.duckdb", "monitor.toml"}
