"""The page on generators of static sites; `make generators` builds with them, which requires npm and network access."""

from __future__ import annotations

from pathlib import Path

import generators
from generator_sites import GENERATORS

PAGE = Path(__file__).parent.parent.parent / "docs" / "generators.md"


def rows() -> dict[str, list[str]]:
    """The rows of the first table of the page, by the name of the generator."""
    table = PAGE.read_text(encoding="utf-8").partition(generators.BEGIN)[2].partition("## Recipes")[0]
    lines = [line.strip("| ").split(" | ") for line in table.strip().splitlines()]
    return {cells[0].rpartition(" ")[0]: cells[1:] for cells in lines[2:]}


def test_the_page_has_each_generator() -> None:
    assert set(rows()) == {one.name for one in GENERATORS}
