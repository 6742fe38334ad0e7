"""A hostile `.git` changes no date without a word, starts nothing, and makes urlset show no file outside of it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.cases import case_table
from tests.hostile_processes.test_git import Attacked, no_settings, template  # noqa: F401 - fixtures

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the planted files are links, or have odd names")

DATE = datetime(2021, 2, 3, 12, tzinfo=UTC)
SECRET = "token-of-the-user"
ODD_SETTINGS = """
[core]
abbrev = 4
quotePath = true
notesRef = refs/heads/main
commitGraph = true
ignoreCase = true
multiPackIndex = true
[log]
date = format:%s1
mailmap = true
follow = true
decorate = full
excludeDecoration = refs/heads/main
diffMerges = off
[diff]
noprefix = true
relative = true
renames = copies
renameLimit = 1
ignoreSubmodules = all
submodule = log
algorithm = histogram
suppressBlankEmpty = true
[format]
pretty = raw
notes = *
[i18n]
logOutputEncoding = UTF-16
commitEncoding = UTF-16
[color]
ui = always
[grep]
fallbackToNoIndex = true
[protocol]
version = 0
allow = always
[safe]
bareRepository = all
directory = *
[advice]
statusHints = true
[url "ext::PROGRAM"]
insteadOf = https://
"""


class Planted(NamedTuple):
    """Files in `.git`, and what becomes of the date.

    Attributes:
        files: Their contents, which are added to those that exist; a path is one that they link to.
        reason: Why there is no date; empty if there is one.
    """

    files: dict[str, str | Path]
    reason: str = ""


OUTSIDE = Path("../../secret")
PACKED = "# pack-refs with: peeled fully-peeled sorted \n"

ALTERNATES = "objects/info/alternates"
PLANTED = {
    "alternates that are not there": Planted({ALTERNATES: "/nowhere/objects\n../nowhere\n\n#x\n"}),
    "alternates in a file with secrets": Planted({ALTERNATES: "{folder}/../secret\n"}),
    "alternates that are a file with secrets": Planted({ALTERNATES: Path("../../../../secret")}),
    "alternates in themselves": Planted({ALTERNATES: ".\n../objects\n../../.git/objects\n"}),
    "alternates in each other": Planted(
        {ALTERNATES: "../one\n", "one/info/alternates": "../two\n", "two/info/alternates": "../one\n../objects\n"}
    ),
    "alternates nested deeper than git follows": Planted(
        {ALTERNATES: "../0\n", **{f"{number}/info/alternates": f"../{number + 1}\n" for number in range(20)}}
    ),
    "alternates with odd names": Planted({ALTERNATES: '"\\x1b[31m"\n\x1b[31m\n"unterminated\n/proc/self/root\n'}),
    "many alternates": Planted({ALTERNATES: "".join(f"/nowhere/{number}\n" for number in range(20_000))}),
    "alternates that are a directory": Planted({f"{ALTERNATES}/x": "x"}),
    "packed refs with odd names": Planted(
        {
            "packed-refs": PACKED
            + "{head} refs/heads/../../x\n{head} refs/heads/\x1b[31m\n{head} refs/heads/-x\n{head} HEAD\n"
        }
    ),
    "packed refs that replace": Planted(
        {"packed-refs": PACKED + "{first} refs/replace/{head}\n{head} refs/replace/{first}\n"}
    ),
    "packed refs that are a file with secrets": Planted(
        {"packed-refs": OUTSIDE}, "git failed: unexpected line in .git/packed-refs"
    ),
    "packed refs that end early": Planted({"packed-refs": f"{PACKED}{{head}} refs/heads/x\n{SECRET}"}, "git failed: "),
    "refs named HEAD": Planted({f"refs/{kind}/HEAD": "{first}\n" for kind in ("heads", "tags", "remotes")}),
    "replaced commits and trees": Planted(
        {"refs/replace/{head}": "{first}\n", "refs/replace/{tree}": "{first_tree}\n"}
    ),
    "grafts": Planted({"info/grafts": "{head}\n"}),
    "grafts that are a file with secrets": Planted({"info/grafts": OUTSIDE.parent / OUTSIDE}),
    "a shallow file with secrets": Planted({"shallow": OUTSIDE}, "git failed: bad shallow line"),
    "a shallow file that ends the history": Planted(
        {"shallow": "{head}\n"}, "its text is at least as old as the history of this shallow clone"
    ),
    "a HEAD that leads out": Planted({"HEAD": OUTSIDE}, "the directory is not in a git repository"),
    "a HEAD that leads to itself": Planted({"HEAD": "ref: HEAD\n"}, "the directory is not in a git repository"),
    "a HEAD of another repository": Planted({"commondir": "{folder}/../secret\n"}, "the directory is not in a git"),
    "a damaged index": Planted({"index": "DIRC"}, "git failed: "),
    "a damaged graph of commits": Planted({"objects/info/commit-graph": f"CGPH{SECRET}"}),
    "damaged packs": Planted({"objects/pack/pack-1.idx": SECRET, "objects/pack/pack-1.pack": SECRET}),
    "attributes of the repository": Planted(
        {"info/attributes": "* diff=evil filter=evil export-subst working-tree-encoding=UTF-16 ident\n"}
    ),
    "settings of output": Planted({"config": ODD_SETTINGS}),
    "a file of settings with secrets": Planted({"config": OUTSIDE}, "git failed: bad config line 1"),
    "included settings with secrets": Planted({"config": "[include]\npath = ../../secret\n"}, "git failed: bad config"),
    "included settings that include themselves": Planted(
        {"config": "[include]\npath = config\n"}, "git failed: exceeded maximum include depth"
    ),
    "another working tree": Planted({"config": "[core]\nworktree = /\n"}, "git tracks no file in public"),
    "a bare repository": Planted({"config": "[core]\nbare = true\n"}, "git failed: "),
}


@case_table("case", list(PLANTED))
def test_a_planted_file_changes_no_date_without_a_word(case: str, template: Path, tmp_path: Path) -> None:  # noqa: F811
    planted = PLANTED[case]
    attacked = Attacked(template, tmp_path, "diff.<driver>.textconv")
    (tmp_path / "secret").write_text(f"={SECRET}\n")
    _plant(attacked.folder, planted.files)
    date = attacked.text_date()
    value, reason = attacked.answer()
    if planted.reason:
        assert (date.value, value) == (None, None)
        assert date.reason.startswith(planted.reason), date.reason
    else:
        assert (date.value, value) == (DATE, DATE), (date.reason, reason)
        assert date.proof is not None
        assert (date.proof.subject, date.proof.words) == ("third", '"bread." -> "bread and cake."')
    assert SECRET not in date.reason + reason
    assert not attacked.mark.exists()


def _plant(folder: Path, files: dict[str, str | Path]) -> None:
    revisions = {"head": "HEAD", "first": "HEAD~2", "tree": "HEAD^{tree}", "first_tree": "HEAD~2^{tree}"}
    values = {name: _git(folder, "rev-parse", revision) for name, revision in revisions.items()}
    values["folder"] = str(folder)
    for name, content in files.items():
        path = folder / ".git" / name.format(**values)
        path.parent.mkdir(parents=True, exist_ok=True)
        before = path.read_text() if name == "config" else ""
        path.unlink(missing_ok=True)
        if isinstance(content, Path):
            path.symlink_to(content)
        else:
            path.write_text(before + content.format(**values))


def _git(folder: Path, *arguments: str) -> str:
    run = ["git", "-c", "core.fsmonitor=false", *arguments]
    return subprocess.run(run, cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


def test_a_git_file_that_leads_to_another_repository_is_not_a_page_of_it(
    template: Path,  # noqa: F811
    tmp_path: Path,
) -> None:
    attacked = Attacked(template, tmp_path, "core.fsmonitor")
    other = tmp_path / "other"
    shutil.move(attacked.folder / ".git", other)
    (attacked.folder / ".git").write_text(f"gitdir: {tmp_path / 'secret'}\n")
    (tmp_path / "secret").write_text(f"={SECRET}\n")
    assert attacked.text_date().value is None
    assert SECRET not in attacked.text_date().reason
    assert not attacked.mark.exists()
