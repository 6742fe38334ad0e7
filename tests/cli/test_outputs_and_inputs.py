"""No command overwrites a file that it reads, however its path is written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from tests.cases import case_table
from tests.cli.working import ARGUMENTS, write_files

from urlset.cli.command import CommandSpec
from urlset.options.declare import Face, Option, options_of

IN_PLACE = {"part", "explain-lastmod", "baseline", "robots", "state", "store", "out", "write"}
"""Options that update what they name, or name something else than a file."""


def outputs() -> Iterator[tuple[str, Option]]:
    for name in ARGUMENTS:
        spec: CommandSpec[Any] = import_module(f"urlset.cli.{name.replace('-', '_')}").COMMAND
        for each in options_of(spec.options):
            if each.facts.is_output and Face.COMMAND_LINE in each.facts.faces:
                yield name, each


OUTPUTS = {f"{name} --{each.key}": (name, each) for name, each in outputs()}


def test_every_option_that_writes_a_file_says_so() -> None:
    for name in ARGUMENTS:
        spec: CommandSpec[Any] = import_module(f"urlset.cli.{name.replace('-', '_')}").COMMAND
        for each in options_of(spec.options):
            if (
                each.facts.help.removeprefix("Also ").capitalize().startswith("Write ")
                and each.facts.metavar
                and each.key not in IN_PLACE
            ):
                assert each.facts.is_output, f"{name} --{each.key}"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_files(tmp_path)
    (tmp_path / "linked").symlink_to(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.long("slow cases")
@case_table("name, option", OUTPUTS)
def test_an_input_is_kept(name: str, option: Option, folder: Path, cli: Callable[..., Any]) -> None:
    named = next(each for each in ARGUMENTS[name] if (folder / each).is_file())
    before = (folder / named).read_bytes()
    form = "json:" if option.facts.metavar.startswith("[FORMAT:]") else ""
    for spelling in (named, f"./{named}", str(folder / named), f"linked/{named}"):
        done = cli(name, *ARGUMENTS[name], f"--{option.key}", f"{form}{spelling}")
        assert (done.code, done.out) == (2, "")
        assert f"{Path(spelling)} is an input; name another file for --{option.key}" in done.err
    assert (folder / named).read_bytes() == before


@pytest.mark.long("slow cases")
def test_the_store_of_a_run_is_an_input(folder: Path, cli: Callable[..., Any]) -> None:
    done = cli("diff", "run.duckdb@1", "run.duckdb@2", "--urls", "all", "--output", "run.duckdb")
    assert (done.code, "run.duckdb is an input" in done.err) == (2, True)


def test_a_file_is_written_once(folder: Path, cli: Callable[..., Any]) -> None:
    Path("x.html").touch()
    done = cli("validate", "a.xml", "--report", "x.html", "--output", "json:x.html")
    assert (done.code, "x.html is written twice" in done.err) == (2, True)
