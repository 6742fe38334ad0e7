"""Links that a pull request plants lead no command out of the repository: what is elsewhere is not read or written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from tests.cases import case_table
from tests.cli.working import ARGUMENTS, spelled, write_files

from urlset.cli.command import CommandSpec
from urlset.cli.commands import COMMANDS
from urlset.files.repository_links import LEADS_OUT, leads_out
from urlset.options.convert import kind
from urlset.options.declare import Face, Option, options_of

SECRET = "machine github.com password hunter2"


def options() -> Iterator[tuple[str, Option]]:
    """The options of every command whose value could be a path."""
    for name in (name for names in COMMANDS.values() for name in names):
        spec: CommandSpec[Any] = import_module(f"urlset.cli.{name.replace('-', '_')}").COMMAND
        for each in options_of(spec.options):
            is_text = "str" in str(each.annotation) or "Path" in str(each.annotation)
            if (
                (Face.COMMAND_LINE in each.facts.faces or each.is_setting)
                and is_text
                and "Literal" not in str(kind(each.annotation))
            ):
                yield name, each


OPTIONS = {
    f"{name} {each.key if each.facts.positional else each.spelling}": (name, each)
    for name, each in options()
    if (name, each.key) != ("sql", "query")
}


@pytest.fixture(scope="module")
def working(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("working")
    write_files(folder)
    return folder


@pytest.fixture
def repository(working: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository as working directory, with links to a secret outside."""
    folder = tmp_path / "repository"
    copytree(working, folder)
    (folder / ".git").mkdir()
    (tmp_path / "secret").write_text(SECRET)
    for name in ("sitemap-link.txt", "page.html", "sitemap.xsd", "googlebot.json"):
        (folder / name).symlink_to("../secret")
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.sampled(30)
@case_table("name, option", OPTIONS)
def test_every_option(
    name: str,
    option: Option,
    working: Path,
    cli: Callable[..., Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = tmp_path / "repository"
    copytree(working, folder)
    (folder / ".git").mkdir()
    secret, new = tmp_path / "secret", tmp_path / "new"
    secret.write_text(SECRET)
    monkeypatch.chdir(folder)
    # A server that refuses an option does not start to serve.
    base = () if name in ("mcp", "serve") else ARGUMENTS[name]
    for link, target in (("link.txt", secret), ("new.txt", new)):
        Path(link).symlink_to(target)
        done = cli(name, *((link, *base[1:]) if option.facts.positional else (*base, *spelled(option, link))))
        assert done.code == 2, (done.code, done.err)
        assert "hunter2" not in done.out + done.err
    assert secret.read_text() == SECRET
    assert not new.exists()


DIRECTORIES = {
    "targets": ("validate", "."),
    "targets that are replaced": ("fix", ".", "--in-place"),
    "targets of a query": ("sql", "select * from urls", "."),
    "pages": ("build", ".", "--base-url", "https://example.com", "-o", "../out"),
    "logs": ("logs", ".", "--site", "https://a.example"),
    "logs by pattern": ("logs", "*-link.txt", "--site", "https://a.example"),
    "schemas": ("validate", "a.xml", "--xsd", "."),
    "addresses of crawlers": ("logs", "access.log", "--site", "https://a.example", "--ranges", "."),
}


@case_table("arguments", DIRECTORIES)
def test_a_directory(arguments: tuple[str, ...], repository: Path, cli: Callable[..., Any]) -> None:
    """What a command finds in a directory is like what is named."""
    done = cli(*arguments)
    assert done.code in (2, 3)
    assert "is not part of the repository" in done.out + done.err
    assert "hunter2" not in done.out + done.err
    assert (repository.parent / "secret").read_text() == SECRET


def test_the_configuration(repository: Path, cli: Callable[..., Any]) -> None:
    (repository.parent / "theirs.toml").write_text('token = "hunter2"\n')
    Path("urlset.toml").symlink_to("../theirs.toml")
    found, named = cli("validate", "a.xml"), cli("validate", "a.xml", "--config", "urlset.toml")
    assert (found.code, named.code) == (0, 2)
    for done in (found, named):
        assert LEADS_OUT in done.out + done.err
        assert "token" not in done.err


@pytest.mark.parametrize(
    ("link", "target", "expected"),
    [
        ("public/a.xml", "../dist/a.xml", False),
        ("public/a.xml", "../.output/a.xml", False),
        ("public/a.xml", "../.git/config", True),
        ("public/a.xml", "../.env", True),
        ("public/a.xml", "../../elsewhere", True),
        ("public/a.xml", "/etc/hostname", True),
        ("public/a.xml", "chain", True),
        ("public/a.xml", "a.xml", False),
        ("../outside/a.xml", "/etc/hostname", False),
    ],
)
def test_where_a_link_may_lead(link: str, target: str, expected: bool, tmp_path: Path) -> None:
    root = tmp_path / "repository"
    for folder in ("repository/.git", "repository/public", "outside"):
        (tmp_path / folder).mkdir(parents=True)
    (root / "public" / "chain").symlink_to("../../elsewhere")
    (root / link).symlink_to(target)
    assert leads_out(root / link) == expected
    # The directory is the user's: only the last name counts.
    (tmp_path / "way").symlink_to(root / "public")
    if link.startswith("public/"):
        assert leads_out(tmp_path / "way" / "a.xml") == expected
