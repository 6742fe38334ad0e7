"""No configuration of a repository starts a program: each way that git's documentation names is an attack.

`PROGRAM` stands for a program that leaves a file behind. A command next to an attack is one of plain git that starts
it: a test shows so, because an attack that works nowhere proves nothing.
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from tests.cases import case_table

import urlset.build
from urlset.build.lastmod.evidence import TextDate
from urlset.build.lastmod.git import Git
from urlset.build.lastmod.text_history import TextHistory
from urlset.cli.main import main

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the planted program is a shell script")

FETCHED = '[extensions]\npartialClone = origin\n[protocol]\nallow = always\n[protocol "ext"]\nallow = always\n'
"""A partial clone fetches objects that are missing: from where, the configuration says."""
LAZY = ("cat-file", "-t", "1234567890123456789012345678901234567890")


def _origin(lines: str) -> str:
    return f'{FETCHED}[remote "origin"]\npromisor = true\n{lines}\n'


ATTACKS: dict[str, tuple[str, tuple[str, ...]]] = {
    "core.fsmonitor": ("[core]\nfsmonitor = PROGRAM", ("status",)),
    "core.fsmonitor of version 1": ("[core]\nfsmonitor = PROGRAM\nfsmonitorHookVersion = 1", ("status",)),
    "core.hooksPath": ("[core]\nhooksPath = HOOKS", ("update-index", "--refresh")),
    "core.pager": ("[core]\npager = PROGRAM", ()),
    "pager.<cmd>": ("[pager]\nlog = PROGRAM\nls-files = PROGRAM\nls-tree = PROGRAM\nrev-parse = PROGRAM", ()),
    "core.editor": ("[core]\neditor = PROGRAM", ("commit", "--allow-empty")),
    "sequence.editor": ("[sequence]\neditor = PROGRAM", ()),
    "core.askPass": (_origin("url = https://127.0.0.1:1/x") + "[core]\naskPass = PROGRAM", ()),
    "core.sshCommand": (_origin("url = ssh://127.0.0.1/x") + "[core]\nsshCommand = PROGRAM", LAZY),
    "core.gitProxy": (_origin("url = git://127.0.0.1/x") + "[core]\ngitProxy = PROGRAM", LAZY),
    "core.alternateRefsCommand": ("[core]\nalternateRefsCommand = PROGRAM", ()),
    "credential.helper": (
        _origin("url = https://127.0.0.1:1/x") + "[credential]\nhelper = !PROGRAM", ("credential", "fill")
    ),
    "protocol.ext": (_origin("url = ext::PROGRAM"), LAZY),
    "remote.<name>.vcs": (_origin("url = x\nvcs = ext::PROGRAM"), ()),
    "remote.<name>.uploadpack": (_origin("url = file://FOLDER\nuploadpack = PROGRAM"), LAZY),
    "url.<base>.insteadOf": (_origin("url = safe:x") + "[url \"ext::PROGRAM \"]\ninsteadOf = safe:", LAZY),
    "remote.<name>.promisor alone": (
        "[protocol]\nallow = always\n[remote \"other\"]\npromisor = true\nurl = ext::PROGRAM", LAZY
    ),
    "filter.<driver>.clean": ("[filter \"evil\"]\nclean = PROGRAM", ("status",)),
    "filter.<driver>.smudge": (
        "[filter \"evil\"]\nsmudge = PROGRAM", ("cat-file", "--filters", "HEAD:public/index.html")
    ),
    "filter.<driver>.process": ("[filter \"evil\"]\nprocess = PROGRAM\nrequired", ("status",)),
    "diff.<driver>.textconv": ("[diff \"evil\"]\ntextconv = PROGRAM", ("log", "-p")),
    "diff.<driver>.command": ("[diff \"evil\"]\ncommand = PROGRAM", ("diff", "HEAD~")),
    "diff.external": ("[diff]\nexternal = PROGRAM", ("diff", "HEAD~")),
    "difftool.<tool>.cmd": ("[diff]\ntool = evil\n[difftool \"evil\"]\ncmd = PROGRAM\n[difftool]\nprompt = false", ()),
    "mergetool.<tool>.cmd": ("[merge]\ntool = evil\n[mergetool \"evil\"]\ncmd = PROGRAM", ()),
    "merge.<driver>.driver": ("[merge \"evil\"]\ndriver = PROGRAM", ()),
    "interactive.diffFilter": ("[interactive]\ndiffFilter = PROGRAM", ()),
    "alias.<name>": ("[alias]\nlog = !PROGRAM\nls-files = !PROGRAM\nls-tree = !PROGRAM\nrev-parse = !PROGRAM", ()),
    "gpg.program": ("[log]\nshowSignature = true\n[gpg]\nprogram = PROGRAM", ("log",)),
    "gpg.<format>.program": ("[log]\nshowSignature = true\n[gpg \"openpgp\"]\nprogram = PROGRAM", ("log",)),
    "gpg.ssh.defaultKeyCommand": ("[gpg]\nformat = ssh\n[gpg \"ssh\"]\ndefaultKeyCommand = PROGRAM", ()),
    "trailer.<token>.cmd": ("[trailer \"x\"]\ncmd = PROGRAM\ncommand = PROGRAM", ()),
    "submodule.<name>.update": (
        "[submodule]\nrecurse = true\n[submodule \"x\"]\nupdate = !PROGRAM\nurl = ext::PROGRAM", ()
    ),
    "uploadpack.packObjectsHook": ("[uploadpack]\npackObjectsHook = PROGRAM", ()),
    "gc and maintenance": ("[gc]\nauto = 1\nrecentObjectsHook = PROGRAM\n[maintenance]\nauto = true", ()),
    "trace2.*Target": ("[trace2]\neventTarget = MARK\nnormalTarget = MARK\nperfTarget = MARK", ()),
    "hook.<name>.command": ("[hook \"x\"]\nevent = post-index-change\ncommand = PROGRAM", ()),
    "include.path": ("[include]\npath = ../planted", ("status",)),
    "includeIf.<condition>.path": ("[includeIf \"gitdir:**\"]\npath = ../planted", ("status",)),
    "extensions.worktreeConfig": ("[extensions]\nworktreeConfig = true", ("status",)),
}  # fmt: skip

NO_SETTINGS = "[user]\nname = A\nemail = a@example.com\n[commit]\ngpgSign = false\n"


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with a page and attributes that name the drivers, whose last commit has a signature."""
    folder = tmp_path_factory.mktemp("template")
    page = folder / "public" / "index.html"
    page.parent.mkdir()
    page.write_text("<title>Bread</title><p>We bake bread.")
    (folder / ".gitattributes").write_text("* filter=evil diff=evil merge=evil\n")
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_AUTHOR_DATE": "2021-02-03T12:00:00Z"}
    environment["GIT_COMMITTER_DATE"] = environment["GIT_AUTHOR_DATE"]
    who = ["-c", "user.name=A", "-c", "user.email=a@example.com"]
    for line in ("init -q -b main", "add -A", "commit -q -m first", "commit -q --allow-empty -m second"):
        subprocess.run(["git", *who, *line.split()], cwd=folder, env=environment, check=True)
    page.write_text("<title>Bread</title><p>We bake bread and cake.")
    subprocess.run(["git", *who, "commit", "-q", "-a", "-m", "third"], cwd=folder, env=environment, check=True)
    commit = subprocess.run(["git", "cat-file", "commit", "HEAD"], cwd=folder, check=True, capture_output=True).stdout
    headers, _, message = commit.partition(b"\n\n")
    signature = b"gpgsig -----BEGIN PGP SIGNATURE-----\n x\n -----END PGP SIGNATURE-----"
    signed = subprocess.run(
        ["git", "hash-object", "-t", "commit", "-w", "--stdin"],
        cwd=folder, check=True, capture_output=True, input=headers + b"\n" + signature + b"\n\n" + message,
    ).stdout.decode().strip()  # fmt: skip
    subprocess.run(["git", "update-ref", "HEAD", signed], cwd=folder, check=True)
    return folder


