"""git's last commits, in repositories made for the test."""

import os
import subprocess
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from urlset.build.lastmod.git import SHALLOW, Git

NOW = datetime(2026, 1, 1, tzinfo=UTC)


class Repository:
    """A repository whose commits are dated by hand."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.run("init", "-q", "-b", "main")

    def run(self, *arguments: str, day: str = "2020-01-01") -> str:
        stamp = f"{day}T12:00:00+00:00"
        settings = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "protocol.file.allow=always"]
        return subprocess.run(
            ["git", *settings, *arguments],
            cwd=self.folder,
            env={**os.environ, "GIT_AUTHOR_DATE": stamp, "GIT_COMMITTER_DATE": stamp},
            check=True,
            capture_output=True,
            text=True,
        ).stdout

    def commit(self, day: str, **files: str | None) -> None:
        for name, text in files.items():
            path = self.folder / name.replace("__", "/").replace("_html", ".html")
            path.parent.mkdir(parents=True, exist_ok=True)
            if text is None:
                path.unlink()
            else:
                path.write_text(text)
        self.run("add", "-A")
        self.run("commit", "-q", "--allow-empty", "-m", "x", day=day)

    def day(self, name: str, git: Git | None = None) -> str | None:
        value = (git or Git(NOW)).last_commit(self.folder / name, self.folder).value
        return None if value is None else f"{value:%Y-%m-%d}"

    def reason(self, name: str) -> str:
        return Git(NOW).last_commit(self.folder / name, self.folder).reason


@pytest.fixture(autouse=True)
def own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody's own settings, but those that would change what a careless reader gets."""
    config = tmp_path / "gitconfig"
    config.write_text(
        "[log]\n showSignature = true\n follow = true\n[color]\n ui = always\n"
        "[diff]\n relative = true\n renames = copies\n"
        "[status]\n relativePaths = true\n showUntrackedFiles = all\n"
    )
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "site")


def test_each_file_has_the_day_of_its_own_last_commit(repository: Repository) -> None:
    repository.commit("2021-01-01", a_html="1", docs__b_html="1")
    repository.commit("2022-02-02", a_html="2")
    repository.commit("2023-03-03", c_html="1")
    git = Git(NOW)
    days = [repository.day(name, git) for name in ("a.html", "docs/b.html", "c.html")]
    assert days == ["2022-02-02", "2021-01-01", "2023-03-03"]
    assert repository.reason("a.html") == "its last commit"


def test_one_folder_of_a_repository_is_read_for_itself(repository: Repository) -> None:
    repository.commit("2021-01-01", a_html="1", docs__b_html="1")
    repository.commit("2022-02-02", a_html="2")
    answer = Git(NOW).last_commit(repository.folder / "docs" / "b.html", repository.folder / "docs")
    assert answer.value == datetime(2021, 1, 1, 12, tzinfo=UTC)


def test_a_file_that_was_renamed_keeps_the_day_of_its_content(repository: Repository) -> None:
    repository.commit("2021-01-01", a_html="one\n" * 50)
    repository.commit("2022-02-02", a_html=None, docs__b_html="one\n" * 50)
    repository.commit("2023-03-03", docs__b_html=None, c_html="one\n" * 50)
    assert repository.day("c.html") == "2021-01-01"


def test_a_file_renamed_and_changed_at_once_was_changed_then(repository: Repository) -> None:
    repository.commit("2021-01-01", a_html="one\n" * 50)
    repository.commit("2022-02-02", a_html=None, b_html="one\n" * 50 + "two\n")
    assert repository.day("b.html") == "2022-02-02"


def test_a_name_that_is_used_again_is_another_file(repository: Repository) -> None:
    repository.commit("2021-01-01", a_html="one\n" * 50)
    repository.commit("2022-02-02", a_html=None, b_html="one\n" * 50)
    repository.commit("2023-03-03", a_html="new")
    assert (repository.day("a.html"), repository.day("b.html")) == ("2023-03-03", "2021-01-01")


