"""Both tiers cover the same subjects: what runs only in `make test-all` has a short form in `make test`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.tiers import SUBJECTS, table

TESTS = Path(__file__).parent


def long_tests() -> Iterator[tuple[str, str]]:
    """The tests that are marked as long, as `file::function`, with the subject that each names."""
    for path in sorted(TESTS.rglob("test_*.py")):
        text = path.read_text("utf-8")
        # To parse all files would take seconds.
        for node in ast.walk(ast.parse(text)) if "mark.long" in text else ():
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                for mark in node.decorator_list:
                    if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.long":
                        (subject,) = map(ast.literal_eval, mark.args)
                        yield f"{path.relative_to(TESTS).as_posix()}::{node.name}", subject


def test_every_long_test_names_its_subject() -> None:
    found = dict(long_tests())
    assert found
    assert set(found.values()) <= SUBJECTS.keys()


def test_every_subject_has_tests_in_the_short_tier() -> None:
    only_long = dict(long_tests())
    for name, subject in SUBJECTS.items():
        assert subject.tests, name
        assert min(subject.amounts) > 0, name
        for test in subject.tests:
            file, _, function = test.partition("::")
            text = (TESTS / file).read_text("utf-8")
            assert f"def {function or 'test_'}" in text, test
            assert test not in only_long, test


def test_contributing_has_the_table() -> None:
    assert table() in (TESTS.parent / "CONTRIBUTING.md").read_text("utf-8")