class Attacked:
    """A copy of the repository with a planted configuration.

    Attributes:
        mark: What the program leaves behind.
    """

    def __init__(self, template: Path, folder: Path, attack: str) -> None:
        self.folder = folder / "clone"
        self.mark = folder / "ran"
        shutil.copytree(template, self.folder)
        program = folder / "program"
        program.write_text(f"#!/bin/sh\ntouch '{self.mark}'\nexit 1\n")
        program.chmod(0o755)
        hooks = folder / "hooks"
        hooks.mkdir()
        for name in (
            "post-index-change",
            "reference-transaction",
            "pre-auto-gc",
            "post-checkout",
            "fsmonitor-watchman",
        ):
            shutil.copy(program, hooks / name)
        shutil.copytree(hooks, self.folder / ".git" / "hooks", dirs_exist_ok=True)
        lines = ATTACKS[attack][0]
        for name, value in (("PROGRAM", program), ("HOOKS", hooks), ("MARK", self.mark), ("FOLDER", template)):
            lines = lines.replace(name, str(value))
        planted = f"[core]\nfsmonitor = {program}\n"
        (self.folder / "planted").write_text(planted)
        (self.folder / ".git" / "config.worktree").write_text(planted)
        self.lines = lines
        own = self.folder / ".git" / "config"
        own.write_text(own.read_text().replace("version = 0", "version = 1") + lines + "\n")
        # As if it had been touched: git then compares its content.
        os.utime(self.folder / "public" / "index.html", (1, 1))

    def plant_bare_repository(self) -> None:
        """Make the directory of the pages a repository itself, as a pull request can."""
        public = self.folder / "public"
        for name in ("objects", "refs"):
            (public / name).mkdir()
        (public / "HEAD").write_text("ref: refs/heads/main")
        (public / "config").write_text(
            f"[core]\nrepositoryformatversion = 1\nbare = false\nworktree = .\n{self.lines}\n"
        )
        (public / "config.worktree").write_text((self.folder / "planted").read_text())

    def answer(self) -> tuple[date | None, str]:
        public = self.folder / "public"
        answer = Git(datetime(2026, 1, 1, tzinfo=UTC)).last_commit(public / "index.html", public)
        return answer.value, answer.reason

    def text_date(self) -> TextDate:
        public = self.folder / "public"
        return TextHistory(datetime(2026, 1, 1, tzinfo=UTC)).date(public / "index.html", public)


