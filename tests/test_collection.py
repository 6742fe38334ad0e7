"""pytest finds every test."""

from __future__ import annotations

from fnmatch import fnmatch
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def test_pytest_enters_every_folder_with_tests(pytestconfig: pytest.Config) -> None:
    passed_over = pytestconfig.getini("norecursedirs")
    folders = {path.parent.name for root in ("src", "tests") for path in (ROOT / root).rglob("*.py")}
    assert len(folders) > 50
    assert not [name for name in folders if any(fnmatch(name, pattern) for pattern in passed_over)]
