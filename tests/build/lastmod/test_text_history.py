"""Dates of texts, in repositories made for the test."""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryFile

import pytest
from tests.build.lastmod.test_git import NOW, Repository, own_settings  # noqa: F401 - a fixture

from urlset.build.lastmod.first_parent_log import split_at_nul
from urlset.build.lastmod.git_process import GitError
from urlset.build.lastmod.text_history import TextHistory

TEXT = "We bake bread every morning.\n"


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "site")


def put(repository: Repository, day: str, message: str = "x", **texts: str | None) -> None:
    """Commit Markdown files; `docs__a` is docs/a.md."""
    for name, text in texts.items():
        path = repository.folder / f"{name.replace('__', '/')}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        if text is None:
            path.unlink()
        else:
            path.write_text(text)
    repository.run("add", "-A")
    repository.run("commit", "-q", "--allow-empty", "-m", message, day=day)


def day(repository: Repository, name: str = "a.md") -> str | None:
    date = TextHistory(NOW).date(repository.folder / name, repository.folder)
    return None if date.value is None else f"{date.value:%Y-%m-%d}"


@pytest.mark.parametrize(
    "changed",
    [
        "---\ndate: 2024-01-01\ntags: [x]\n---\nWe bake bread every morning.\n",
        "We *bake* bread\nevery   **morning**.\n\n",
        "We bake [bread](/bread.3f2a.html) every morning. <!-- TODO -->",
        "We bake bread every morning.\r\n",
    ],
)
def test_what_a_reader_does_not_see_does_not_count(repository: Repository, changed: str) -> None:
    put(repository, "2021-01-01", a=TEXT)
    (repository.folder / "a.md").write_bytes(changed.encode())
    repository.run("commit", "-q", "-a", "-m", "x", day="2022-02-02")
    assert day(repository) == "2021-01-01"


def test_the_commit_is_the_proof(repository: Repository) -> None:
    put(repository, "2021-01-01", a=TEXT)
    put(repository, "2022-02-02", "Bake cake as well", a="We bake bread and cake every morning.\n")
    put(repository, "2023-03-03", a="We bake bread *and cake* every morning.\n")
    date = TextHistory(NOW).date(repository.folder / "a.md", repository.folder)
    assert date.proof is not None
    assert (date.proof.path, date.proof.subject, date.proof.words) == ("a.md", "Bake cake as well", 'added "and cake"')
    assert date.proof.committed == date.value
    assert date.proof.commit == repository.run("rev-parse", "HEAD~").strip()


def test_renames_are_followed_also_with_other_front_matter(repository: Repository) -> None:
    put(repository, "2021-01-01", a=TEXT)
    put(repository, "2022-02-02", a=None, docs__b=f"---\nweight: 1\n---\n{TEXT}")
    put(repository, "2023-03-03", docs__b=None, docs__c=TEXT)
    assert day(repository, "docs/c.md") == "2021-01-01"


def test_a_merge_dates_what_it_brings(repository: Repository) -> None:
    put(repository, "2021-01-01", a=TEXT, b=TEXT)
    repository.run("checkout", "-q", "-b", "side")
    put(repository, "2022-01-01", a="We bake cake.\n")
    repository.run("checkout", "-q", "main")
    put(repository, "2022-02-02", c=TEXT)
    repository.run("merge", "-q", "--no-ff", "-m", "merge", "side", day="2023-03-03")
    assert (day(repository), day(repository, "b.md")) == ("2023-03-03", "2021-01-01")


def test_commits_that_only_reformat_are_ignored_as_listed(repository: Repository) -> None:
    put(repository, "2021-01-01", a=TEXT)
    put(repository, "2022-02-02", a="We bake bread each morning.\n")
    ignored = repository.run("rev-parse", "HEAD").strip()
    assert day(repository) == "2022-02-02"
    (repository.folder / ".git-blame-ignore-revs").write_text(f"# spelling\n{ignored} # all\n")
    put(repository, "2023-03-03")
    assert day(repository) == "2021-01-01"


def test_an_ignored_commit_that_a_merge_brought_is_ignored(repository: Repository) -> None:
    put(repository, "2021-01-01", a=TEXT, b=TEXT)
    repository.run("checkout", "-q", "-b", "side")
    put(repository, "2022-02-02", a="We bake bread each morning.\n")
    ignored = repository.run("rev-parse", "HEAD").strip()
    put(repository, "2022-02-03", b="We bake cake.\n")
    repository.run("checkout", "-q", "main")
    repository.run("merge", "-q", "--no-ff", "-m", "merge", "side", day="2023-03-03")
    (repository.folder / ".git-blame-ignore-revs").write_text(f"{ignored}\n")
    put(repository, "2024-04-04")
    assert (day(repository), day(repository, "b.md")) == ("2021-01-01", "2023-03-03")


