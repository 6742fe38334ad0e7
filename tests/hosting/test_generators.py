"""Sites of generators of static sites: the planted faults are found, as over HTTP, and the page has the results.

Those in the environment of the tests are built in the long tier, others if `make generators` installed them, for which
npm and network access are required.
"""

from __future__ import annotations

import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

import generators
from generator_sites import GENERATORS, Generator

PAGE = Path(__file__).parent.parent.parent / "docs" / "generators.md"


def rows() -> dict[str, list[str]]:
    """The rows of the first table of the page, by the name of the generator."""
    table = PAGE.read_text(encoding="utf-8").partition(generators.BEGIN)[2].partition("## Recipes")[0]
    lines = [line.strip("| ").split(" | ") for line in table.strip().splitlines()]
    return {cells[0].rpartition(" ")[0]: cells[1:] for cells in lines[2:]}


def programs_of(generator: Generator) -> Path | None:
    """The folder of the programs of a generator: in the environment of the tests, or where it was installed."""
    try:
        if not generator.is_npm and all(version(package.partition("==")[0]) for package in generator.packages):
            return Path(sys.executable).parent
    except PackageNotFoundError:
        pass
    return generators.own_programs(generator)


def test_the_page_has_each_generator() -> None:
    assert set(rows()) == {one.name for one in GENERATORS}


@pytest.mark.long("generators of static sites")
def test_the_faults_of_each_site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests) -> None:
    """One after the other, because a site is built for the port at which it is served."""
    found = {one.name: programs for one in GENERATORS if (programs := programs_of(one)) is not None}
    assert {"Hugo", "Hugo, two languages", "MkDocs", "Sphinx", "Zensical"} <= found.keys()
    for number, generator in enumerate(GENERATORS):
        if generator.name not in found:
            with subtests.test(generator.name):
                pytest.skip("it is not installed; `make generators` installs it")
            continue
        monkeypatch.setattr(generators, "installed", lambda one: found[one.name])
        folder = tmp_path / str(number)
        folder.mkdir()
        with subtests.test(generator.name):
            result = generators.measured(generator, folder)
            assert generators.planted(result) == []
            assert result.default.places == result.over_http.places
            assert result.recipe.places == frozenset()
            assert list(result.facts.values()) == rows()[generator.name]
