"""The fragments of the changelog: one sentence each, of a known type, and the next release can be made from them."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
FRAGMENTS = sorted((ROOT / "changelog.d").glob("*.md"))
TYPES = {
    entry["directory"]
    for entry in tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["towncrier"]["type"]
}


def test_each_fragment_is_one_line_that_starts_with_a_verb() -> None:
    for fragment in FRAGMENTS:
        text = fragment.read_text(encoding="utf-8")
        first = text.split(" ")[0]
        assert fragment.suffixes[-2].removeprefix(".") in TYPES, fragment.name
        assert text.count("\n") == 1, f"{fragment.name}: one line"
        assert text.endswith(".\n"), f"{fragment.name}: a sentence"
        assert first.isalpha(), f"{fragment.name}: a verb first"
        assert first == first.capitalize(), f"{fragment.name}: a verb first"


def test_the_next_release_is_made_from_the_fragments() -> None:
    command = [sys.executable, "-m", "towncrier", "build", "--draft", "--version", "9.9.9", "--date", "2026-01-01"]
    notes = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert "## [9.9.9] - 2026-01-01" in notes
    for fragment in FRAGMENTS:
        assert fragment.read_text(encoding="utf-8").strip() in notes