def test_a_file_that_was_deleted_and_came_back_came_then(repository: Repository) -> None:
    repository.commit("2021-01-01", a_html="one")
    repository.commit("2022-02-02", a_html=None)
    repository.commit("2023-03-03", a_html="one")
    assert repository.day("a.html") == "2023-03-03"


def test_a_merge_changes_only_what_it_decides_itself(repository: Repository) -> None:
    repository.commit("2021-01-01", a_html="base\n", b_html="1")
    repository.run("checkout", "-q", "-b", "side")
    repository.commit("2022-01-01", a_html="side\n", c_html="1")
    repository.run("checkout", "-q", "main")
    repository.commit("2022-02-02", a_html="main\n")
    with pytest.raises(subprocess.CalledProcessError):
        repository.run("merge", "-q", "side")
    (repository.folder / "a.html").write_text("both\n")
    repository.run("add", "-A")
    repository.run("commit", "-q", "-m", "merge", day="2023-03-03")
    days = [repository.day(name) for name in ("a.html", "b.html", "c.html")]
    assert days == ["2023-03-03", "2021-01-01", "2022-01-01"]


@pytest.mark.parametrize("stage", [False, True])
def test_what_is_not_committed_has_no_day(repository: Repository, stage: bool) -> None:
    repository.commit("2021-01-01", a_html="1", b_html="1")
    (repository.folder / "a.html").write_text("2")
    (repository.folder / "new.html").write_text("1")
    if stage:
        repository.run("add", "-A")
    assert repository.reason("a.html") == "the file has uncommitted changes"
    assert repository.reason("new.html") == (
        "the file has uncommitted changes" if stage else "the file is not tracked by git"
    )
    assert repository.day("b.html") == "2021-01-01"


def test_a_file_that_was_only_touched_is_not_changed(repository: Repository) -> None:
    repository.commit("2021-01-01", a_html="one\ntwo\n", b_html="1")
    for name in ("a.html", "b.html"):
        os.utime(repository.folder / name, (1, 1))
    # As git writes it on Windows.
    (repository.folder / "a.html").write_bytes(b"one\r\ntwo\r\n")
    assert [repository.day(name) for name in ("a.html", "b.html")] == ["2021-01-01", "2021-01-01"]