@pytest.fixture(autouse=True)
def no_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = tmp_path / "gitconfig"
    settings.write_text(NO_SETTINGS)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(settings))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")


@case_table("attack", list(ATTACKS))
def test_the_configuration_of_a_repository_starts_nothing(attack: str, template: Path, tmp_path: Path) -> None:
    attacked = Attacked(template, tmp_path, attack)
    assert attacked.answer() == (datetime(2021, 2, 3, 12, tzinfo=UTC), "its last commit")
    assert attacked.text_date().value == datetime(2021, 2, 3, 12, tzinfo=UTC)
    assert not attacked.mark.exists()


@case_table("attack", list(ATTACKS))
def test_a_planted_bare_repository_starts_nothing(attack: str, template: Path, tmp_path: Path) -> None:
    attacked = Attacked(template, tmp_path, attack)
    attacked.plant_bare_repository()
    value, reason = attacked.answer()
    assert value is None
    assert "looks like a bare repository" in reason
    assert attacked.text_date().value is None
    assert not attacked.mark.exists()


@case_table("attack", [name for name, (_, command) in ATTACKS.items() if command])
def test_plain_git_starts_the_program(attack: str, template: Path, tmp_path: Path) -> None:
    attacked = Attacked(template, tmp_path, attack)
    subprocess.run(
        ["git", *ATTACKS[attack][1]], cwd=attacked.folder, capture_output=True, check=False,
        input=b"protocol=https\nhost=127.0.0.1\n\n", timeout=30,
    )  # fmt: skip
    assert attacked.mark.exists()


@case_table("attack", [name for name, (lines, _) in ATTACKS.items() if FETCHED in lines])
def test_a_missing_object_is_not_fetched(attack: str, template: Path, tmp_path: Path) -> None:
    """In a partial clone, `git log` and `git ls-tree` ask the remote for trees that they lack."""
    attacked = Attacked(template, tmp_path, attack)
    objects = attacked.folder / ".git" / "objects"
    tree = subprocess.run(
        ["git", "rev-parse", "HEAD:public"], cwd=template, capture_output=True, check=True, text=True
    ).stdout.strip()
    (objects / tree[:2] / tree[2:]).unlink()
    value, reason = attacked.answer()
    assert value is None
    assert reason.startswith("git failed: ")
    assert attacked.text_date().value is None
    assert not attacked.mark.exists()


@case_table("attack", [name for name, (lines, _) in ATTACKS.items() if FETCHED in lines])
def test_a_missing_version_of_a_file_is_not_fetched(attack: str, template: Path, tmp_path: Path) -> None:
    attacked = Attacked(template, tmp_path, attack)
    objects = attacked.folder / ".git" / "objects"
    page = subprocess.run(
        ["git", "rev-parse", "HEAD~2:public/index.html"], cwd=template, capture_output=True, check=True, text=True
    ).stdout.strip()
    (objects / page[:2] / page[2:]).unlink()
    assert attacked.text_date().value is None
    assert not attacked.mark.exists()


