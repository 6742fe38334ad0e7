"""Files whose names urlset derives: links, files of other users, and pipes in their place are not used."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from urlset.database.connections import path_problem
from urlset.errors import UrlsetError
from urlset.files import repository_links
from urlset.files.own_files import check_own, check_tree, make_own_folder, open_own
from urlset.files.publish import publish
from urlset.files.repository_links import leads_out

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links, pipes, and owners of POSIX")

KEEP = b"KEEP"


@pytest.fixture
def named(tmp_path: Path) -> Path:
    """A directory that the user names, next to a file that nothing in it may read or write."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "keep").write_bytes(KEEP)
    (tmp_path / "named").mkdir()
    return tmp_path / "named"


def write(path: Path, below: Path, mode: str = "wb") -> None:
    with open_own(path, mode, below) as file:
        file.write(b"changed")


OPENING: dict[str, Callable[[Path, Path], object]] = {
    "read": lambda path, below: open_own(path, "rb", below).close(),
    "write": write,
    "add": lambda path, below: write(path, below, "ab"),
    "create": lambda path, below: write(path, below, "xb"),
    "replace": lambda path, below: publish(path, b"changed", below=below),
    "check": check_own,
    "make a directory": lambda path, below: make_own_folder(path.parent / path.name, below),
}

PLANTED: dict[str, tuple[str, str | None]] = {
    "a link": ("a/b/keep", "../../../outside/keep"),
    "a link to nothing": ("a/b/keep", "../../../outside/new"),
    "a link in the middle": ("a/b", "../../outside"),
    "a link at the beginning": ("a", "../outside"),
    "a link within the directory": ("a/b/keep", "../b"),
    "a pipe": ("a/b/keep", None),
}
"""Where something is planted, and the target of the link."""


@pytest.mark.parametrize("how", OPENING)
@pytest.mark.parametrize("what", PLANTED)
def test_what_is_planted_is_refused(what: str, how: str, named: Path) -> None:
    path = named / "a" / "b" / "keep"
    where, target = PLANTED[what]
    (named / where).parent.mkdir(parents=True, exist_ok=True)
    if target is None:
        os.mkfifo(path)
    else:
        (named / where).symlink_to(target)
    with pytest.raises((OSError, UrlsetError), match=r"is a symbolic link|is neither a file|File exists"):
        OPENING[how](path, named)
    assert {file.name: file.read_bytes() for file in (named.parent / "outside").iterdir()} == {"keep": KEEP}


