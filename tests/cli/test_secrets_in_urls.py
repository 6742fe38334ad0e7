"""A user name and password in a URL: every option of every command takes them and never shows them, or refuses them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from tests.cases import case_table
from tests.cli.working import ARGUMENTS, write_files

from urlset.cli.command import CommandSpec
from urlset.cli.commands import COMMANDS
from urlset.options.convert import kind
from urlset.options.declare import Face, Option, options_of

SECRET = "hunter2"
# Nothing listens on port 9.
VALUES = ("http://u:hunter2@127.0.0.1:9/x", "webhdfs://u:hunter2@127.0.0.1:9/x", "ftp://u:hunter2@127.0.0.1:9/x.xml")


def texts(name: str) -> Iterator[Option]:
    """The options of a command whose value could be a URL; the text of a query is no URL."""
    spec: CommandSpec[Any] = import_module(f"urlset.cli.{name}").COMMAND
    for each in options_of(spec.options):
        is_text = "str" in str(each.annotation) or "Path" in str(each.annotation)
        if Face.COMMAND_LINE in each.facts.faces and is_text and "Literal" not in str(kind(each.annotation)):
            yield each


OPTIONS = {
    f"{name} {'' if each.facts.positional else '--'}{each.key}": (name, each)
    for names in COMMANDS.values()
    for name in names
    for each in texts(name)
    if (name, each.key) != ("sql", "query")
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("working")
    write_files(folder)
    return folder


def test_every_command_is_here() -> None:
    assert [*ARGUMENTS] == [name for names in COMMANDS.values() for name in names]


@pytest.mark.sampled(30)
@case_table("name, option", OPTIONS)
def test_are_never_shown_or_kept(
    name: str, option: Option, folder: Path, cli: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec: CommandSpec[Any] = import_module(f"urlset.cli.{name}").COMMAND
    base = ARGUMENTS[name]
    more = ("--retries", "0") if any(each.key == "retries" for each in options_of(spec.options)) else ()
    takes_user = option.facts.has_user or option.facts.secret
    place = tmp_path / "place"
    copytree(folder, place)
    monkeypatch.chdir(place)
    for value in VALUES if takes_user else VALUES[:1]:
        given = (value, *base[1:]) if option.facts.positional else (*base, f"--{option.key}", value)
        done = cli(name, *given, *more)
        assert done.code != 4, done.err
        assert SECRET not in done.out + done.err
        assert takes_user or done.code in (2, 3)
    kept = [path for path in place.rglob("*") if path.is_file() and SECRET.encode() in path.read_bytes()]
    assert kept == []
    assert not any(SECRET in path.name for path in place.rglob("*"))
