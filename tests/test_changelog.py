"""The fragments of the changelog: one sentence each, of a known type, and the next release can be made from them."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FOLDER = "changelog.d"
TYPES = {
    entry["directory"]
    for entry in tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["towncrier"]["type"]
}


def check(fragment: Path) -> None:
    text = fragment.read_text(encoding="utf-8")
    first = text.split(" ")[0]
    assert fragment.suffixes[-2].removeprefix(".") in TYPES, f"{fragment.name}: a known type"
    assert text.count("\n") == 1, f"{fragment.name}: one line"
    assert text.endswith(".\n"), f"{fragment.name}: a sentence"
    assert first.isalpha(), f"{fragment.name}: a verb first"
    assert first == first.capitalize(), f"{fragment.name}: a verb first"


def notes_of(root: Path) -> str:
    command = [sys.executable, "-m", "towncrier", "build", "--draft", "--version", "9.9.9", "--date", "2026-01-01"]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout


def test_each_fragment_is_one_line_that_starts_with_a_verb() -> None:
    for fragment in (ROOT / FOLDER).glob("*.md"):
        check(fragment)


def test_a_good_fragment_is_accepted(tmp_path: Path) -> None:
    for kind in TYPES:
        fragment = tmp_path / f"+sample.{kind}.md"
        fragment.write_text("Add a sample, such as `a.b`.\n", encoding="utf-8")
        check(fragment)


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("+sample.feature.md", "Add a sample.\n", "a known type"),
        ("+sample.added.md", "Add a sample.\nAnd more.\n", "one line"),
        ("+sample.added.md", "Add a sample.", "one line"),
        ("+sample.added.md", "Add a sample\n", "a sentence"),
        ("+sample.added.md", "`urlset` has a sample.\n", "a verb first"),
        ("+sample.added.md", "add a sample.\n", "a verb first"),
    ],
)
def test_a_bad_fragment_is_rejected(tmp_path: Path, name: str, text: str, why: str) -> None:
    fragment = tmp_path / name
    fragment.write_text(text, encoding="utf-8")
    with pytest.raises(AssertionError, match=why):
        check(fragment)


def test_the_next_release_is_made_from_the_fragments(tmp_path: Path) -> None:
    for name in ("pyproject.toml", "CHANGELOG.md"):
        shutil.copy(ROOT / name, tmp_path / name)
    shutil.copytree(ROOT / FOLDER, tmp_path / FOLDER)
    (tmp_path / FOLDER / "+sample-of-this-test.fixed.md").write_text("Fix a sample.\n", encoding="utf-8")
    notes = notes_of(tmp_path)
    assert "## [9.9.9] - 2026-01-01" in notes
    fragments = list((tmp_path / FOLDER).glob("*.md"))
    assert "- Fix a sample.\n" in notes
    for fragment in fragments:
        assert fragment.read_text(encoding="utf-8").strip() in notes


def test_the_folder_exists_without_fragments(tmp_path: Path) -> None:
    assert (ROOT / FOLDER / ".gitkeep").is_file()
    for name in ("pyproject.toml", "CHANGELOG.md"):
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / FOLDER).mkdir()
    assert "## [9.9.9] - 2026-01-01" in notes_of(tmp_path)