@pytest.mark.parametrize("how", [name for name in OPENING if name != "make a directory"])
@pytest.mark.parametrize("part", ["a", "keep"])
def test_what_belongs_to_another_user_is_refused(
    part: str, how: str, named: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = named / "a" / "keep"
    path.parent.mkdir()
    path.write_bytes(KEEP)
    if how == "create":
        path.unlink()
        part = "a"
    inode = (named / "a" if part == "a" else path).stat().st_ino
    monkeypatch.setattr("urlset.files.own_files.is_foreign_status", lambda info, _: info.st_ino == inode)
    with pytest.raises((OSError, UrlsetError), match="belongs to another user"):
        OPENING[how](path, named)
    assert how == "create" or path.read_bytes() == KEEP


@pytest.mark.parametrize("how", ["read", "write", "add", "replace", "check"])
def test_links_above_are_the_users_own(how: str, named: Path) -> None:
    (named / "a").mkdir()
    (named / "a" / "file").write_bytes(KEEP)
    (named.parent / "current").symlink_to("named")
    OPENING[how](named.parent / "current" / "a" / "file", named.parent / "current")


@pytest.mark.parametrize("suffix", [".wal", ".wal.checkpoint", ".wal.recovery", ".tmp"])
@pytest.mark.parametrize("target", ["keep", "new", "."])
def test_files_of_duckdb_are_no_links(suffix: str, target: str, named: Path) -> None:
    (named / f"urlset.duckdb{suffix}").symlink_to(f"../outside/{target}")
    assert "it is a symbolic link, so it is not used; delete it" in str(path_problem(named / "urlset.duckdb"))


@pytest.mark.parametrize("planted", ["link", "below/link", "below/pipe"])
def test_a_whole_directory_is_checked(planted: str, named: Path) -> None:
    (named / "below").mkdir()
    check_tree(named)
    path = named / planted
    if path.name == "link":
        path.symlink_to("below")
    else:
        os.mkfifo(path)
    with pytest.raises(OSError, match=rf"{planted} is .*delete it"):
        check_tree(named)


@pytest.mark.parametrize(
    ("link", "target", "path", "expected"),
    [
        ("public", "../outside", "public/keep", True),
        ("public", "../outside", "public/new", True),
        ("public", "../outside", "public/a/b/new", True),
        ("public", ".git", "public/config", True),
        ("public", ".secrets", "public/key", True),
        ("public", ".output/public", "public/index.html", False),
        ("public", "dist", "public/sitemap.xml", False),
        ("public", "dist", "public/../../outside/keep", False),
        ("../way", "repository/dist", "../way/sitemap.xml", False),
        ("../way", "repository", "../way/public/sitemap.xml", False),
    ],
)
def test_links_in_the_middle_of_a_path(link: str, target: str, path: str, expected: bool, named: Path) -> None:
    root = named.parent / "repository"
    for folder in (".git", ".secrets", "dist", ".output/public"):
        (root / folder).mkdir(parents=True)
    (root / link).symlink_to(target)
    assert leads_out(root / path) is expected


def test_nothing_is_published_through_a_link_in_a_repository(named: Path) -> None:
    (named / ".git").mkdir()
    (named / "public").symlink_to("../outside")
    with pytest.raises(UrlsetError, match="is not part of the repository"):
        publish(named / "public" / "keep", b"changed")
    assert (named.parent / "outside" / "keep").read_bytes() == KEEP


def test_root_uses_files_of_the_owner_of_the_directory(named: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0, raising=False)
    monkeypatch.setattr(repository_links, "_owner", lambda _: 1000)
    assert [owner for owner in (0, 1000, 1001) if repository_links._is_another_user(owner, named)] == [1001]


BUILD = '[build]\nbase-url = "https://a.example/"\nout = "out"\n'
MONITOR = '\n[[site]]\nurl = "http://127.0.0.1:9/"\n'

CONFIGURED = {
    "a list": ("urlset.toml", "build", f'{BUILD}[[build.source]]\nlist = "{{}}"'),
    "pages": ("urlset.toml", "build", f'{BUILD}[[build.source]]\nhtml = "{{}}"'),
    "sitemaps": ("urlset.toml", "build", f'{BUILD}[[build.source]]\nsitemaps = ["{{}}"]'),
    "a database": ("urlset.toml", "build", f'{BUILD}[[build.source]]\nquery = "SELECT 1 AS loc"\ndatabase = "{{}}"'),
    "the output": (
        "urlset.toml",
        "build",
        f'{BUILD.replace("out = ", "#")}out = "{{}}"\n[[build.source]]\nlist = "a.txt"',
    ),
    "robots.txt": ("urlset.toml", "build", f'{BUILD}robots = "{{}}"\n[[build.source]]\nlist = "a.txt"'),
    "a baseline": ("urlset.toml", "validate", 'baseline = "{}"'),
    "a schema": ("urlset.toml", "validate", 'xsd = "{}"'),
    "a feed": ("monitor.toml", "monitor", f'feed = "{{}}"{MONITOR}'),
    "metrics": ("monitor.toml", "monitor", f'metrics = "{{}}"{MONITOR}'),
    "a store": ("monitor.toml", "monitor", f'store = "{{}}"{MONITOR}'),
}


@pytest.mark.parametrize(("name", "command", "text"), CONFIGURED.values(), ids=[*CONFIGURED])
@pytest.mark.parametrize("path", ["public/keep", "public/new", "link"])
def test_paths_in_a_configuration_lead_to_nothing_outside(
    name: str,
    command: str,
    text: str,
    path: str,
    named: Path,
    cli: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (named / ".git").mkdir()
    (named / "public").symlink_to("../outside")
    (named / "link").symlink_to("../outside/keep")
    (named / "a.txt").write_text("https://a.example/\n")
    (named / name).write_text(text.format(path))
    monkeypatch.chdir(named)
    done = cli(command, *(["a.txt"] if command == "validate" else []))
    assert done.code == 2
    assert f"{path} is a symbolic link to a file that is not part of the repository" in done.err
    assert {file.name: file.read_bytes() for file in (named.parent / "outside").iterdir()} == {"keep": KEEP}