def test_a_sweep_is_named_with_its_files(repository: Repository) -> None:
    names = [f"p{number}" for number in range(5)]
    put(repository, "2021-01-01", **{name: f"Page {name} says © 2020 Bakery.\n" for name in names})
    put(repository, "2022-02-02", "Year", **{name: f"Page {name} says © 2021 Bakery.\n" for name in names})
    history = TextHistory(NOW)
    history.read(repository.folder, [repository.folder / f"{name}.md" for name in names])
    date = history.date(repository.folder / "p1.md", repository.folder)
    assert date.proof is not None
    assert date.proof.files == 5
    assert '"2020" -> "2021", the same change in 5 files: Year' in date.reason


def test_a_shallow_clone_has_dates_of_what_it_can_see(repository: Repository, tmp_path: Path) -> None:
    put(repository, "2021-01-01", a=TEXT, b=TEXT)
    put(repository, "2022-02-02", a="We bake cake.\n")
    clone = tmp_path / "shallow"
    repository.run("clone", "-q", "--depth", "2", f"file://{repository.folder}", str(clone))
    put(repository, "2023-03-03", a="We bake cake.\n")
    history = TextHistory(NOW)
    dates = [history.date(clone / name, clone) for name in ("a.md", "b.md")]
    assert dates[0].value is not None
    assert f"{dates[0].value:%Y-%m-%d}" == "2022-02-02"
    assert dates[1].value is None
    assert dates[1].reason == "its text is at least as old as the history of this shallow clone"
    assert "fetch-depth: 0" in history.notes[0]


def test_a_partial_clone_is_asked_for_what_it_has(repository: Repository, tmp_path: Path) -> None:
    repository.run("config", "uploadpack.allowFilter", "true")
    put(repository, "2021-01-01", a=TEXT, b="We sell bread.\n")
    put(repository, "2022-02-02", a="We bake cake.\n")
    clone = tmp_path / "partial"
    repository.run("clone", "-q", "--filter=blob:none", f"file://{repository.folder}", str(clone))
    before = sorted((clone / ".git" / "objects").rglob("*"))
    history = TextHistory(NOW)
    dates = [history.date(clone / name, clone) for name in ("a.md", "b.md")]
    assert dates[0].reason == "this partial clone lacks a version of it"
    assert dates[1].value is not None
    assert sorted((clone / ".git" / "objects").rglob("*")) == before


def test_a_second_run_reads_only_new_commits(repository: Repository) -> None:
    put(repository, "2021-01-01", a=TEXT, b=TEXT)
    for number in range(10):
        put(repository, "2022-02-02", other=str(number))
    first = TextHistory(NOW)
    first.read(repository.folder, [repository.folder / "a.md", repository.folder / "b.md"])
    put(repository, "2023-03-03", a=None, c=TEXT, b="We bake cake.\n")
    second = TextHistory(NOW, first.kept)
    second.read(repository.folder, [repository.folder / "c.md", repository.folder / "b.md"])
    assert (first.commits_read, second.commits_read) == (11, 1)
    days = [second.date(repository.folder / name, repository.folder).value for name in ("c.md", "b.md")]
    assert [f"{value:%Y-%m-%d}" for value in days if value] == ["2021-01-01", "2023-03-03"]


@pytest.mark.parametrize("name", ["part.js", "part.html", "part.md"])
def test_all_words_of_code_that_a_page_shows_count(repository: Repository, name: str) -> None:
    part = repository.folder / name
    texts = {
        "2021-01-01": "---\nlimit: 1\n---\n<b id=one>x</b>\n",
        "2022-02-02": "---\nlimit: 2\n---\n<b id=two>x</b>\n",
    }
    for committed, text in texts.items():
        part.write_text(text)
        repository.run("add", "-A")
        repository.run("commit", "-q", "-m", "x", day=committed)
    as_page = TextHistory(NOW)
    as_page.read(repository.folder, [part])
    assert f"{as_page.date(part, repository.folder).value:%Y-%m-%d}" == "2021-01-01"
    # What a build kept of the file as a page says nothing about it as code.
    for kept in (None, as_page.kept):
        as_code = TextHistory(NOW, kept)
        as_code.read(repository.folder, [part], [part])
        assert f"{as_code.date(part, repository.folder).value:%Y-%m-%d}" == "2022-02-02"
    again = TextHistory(NOW, as_code.kept)
    again.read(repository.folder, [part], [part])
    assert f"{again.date(part, repository.folder).value:%Y-%m-%d}" == "2022-02-02"
    assert again.commits_read == 0
    part.write_text("---\nlimit: 3\n---\n<b id=2>x</b>\n")
    edited = TextHistory(NOW)
    edited.read(repository.folder, [part], [part])
    assert edited.date(part, repository.folder).reason == "its text has uncommitted changes"


def test_each_directory_of_a_repository_uses_what_was_kept(repository: Repository) -> None:
    put(repository, "2021-01-01", docs__a=TEXT, blog__b=TEXT)
    first = TextHistory(NOW)
    first.read(repository.folder, [repository.folder / "docs/a.md", repository.folder / "blog/b.md"])
    put(repository, "2022-02-02", other="x")
    second = TextHistory(NOW, first.kept)
    for name in ("docs/a.md", "blog/b.md"):
        assert second.date(repository.folder / name, (repository.folder / name).parent).value is not None
    assert second.commits_read == 2
    assert second.kept[str(repository.folder.resolve())].proofs.keys() == {"docs/a.md", "blog/b.md"}