def test_a_history_that_a_repository_substitutes_does_not_count(template: Path, tmp_path: Path) -> None:
    """A replacement of the newest commit, which would make it the first one, and the same as a graft."""
    attacked = Attacked(template, tmp_path, "core.pager")
    git = ["git", "-c", "user.name=A", "-c", "user.email=a@example.com"]
    head, tree = (
        subprocess.run(
            ["git", "rev-parse", name], cwd=template, capture_output=True, check=True, text=True
        ).stdout.strip()
        for name in ("HEAD", "HEAD~2^{tree}")
    )
    environment = {
        **os.environ,
        "GIT_AUTHOR_DATE": "2001-01-01T00:00:00Z",
        "GIT_COMMITTER_DATE": "2001-01-01T00:00:00Z",
    }
    other = subprocess.run(
        [*git, "commit-tree", "-m", "other", tree],
        cwd=attacked.folder, capture_output=True, check=True, text=True, env=environment,
    ).stdout.strip()  # fmt: skip
    replacements = attacked.folder / ".git" / "refs" / "replace"
    replacements.mkdir()
    (replacements / head).write_text(f"{other}\n")
    (attacked.folder / ".git" / "info").mkdir(exist_ok=True)
    (attacked.folder / ".git" / "info" / "grafts").write_text(f"{head}\n")
    for value in (attacked.text_date().value, attacked.answer()[0]):
        assert value == datetime(2021, 2, 3, 12, tzinfo=UTC)
    proof = attacked.text_date().proof
    assert proof is not None
    assert (proof.commit, proof.words) == (head, '"bread." -> "bread and cake."')


def test_a_build_runs_nothing(template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    attacked = Attacked(template, tmp_path, "core.fsmonitor")
    attacked.plant_bare_repository()
    monkeypatch.chdir(attacked.folder)
    assert main(["build", "public", "--base-url", "https://www.example.com/", "--dry-run"]) == 0
    assert not attacked.mark.exists()


def test_a_submodule_is_treated_as_its_repository(template: Path, tmp_path: Path) -> None:
    inner = Attacked(template, tmp_path, "filter.<driver>.clean")
    outer = Attacked(template, tmp_path / "outer", "core.fsmonitor")
    run = ["git", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"]
    theme = outer.folder / "public" / "theme"
    inner.folder.rename(theme)
    gitlink = f"160000,{'1' * 40},public/theme"
    subprocess.run([*run, "update-index", "--add", "--cacheinfo", gitlink], cwd=outer.folder, check=True)
    subprocess.run([*run, "commit", "-q", "-m", "theme"], cwd=outer.folder, check=True)
    git = Git(datetime(2099, 1, 1, tzinfo=UTC))
    page = theme / "public" / "index.html"
    assert git.last_commit(page, outer.folder / "public").value == datetime(2021, 2, 3, 12, tzinfo=UTC)
    assert not inner.mark.exists()
    # Without a repository of its own, and with one whose working tree is the outer one.
    shutil.rmtree(theme / ".git")
    assert Git(datetime.now(UTC)).last_commit(page, outer.folder).reason == "the file is not tracked by git"
    shutil.copytree(outer.folder / ".git", theme / ".git")
    with (theme / ".git" / "config").open("a") as config:
        config.write(f"[core]\nworktree = {outer.folder}\n")
    assert Git(datetime.now(UTC)).last_commit(page, outer.folder).reason == "the file is not tracked by git"
    assert not outer.mark.exists()


def test_git_is_not_taken_from_the_current_directory(
    template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    attacked = Attacked(template, tmp_path, "core.pager")
    shutil.copy(tmp_path / "program", attacked.folder / "git")
    monkeypatch.chdir(attacked.folder)
    monkeypatch.setenv("PATH", os.pathsep.join(["", ".", os.environ["PATH"]]))
    assert attacked.answer()[1] == "its last commit"
    assert not attacked.mark.exists()


def test_safe_directory_of_the_user_counts(template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    attacked = Attacked(template, tmp_path, "core.pager")
    # git treats each repository as another user's.
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    assert "trust it with git config" in attacked.answer()[1]
    (tmp_path / "gitconfig").write_text(f"{NO_SETTINGS}[safe]\ndirectory = {attacked.folder}\n")
    assert attacked.answer()[1] == "its last commit"


def test_one_function_starts_git() -> None:
    package = Path(urlset.build.__path__[0]).parent
    found = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if '"git"' in (text := path.read_text(encoding="utf-8")) and "subprocess" in text
    }
    assert found == {"build/lastmod/git_process.py"}
    calls = {call for path in (package / "build" / "lastmod").glob("*.py") for call in _subcommands(path)}
    known = {"version", "rev-parse", "ls-tree", "ls-files", "log", "cat-file"}
    assert calls == known, "these read objects and the index only"


def _subcommands(path: Path) -> Iterator[str]:
    """Yield the subcommands of git that a file runs."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"output", "start"}:
            argument = node.args[1]
            yield str(argument.value) if isinstance(argument, ast.Constant) else "log"