def test_a_change_that_keeps_size_and_time_is_noticed(repository: Repository) -> None:
    repository.commit("2021-01-01", a_html="one")
    page = repository.folder / "a.html"
    before = page.stat()
    page.write_text("two")
    os.utime(page, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert repository.reason("a.html") == "the file has uncommitted changes"


def test_a_file_with_a_filter_has_a_date_as_git_left_it(repository: Repository) -> None:
    """Large files of git LFS, for example: what git has is not what the directory has, and no filter is run."""
    repository.run("config", "filter.upper.clean", "tr a-z A-Z")
    (repository.folder / ".gitattributes").write_text("*.html filter=upper\n")
    repository.commit("2021-01-01", a_html="one")
    index = repository.folder / ".git" / "index"
    os.utime(index, ns=(time.time_ns(), time.time_ns() + 10**9))
    assert repository.day("a.html") == "2021-01-01"
    (repository.folder / "a.html").write_text("two")
    assert repository.reason("a.html") == "the file has uncommitted changes"


def test_a_shallow_clone_is_refused(repository: Repository, tmp_path: Path) -> None:
    repository.commit("2021-01-01", a_html="1")
    repository.commit("2022-02-02", b_html="1")
    repository.run("clone", "-q", "--depth", "1", f"file://{repository.folder}", str(tmp_path / "shallow"))
    git = Git(NOW)
    assert git.last_commit(tmp_path / "shallow" / "a.html", tmp_path / "shallow").reason == SHALLOW
    assert git.refusal(tmp_path / "shallow") == SHALLOW
    assert git.refusal(repository.folder) is None


def test_a_folder_in_no_repository_is_said_to_be_so(tmp_path: Path) -> None:
    assert Git(NOW).last_commit(tmp_path / "a.html", tmp_path).reason == "the directory is not in a git repository"


def test_a_repository_without_commits_knows_nothing(repository: Repository) -> None:
    (repository.folder / "a.html").write_text("1")
    assert repository.reason("a.html") == "the repository has no commits yet"
    repository.run("add", "-A")
    assert repository.reason("a.html") == "the repository has no commits yet"


def test_git_that_is_not_installed_is_said_to_be_so(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(repository.folder))
    assert repository.reason("a.html") == "git is not installed"


def test_a_commit_from_the_future_is_passed_over(repository: Repository) -> None:
    repository.commit("2030-01-01", a_html="1")
    assert repository.reason("a.html") == "its last commit is dated 2030-01-01, which is in the future"


def test_a_commit_from_before_the_web_is_passed_over(repository: Repository) -> None:
    repository.commit("1971-01-01", a_html="1")
    assert repository.reason("a.html") == "its last commit is dated 1971-01-01, which is older than the web"


def test_names_may_be_anything(repository: Repository) -> None:
    names = ["größe.html", "a b.html", "new\nline.html", 'quo"te.html', "-x.html", "\x01.html"]
    for name in names:
        (repository.folder / name).write_text(name)
    repository.run("add", "-A")
    repository.run("commit", "-q", "-m", "x", day="2021-01-01")
    git = Git(NOW)
    assert [repository.day(name, git) for name in names] == ["2021-01-01"] * len(names)


def test_a_submodule_has_its_own_history(repository: Repository, tmp_path: Path) -> None:
    theme = Repository(tmp_path / "theme")
    theme.commit("2019-09-09", a_html="1")
    repository.commit("2021-01-01", b_html="1")
    repository.run("submodule", "--quiet", "add", str(theme.folder), "theme")
    repository.commit("2022-02-02")
    assert (repository.day("theme/a.html"), repository.day("b.html")) == ("2019-09-09", "2021-01-01")


def test_a_link_is_asked_for_itself_and_then_for_what_it_leads_to(repository: Repository, tmp_path: Path) -> None:
    repository.commit("2021-01-01", a_html="1")
    (repository.folder / "b.html").symlink_to("a.html")
    repository.commit("2022-02-02")
    beside = tmp_path / "beside"
    beside.symlink_to(repository.folder)
    assert repository.day("b.html") == "2022-02-02"
    assert Git(NOW).last_commit(beside / "a.html", beside).value == datetime(2021, 1, 1, 12, tzinfo=UTC)
    (tmp_path / "c.html").symlink_to(repository.folder / "a.html")
    assert Git(NOW).last_commit(tmp_path / "c.html", repository.folder).value is not None


def test_the_environment_of_a_hook_does_not_lead_to_another_repository(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.commit("2021-01-01", a_html="1")
    other = Repository(tmp_path / "other")
    other.commit("2022-02-02", a_html="2")
    monkeypatch.setenv("GIT_DIR", str(other.folder / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other.folder / ".git" / "index"))
    assert Git(NOW).last_commit(repository.folder / "a.html", repository.folder).value == datetime(
        2021, 1, 1, 12, tzinfo=UTC
    )


def test_asking_writes_nothing(repository: Repository) -> None:
    repository.commit("2021-01-01", a_html="1")
    os.utime(repository.folder / "a.html", (1, 1))
    index = repository.folder / ".git" / "index"
    before = index.stat().st_mtime_ns, index.read_bytes()
    assert repository.day("a.html") == "2021-01-01"
    assert (index.stat().st_mtime_ns, index.read_bytes()) == before


def test_a_long_history_is_read_no_further_than_needed(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    """One process for the log, however many files are asked for."""
    for number in range(30):
        repository.commit("2021-01-01", a_html=str(number), b_html=str(number))
    begun = []
    popen = subprocess.Popen

    def counted(command: list[str], **arguments: object) -> subprocess.Popen[bytes]:
        begun.append(command)
        return popen(command, **arguments)  # type: ignore[call-overload, no-any-return]

    monkeypatch.setattr(subprocess, "Popen", counted)
    git = Git(NOW)
    assert {repository.day(name, git) for name in ("a.html", "b.html", "a.html")} == {"2021-01-01"}
    assert sum("log" in command for command in begun) == 1