def test_a_file_outside_of_the_directory_is_tracked_too(repository: Repository) -> None:
    put(repository, "2021-01-01", docs__a=TEXT, examples__b=TEXT)
    put(repository, "2022-02-02", examples__b="We bake cake.\n")
    docs = repository.folder / "docs"
    history = TextHistory(NOW)
    history.read(docs, [docs / "a.md", repository.folder / "examples" / "b.md"])
    date = history.newest([docs / "a.md", repository.folder / "examples" / "b.md"], docs)
    assert f"{date.value:%Y-%m-%d}" == "2022-02-02"
    assert history.commits_read == 2


def test_edits_count_only_if_a_reader_sees_them(repository: Repository) -> None:
    put(repository, "2021-01-01", a=TEXT, b=TEXT)
    (repository.folder / "a.md").write_text(f"---\ndraft: false\n---\n{TEXT}")
    (repository.folder / "b.md").write_text("We bake cake.\n")
    assert day(repository) == "2021-01-01"
    reason = TextHistory(NOW).date(repository.folder / "b.md", repository.folder).reason
    assert reason == "its text has uncommitted changes"


def test_generated_files_are_told_to_use_their_sources(repository: Repository) -> None:
    put(repository, "2021-01-01", content__a=TEXT)
    dist = repository.folder / "dist"
    dist.mkdir()
    (dist / "a.html").write_text("<p>text")
    reason = TextHistory(NOW).date(dist / "a.html", dist).reason
    assert reason == "git tracks no file in dist; if it is generated, name the directory of the sources of its pages"


def test_the_history_is_read_with_one_log_and_one_process_for_files(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(5):
        put(repository, "2021-01-01", a=str(number), b=str(number))
    begun: list[list[str]] = []
    popen = subprocess.Popen

    def counted(command: list[str], **arguments: object) -> subprocess.Popen[bytes]:
        begun.append(command)
        return popen(command, **arguments)  # type: ignore[call-overload, no-any-return]

    monkeypatch.setattr(subprocess, "Popen", counted)
    TextHistory(NOW).read(repository.folder, [repository.folder / "a.md", repository.folder / "b.md"])
    assert sum("log" in command for command in begun) == 1
    assert sum("cat-file" in command for command in begun) == 1


def test_each_kind_of_repository_without_dates_says_why(repository: Repository, tmp_path: Path) -> None:
    put(repository, "2021-01-01", docs__a=TEXT)
    repository.run("clone", "-q", "--bare", ".", str(tmp_path / "bare"))
    bare = TextHistory(NOW).date(tmp_path / "bare" / "HEAD", tmp_path / "bare")
    assert bare.reason.startswith(
        f"{tmp_path / 'bare'} looks like a bare repository, whose configuration is not trusted"
    )
    repository.run("worktree", "add", "-q", str(tmp_path / "worktree"))
    assert TextHistory(NOW).date(tmp_path / "worktree" / "docs" / "a.md", tmp_path / "worktree").value is not None
    repository.run("sparse-checkout", "set", "other")
    sparse = TextHistory(NOW).date(repository.folder / "docs" / "a.md", repository.folder)
    assert sparse.reason == "the file is not in the working tree, as in a sparse checkout"


@pytest.mark.parametrize(("stamp", "reason"), [("1975-05-05", "older than the web"), ("2099-01-01", "in the future")])
def test_a_date_that_cannot_be_is_not_one(repository: Repository, stamp: str, reason: str) -> None:
    put(repository, stamp, a=TEXT)
    date = TextHistory(NOW).date(repository.folder / "a.md", repository.folder)
    assert (date.value, date.proof) == (None, None)
    assert reason in date.reason


@pytest.mark.skipif(sys.platform == "win32", reason="the old git is a shell script")
def test_a_git_that_is_too_old_is_said_to_be_so(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(repository, "2021-01-01", a=TEXT)
    old = tmp_path / "bin" / "git"
    old.parent.mkdir()
    old.write_text("#!/bin/sh\necho git version 2.17.1\n")
    old.chmod(0o755)
    monkeypatch.setenv("PATH", str(old.parent))
    reason = TextHistory(NOW).date(repository.folder / "a.md", repository.folder).reason
    assert reason == "git version 2.17.1 is too old; install git 2.28 or later"


def test_output_is_split_across_blocks() -> None:
    """Also if a piece is longer than many blocks, and if errors would fill a pipe."""
    output = "'a\\0' + 'b' * 200_000 + '\\0c'"
    program = f"import sys; sys.stderr.write('e' * 200_000); sys.stdout.write({output}); sys.exit(1)"
    with (
        TemporaryFile() as errors,
        subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=errors) as process,
    ):
        assert process.stdout is not None
        pieces = split_at_nul(process.stdout, process, errors)
        assert [next(pieces), next(pieces), next(pieces)] == ["a", "b" * 200_000, "c"]
        with pytest.raises(GitError, match="eee"):
            next(pieces)
