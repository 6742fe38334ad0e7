"""What urlset knows once is written once: each fact and each small tool has one home, and nothing beside it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "src" / "urlset"

HOMES: dict[str, tuple[str, set[str]]] = {
    "the words for an error of the system": (r"strerror", {"errors.py", "fetch/troubles.py"}),
    "the units of sizes": (r"\} [kKMGT]i?B\b|\"[kKM]i?B\"|/ ?1024", {"sizes.py"}),
}
"""By what it is: a pattern of its code, and the files that may hold it."""


@pytest.mark.parametrize("what", HOMES)
def test_has_one_home(what: str) -> None:
    pattern, homes = HOMES[what]
    found = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if re.search(pattern, path.read_text(encoding="utf-8"))
    }
    assert found == homes
