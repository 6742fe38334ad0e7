"""The check of words finds each phrase that it lists, wherever a person would read it, and nothing else."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

import check_words  # noqa: E402

AVOIDED = check_words.phrases()


def found(text: str, suffix: str) -> list[tuple[int, str]]:
    return [(place.line, place.found) for place in check_words.places(text, suffix, Path("x"), AVOIDED)]


@pytest.mark.parametrize(
    ("suffix", "text", "expected"),
    [
        (".md", "What is listed is no page.\n", [(1, "is no page")]),
        (".md", "One\ntwo of it goes\non with three.\n", [(2, "goes on with")]),
        (".md", "> one goes on\n  with three\n", [(1, "goes on with")]),
        (".md", "It is none of these.\nThere is no page, and it is no longer listed.\n", []),
        (".md", "One is none. The page, if there is none; its date, if there are none.\n", [(1, "is none")]),
        (".py", '"""Its limits, which are None without a file."""\n', []),
        (".md", "Each costs a request, so many tiny files are slow.\n", []),
        (".py", '"""Whose eyes\n    to look with."""\n', [(1, "Whose eyes")]),
        (".py", "x = 1\n# It stands beside\n# the other.\n", [(2, "beside")]),
        (".py", 'f(\n    "ends, so "\n    "many of them"\n)\n', [(2, "so many")]),
        (".py", "beside = mend(None)\n", []),
        (".rs", "/// It is\n/// none.\nlet beside = 1;\n", [(1, "is none")]),
        (".rs", 'fn mend() { print("a whole text, unless given") }\n', [(1, "unless given")]),
        (".md", "besides, an amended beside-the-point\n", []),
    ],
)
def test_phrases_are_found_where_people_read_them(suffix: str, text: str, expected: list[tuple[int, str]]) -> None:
    assert found(text, suffix) == expected


def test_every_phrase_says_what_to_write_instead() -> None:
    assert all(phrase.write for phrase in AVOIDED)


def test_the_files_of_the_package_and_its_docs_are_searched() -> None:
    searched = {str(path.relative_to(ROOT)) for path in check_words.files()}
    assert {"README.md", "docs/tutorial.md", "src/urlset/api.py", "core/src/lib.rs", "CONTRIBUTING.md"} <= searched
