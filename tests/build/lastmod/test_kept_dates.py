"""`urlset explain URL`: the lastmod of the last build with its proof, which is not published."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tests.build.lastmod.test_git import Repository, own_settings  # noqa: F401 - a fixture

from urlset.build.sources.page_store import VERSION
from urlset.cli.main import main

PAGE = "https://example.org/wine/"
BUILD = ["build", "content", "--base-url", "https://example.org/", "-o", "public", "--lastmod-from", "git-text"]


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    repository = Repository(tmp_path / "site")
    monkeypatch.chdir(repository.folder)
    Path("content").mkdir()
    for day, words in (("2021-01-01", "Ripe after 16 months."), ("2022-02-02", "Ripe after 18 months.")):
        Path("content", "wine.md").write_text(f"---\ntitle: Wine\n---\n{words}\n")
        repository.run("add", "content")
        repository.run("commit", "-q", "-m", f"Say {words.split()[2]}", day=day)
    return repository


@pytest.mark.parametrize(
    ("more", "asked"), [([], []), (["--state", "kept.json"], ["--state", "kept.json"])], ids=["own state", "named"]
)
def test_a_page_is_explained_by_the_proof_of_its_last_build(
    repository: Repository, more: list[str], asked: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*BUILD, *more]) == 0
    commit = repository.run("rev-parse", "HEAD").strip()
    capsys.readouterr()
    assert main(["explain", PAGE, *asked]) == 0
    lines = capsys.readouterr().out.splitlines()
    lines[1], _, state = lines[1].partition("; according to ")
    assert re.fullmatch(r".*kept\.json, written on \d{4}-\d\d-\d\d" if more else r"/.*, written on .*", state)
    assert lines == [
        f"{PAGE}: 2022-02-02T12:00:00+00:00",
        f'  used  git-text 2022-02-02T12:00:00+00:00: commit {commit[:12]} "16" -> "18": Say 18',
        f"            {commit}  content/wine.md",
    ]
    published = b"".join(path.read_bytes() for path in Path("public").rglob("*") if path.is_file())
    assert commit[:12].encode() not in published
    assert b"Say 18" not in published


def test_a_state_that_the_configuration_names_is_searched(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("urlset.toml").write_text('[build]\nstate = "kept.json"\n')
    assert main(["explain", PAGE]) == 2
    assert main(BUILD) == 0
    assert main(["explain", PAGE]) == 0
    Path("kept.json").write_text('{"version": 1, "dates": 5}')
    capsys.readouterr()
    assert main(["explain", PAGE]) == 3
    assert "kept.json: is not the state file of a build" in capsys.readouterr().err


def test_only_the_state_that_is_named_is_searched(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(BUILD) == 0
    Path("other.json").write_text(f'{{"version": {VERSION}, "dates": {{}}}}')
    assert main(["explain", PAGE, "--state", "other.json"]) == 2


@pytest.mark.parametrize(
    ("old", "new"), [("+00:00", ""), ('"files":1', f'"files":{2**31}')], ids=["no time zone", "too many files"]
)
def test_a_damaged_proof_is_refused(
    repository: Repository, old: str, new: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*BUILD, "--state", "kept.json"]) == 0
    stored = json.loads(Path("kept.json").read_text())
    proofs = [date["proof"] for date in stored["dates"].values()]
    text = json.dumps(stored, separators=(",", ":"))
    assert proofs
    Path("kept.json").write_text(text.replace("Z", "+00:00").replace(old, new))
    assert main(["explain", PAGE, "--state", "kept.json"]) == 3
    assert "kept.json: is not the state file of a build" in capsys.readouterr().err


def test_a_page_without_a_date_is_explained_too(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    Path("content", "wine.md").write_text("---\ntitle: Wine\n---\nRipe after 20 months.\n")
    assert main(BUILD) == 0
    capsys.readouterr()
    assert main(["explain", PAGE]) == 0
    shown = capsys.readouterr().out
    assert f"{PAGE}: unknown" in shown
    assert "its text has uncommitted changes" in shown


def test_a_state_that_quotes_commits_is_not_written_to_a_published_directory(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*BUILD, "--state", "public/kept.json"]) == 2
    assert "public/kept.json is in public, which is published" in capsys.readouterr().err
    assert not repository.folder.joinpath("public").exists()
    assert main([*BUILD[:-1], "git", "--state", "public/kept.json"]) == 0
