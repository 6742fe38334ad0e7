"""The registries of codes that rules compare with are those of the core."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from urlset.rules import codes

CORE = Path(__file__).parents[2] / "core" / "src" / "value" / "codes.rs"


@pytest.mark.parametrize("name", ["REGIONS", "LANGUAGES"])
def test_same_codes_as_in_the_core(name: str) -> None:
    found = re.search(rf"pub const {name}: .*?= \[(.*?)\];", CORE.read_text("utf-8"), re.DOTALL)
    assert found is not None
    assert list(getattr(codes, name)) == re.findall(r'"(\w+)"', found[1])
