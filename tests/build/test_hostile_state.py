"""State that someone else wrote, such as a pull request, cannot write, link, read, or remove anything elsewhere."""

from __future__ import annotations

import ast
import errno
import json
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest
from tests.indexnow.conftest import KEY

import urlset
from urlset import _core
from urlset.build.state import take_over
from urlset.build.target import WORK_FOLDER
from urlset.cli.main import main
from urlset.errors import ExitCode
from urlset.files.built_parts import is_built_part, state_of
from urlset.objects.system import file_system

from .judging import BASE

SOURCE = Path(urlset.__file__).parent
SECRET = "the secret of this machine"
DIGEST = "0" * 32

posix_only = pytest.mark.skipif(os.name == "nt", reason="Windows has links only for administrators, and no pipes")

SHAPES: dict[str, bytes] = {
    "cut": b"{",
    "empty": b"",
    "an array": b"[]",
    "null": b"null",
    "a number": b"5",
    "no members": b"{}",
    "a wrong member": b'{"rename": 5, "files": 5, "token": 5}',
    "an unknown member": b'{"files": {}, "urls": {}, "version": 1, "hook": "x"}',
    "another version": b'{"files": {}, "urls": {}, "version": 2}',
    "deep": b"[" * 200_000,
    "deep inside": b'{"files": ' + b'{"a":' * 200_000,
    "no UTF-8": b'{"files": {"\xff": ""}}',
    "half a pair": b'{"files": {"\\ud800": ""}}',
}

NAMES = [
    "../victim.txt", "../../victim.txt", "..", ".", "", "/etc/passwd", "a/b.xml", "a\\b.xml", "..\\victim.txt",
    "C:\\victim.txt", "C:victim.txt", "sitemap.xml:stream", "sitemap.xml\0", "sitemap.xml\n", "sitemap.xml ",
    "sitemap.xml.", "sitemap-..xml", "sitemap-/../../victim.xml", ".htaccess", "index.html", "robots.txt",
    ".urlset-build", "SITEMAP.XML", "Sitemap.xml", "other.xml", "sitemap-" + "x" * 300 + ".xml", "sitemap-ü.xml",
]  # fmt: skip

Place = Path
"""The folder of the site: `pub` is published, and everything else must not change."""


@pytest.fixture
def site(tmp_path: Path) -> Place:
    site = tmp_path / "above" / "site"
    site.mkdir(parents=True)
    for folder in (tmp_path, tmp_path / "above", site):
        (folder / "victim.txt").write_text(SECRET)
        (folder / "victim.xml").write_text(SECRET)
    (site / "folder").mkdir()
    (site / "folder" / "kept.txt").write_text(SECRET)
    (site / "urls.txt").write_text("".join(f"{BASE}{number}\n" for number in range(25)))
    (site / f"{KEY}.txt").write_text(KEY)
    assert build(site) == ExitCode.CLEAN
    return site


def build(site: Place, *options: str, out: str | None = None) -> int:
    command = [
        "build",
        str(site / "urls.txt"),
        "--base-url",
        BASE,
        "-o",
        out or str(site / "pub"),
        "--no-config",
    ]
    return main([*command, "--max-entries", "10", "--allow-shrink", *options])


def notify(site: Place) -> int:
    """Build with a key whose endpoint nobody serves: the state is read before anything is sent."""
    options = ["--key-file", str(site / f"{KEY}.txt"), "--endpoint", "http://127.0.0.1:1/indexnow"]
    return build(
        site,
        "--notify",
        *options,
        "--allow-private",
        "--store",
        str(site / "pub" / "ledger.duckdb"),
    )


def outside(site: Place) -> dict[str, tuple[Any, ...]]:
    """Everything outside of the published folder: its kind, its links, and its content."""
    top = site.parents[1]
    found = {}
    for path in sorted(top.rglob("*")):
        if site / "pub" not in (path, *path.parents) or path.is_symlink():
            stat = path.lstat()
            links = stat.st_nlink if path.is_file() else 0
            found[str(path.relative_to(top))] = (
                stat.st_mode, stat.st_ino, links, path.read_bytes() if path.is_file() else None,
            )  # fmt: skip
    return {name: facts for name, facts in found.items() if not name.startswith("above/site/pub/")}


def copies(site: Place) -> list[str]:
    """Published files with the content of a file from elsewhere."""
    files = (path for path in (site / "pub").rglob("*") if path.is_file() and not path.is_symlink())
    return [str(path) for path in files if SECRET in path.read_text(errors="replace")]


def refused(site: Place, run: Callable[[], int], name: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Assert that a build refuses the state, names the file, says what to do, and touches nothing elsewhere."""
    before = outside(site)
    capsys.readouterr()
    code = run()
    said = capsys.readouterr().err
    assert code == ExitCode.UNREADABLE, said
    assert name in said
    assert "delete it" in said or "delete " in said
    assert outside(site) == before
    return said


def manifest(site: Place, **members: Any) -> bytes:
    kept = json.loads(state_path(site, "sitemap.json").read_bytes())
    return json.dumps({**kept, **members}).encode()


def with_file(site: Place, name: str) -> dict[str, Any]:
    kept = json.loads(state_path(site, "sitemap.json").read_bytes())
    return {**kept, "files": {**kept["files"], name: DIGEST}}


def journal(site: Place, **members: Any) -> bytes:
    kept = json.loads(state_path(site, "sitemap.json").read_bytes())
    return json.dumps({"rename": [], "remove": [], "manifest": kept, **members}).encode()


def remote(site: Place) -> int:
    return build(site, out=(site / "pub").as_uri())


FILES: dict[str, Callable[[Place], int]] = {
    "sitemap.journal.json": build,
    "sitemap.json": build,
    "sitemap.notified/manifest.json": notify,
    "sitemap.json at a URL": remote,
    "sitemap.lock.json at a URL": remote,
}
"""Each file of JSON that builds read back as instructions, and the build that reads it."""


WORK = ("sitemap.lock", "sitemap.staging", "sitemap.parts")
"""What is next to the published files, because it is published or locks them."""


def state_path(site: Place, name: str) -> Path:
    """Where a build keeps something: next to the published files, or in the state directory of the user."""
    if name.endswith(" at a URL") or name.startswith(WORK):
        return site / "pub" / WORK_FOLDER / name.removesuffix(" at a URL")
    return state_of(site / "pub") / name


def plant(site: Place, name: str, content: bytes) -> Path:
    path = state_path(site, name)
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content)
    return path


@pytest.mark.sampled(25)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("file", FILES)
def test_damaged_state_is_one_clear_error(
    site: Place, file: str, shape: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("urlset.build.remote_lock.SETTLING", 0)
    path = plant(site, file, SHAPES[shape])
    refused(site, lambda: FILES[file](site), path.name, capsys)
    assert path.read_bytes() == SHAPES[shape]


@pytest.mark.parametrize("file", FILES)
def test_state_that_is_too_large_is_not_read(
    site: Place, file: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("urlset.build.remote_lock.SETTLING", 0)
    for module in ("state.MAX_MANIFEST_BYTES", "remote.MAX_MANIFEST_BYTES", "remote_lock.MAX_LOCK_BYTES"):
        monkeypatch.setattr(f"urlset.build.{module}", 2_000)
    path = plant(site, file, b" " * 2_001)
    refused(site, lambda: FILES[file](site), path.name, capsys)


def _in_files(site: Place, name: str) -> bytes:
    return json.dumps(with_file(site, name)).encode()


CARRIERS: dict[str, tuple[str, Callable[[Place, str], bytes]]] = {
    "files": ("sitemap.json", _in_files),
    "urls": ("sitemap.json", lambda site, name: manifest(site, urls={name: 1})),
    "files of the last notification": ("sitemap.notified/manifest.json", _in_files),
    "files at a URL": ("sitemap.json at a URL", _in_files),
    "rename": ("sitemap.journal.json", lambda site, name: journal(site, rename=[["evil", name]])),
    "remove": ("sitemap.journal.json", lambda site, name: journal(site, remove=[name])),
    "manifest": (
        "sitemap.journal.json",
        lambda site, name: journal(site, manifest=with_file(site, name)),
    ),
}
"""Where state names public files."""


@pytest.mark.sampled(11)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("carrier", CARRIERS)
def test_state_only_names_files_of_the_set(
    site: Place, carrier: str, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file, content = CARRIERS[carrier]
    staging = state_path(site, "sitemap.staging")
    staging.mkdir()
    (staging / "evil").write_text("planted")
    path = plant(site, file, content(site, name))
    said = refused(site, lambda: FILES[file](site), path.name, capsys)
    assert "which is not a file of the set sitemap" in said


@pytest.mark.sampled(11)
@pytest.mark.parametrize("name", ["../evil", "..", "/etc/hostname", "a\\b", "", "evil\0", ".hidden", "x" * 300])
@pytest.mark.parametrize("member", ["rename", "ledger"])
def test_a_journal_only_names_unpublished_files(
    site: Place, member: str, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    value = [[name, "sitemap.xml"]] if member == "rename" else name
    path = plant(site, "sitemap.journal.json", journal(site, **{member: value}))
    refused(site, lambda: build(site), path.name, capsys)


def test_a_planted_journal_publishes_and_removes_nothing_that_urlset_did_not_write(
    site: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    (site / "pub" / "sitemap-9.xml").write_text("my own")
    staging = state_path(site, "sitemap.staging")
    staging.mkdir()
    (staging / "evil").write_text("planted")
    plant(
        site,
        "sitemap.journal.json",
        journal(site, rename=[["evil", "sitemap.xml"]], remove=["sitemap-9.xml"]),
    )
    before = (site / "pub" / "sitemap.xml").read_bytes()
    refused(site, lambda: build(site), "evil", capsys)
    assert (site / "pub" / "sitemap.xml").read_bytes() == before
    plant(site, "sitemap.journal.json", journal(site, remove=["sitemap-9.xml"]))
    assert build(site) == ExitCode.CLEAN
    assert (site / "pub" / "sitemap-9.xml").read_text() == "my own"


LINKS = {
    "": "folder",
    "sitemap.json": "victim.txt",
    "sitemap.journal.json": "victim.txt",
    "sitemap.lock": "victim.txt",
    "sitemap.pages.json": "victim.txt",
    "sitemap.ledger.parquet": "victim.txt",
    "sitemap.ledger.new": "victim.txt",
    "sitemap.staging": "folder",
    "sitemap.notified": "folder",
    "sitemap.new": "folder",
    "sitemap.parts-0": "folder",
}


@pytest.mark.sampled(11)
@posix_only
@pytest.mark.parametrize("name", LINKS)
def test_links_in_the_state_are_not_followed(site: Place, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = state_path(site, name)
    if not name:
        path.rename(path.with_name(f"{path.name}-kept"))
    path.unlink(missing_ok=True)
    path.symlink_to(site / LINKS[name])
    refused(site, lambda: build(site), path.name, capsys)


@posix_only
@pytest.mark.parametrize("name", [name for name in LINKS if name])
def test_dangling_links_and_pipes_in_the_state_are_not_opened(
    site: Place, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = state_path(site, name)
    path.unlink(missing_ok=True)
    path.symlink_to(site / "new.txt")
    refused(site, lambda: build(site), path.name, capsys)
    path.unlink()
    os.mkfifo(path)
    refused(site, lambda: build(site), path.name, capsys)


def as_before(site: Place) -> Path:
    """Move the state to where earlier versions kept it, next to the published files, where anybody can plant it."""
    old = site / "pub" / WORK_FOLDER
    for path in state_of(site / "pub").iterdir():
        path.rename(old / path.name)
    return old


def test_the_state_of_an_earlier_version_is_taken_over_once(site: Place) -> None:
    assert notify(site) == ExitCode.CLEAN
    assert build(site, "--layout", "stable") == ExitCode.CLEAN
    names = {path.name for path in state_of(site / "pub").iterdir()}
    old = as_before(site)
    (site / "urls.txt").write_text(f"{BASE}1\n")
    assert build(site, "--layout", "stable") == ExitCode.CLEAN
    assert not (site / "pub" / "sitemap-3.xml").exists()
    assert {path.name for path in state_of(site / "pub").iterdir()} == names
    assert {path.name for path in old.iterdir()} == {"sitemap.lock"}
    # What is put there later is not read.
    (old / "sitemap.json").write_bytes(b"{")
    assert build(site, "--layout", "stable") == ExitCode.CLEAN


def test_the_state_is_taken_over_to_another_file_system(site: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    assert notify(site) == ExitCode.CLEAN
    assert build(site, "--layout", "stable") == ExitCode.CLEAN
    state = state_of(site / "pub")
    files = {path.relative_to(state): path.read_bytes() for path in state.rglob("*") if path.is_file()}
    as_before(site)
    # What an interruption left.
    (state / "sitemap.notified").mkdir()
    (state / "sitemap.ledger.parquet").write_bytes(b"cut")
    plain = os.rename

    def rename(source: Any, target: Any, **others: Any) -> None:
        if (state in Path(source).parents) != (state in Path(target).parents):
            raise OSError(errno.EXDEV, "Invalid cross-device link")
        plain(source, target, **others)

    monkeypatch.setattr(os, "rename", rename)
    assert take_over(site / "pub", "sitemap") == state
    assert {path.relative_to(state): path.read_bytes() for path in state.rglob("*") if path.is_file()} == files


def test_a_journal_next_to_the_published_files_is_never_carried_out(site: Place) -> None:
    staging = state_path(site, "sitemap.staging")
    staging.mkdir()
    (staging / "evil").write_text("planted")
    planted = journal(site, rename=[["evil", "sitemap.xml"]], remove=["sitemap-1.xml"])
    old = as_before(site)
    (old / "sitemap.journal.json").write_bytes(planted)
    assert build(site) == ExitCode.CLEAN
    assert (site / "pub" / "sitemap-1.xml").exists()
    assert "planted" not in (site / "pub" / "sitemap.xml").read_text()
    assert not (old / "sitemap.journal.json").exists()


@pytest.mark.parametrize("shape", SHAPES)
def test_damaged_state_of_an_earlier_version_is_not_taken_over(
    site: Place, shape: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = as_before(site) / "sitemap.json"
    path.write_bytes(SHAPES[shape])
    refused(site, lambda: build(site), str(path), capsys)
    assert path.read_bytes() == SHAPES[shape]


@posix_only
@pytest.mark.parametrize("name", ["sitemap.json", "sitemap.pages.json", "sitemap.ledger.parquet", "sitemap.notified"])
def test_links_are_not_taken_over(site: Place, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = as_before(site) / name
    path.unlink(missing_ok=True)
    path.symlink_to(site / "victim.txt")
    refused(site, lambda: build(site), path.name, capsys)


def test_files_of_a_set_that_another_user_built_are_kept_and_named(
    site: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.rmtree(state_of(site / "pub"))
    (site / "urls.txt").write_text(f"{BASE}1\n")
    capsys.readouterr()
    assert build(site) == ExitCode.CLEAN
    assert "3 files of the replaced set were kept, because the last" in capsys.readouterr().out
    assert (site / "pub" / "sitemap-3.xml").exists()


@posix_only
def test_a_state_directory_that_cannot_be_written_is_said(
    site: Place, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(site / "victim.txt"))
    assert build(site) == ExitCode.UNREADABLE
    assert "set XDG_STATE_HOME" in capsys.readouterr().err


@posix_only
@pytest.mark.parametrize("name", ["", "sitemap.json", "sitemap.lock.json"])
def test_links_in_the_state_at_a_url_are_not_followed(
    site: Place, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = state_path(site, f"{name} at a URL")
    if not name:
        path.rename(path.with_name(f"{path.name}-kept"))
    path.unlink(missing_ok=True)
    path.symlink_to(site / ("victim.txt" if name else "folder"))
    refused(site, lambda: remote(site), path.name, capsys)


@posix_only
def test_an_unpublished_file_that_is_a_link_is_not_published(site: Place, capsys: pytest.CaptureFixture[str]) -> None:
    staging = state_path(site, "sitemap.staging")
    staging.mkdir()
    (staging / "evil").symlink_to(site / "victim.txt")
    content = with_file(site, "sitemap.xml")
    content["files"]["sitemap.xml"] = _core.file_digest(str(site / "victim.txt"))
    plant(
        site,
        "sitemap.journal.json",
        journal(site, rename=[["evil", "sitemap.xml"]], manifest=content),
    )
    refused(site, lambda: build(site), "evil", capsys)
    assert not (site / "pub" / "sitemap.xml").is_symlink()


@posix_only
@pytest.mark.parametrize("options", [[], ["--notify"]], ids=" ".join)
def test_a_public_link_is_not_copied_or_linked(
    site: Place, options: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A link that urlset did not make may lead to a secret; its name is that of a part."""
    for name in ("sitemap-1.xml", "sitemap-8.xml"):
        path = site / "pub" / name
        path.unlink(missing_ok=True)
        path.symlink_to(site / "victim.xml")
    plant(site, "sitemap.json", json.dumps(with_file(site, "sitemap-8.xml")).encode())
    before = outside(site)
    if options == ["--notify"]:
        # What was a link counts as changed; nothing may be sent.
        monkeypatch.setattr("urlset.pipeline.notify.send", lambda result, *_: result)
        notify(site)
    else:
        build(site, *options)
    assert {**outside(site)} == before
    assert copies(site) == []


@posix_only
def test_writing_to_a_url_replaces_a_public_link(site: Place) -> None:
    path = site / "pub" / "sitemap-1.xml"
    path.unlink()
    path.symlink_to(site / "victim.xml")
    (site / "urls.txt").write_text("".join(f"{BASE}new/{number}\n" for number in range(25)))
    before = outside(site)
    assert remote(site) == ExitCode.CLEAN
    assert outside(site) == before
    assert not path.is_symlink()


@posix_only
def test_a_notification_does_not_read_through_links(site: Place, capsys: pytest.CaptureFixture[str]) -> None:
    kept = state_path(site, "sitemap.notified")
    kept.mkdir()
    plant(
        site,
        "sitemap.notified/manifest.json",
        json.dumps(with_file(site, "sitemap-8.xml")).encode(),
    )
    for path in (site / "pub").glob("*.xml"):
        (kept / path.name).write_bytes(path.read_bytes())
    (kept / "sitemap-8.xml").symlink_to(site / "victim.xml")
    refused(site, lambda: notify(site), "sitemap.notified", capsys)


@pytest.mark.parametrize("where", ["directory", "file", "memory"])
def test_only_what_the_last_build_wrote_is_removed(site: Place, where: str, capsys: pytest.CaptureFixture[str]) -> None:
    out = {
        "directory": str(site / "pub"),
        "file": (site / "pub").as_uri(),
        "memory": "memory://test-hostile-state/pub",
    }[where]
    assert build(site, out=out) == ExitCode.CLEAN
    system, root = file_system((site / "pub").as_uri() if where == "directory" else out)
    system.pipe_file(f"{root}/sitemap-3.xml", b"my own")
    (site / "urls.txt").write_text(f"{BASE}1\n")
    capsys.readouterr()
    assert build(site, out=out) == ExitCode.CLEAN
    assert (
        "1 file of the replaced set was kept, because the last build here did not write it or it has "
        "changed since: sitemap-3.xml; remove it if nothing else needs it"
    ) in capsys.readouterr().out
    assert system.cat_file(f"{root}/sitemap-3.xml") == b"my own"
    assert not system.exists(f"{root}/sitemap-2.xml")


@pytest.mark.parametrize(
    "content",
    [
        *(shape for shape in SHAPES.values()),
        b'{"version": 1, "core": "", "files": {"a.html": [1]}, "contents": {}}',
        b'{"version": 1, "core": "", "files": {}, "contents": {"a.html": [1, "yesterday"]}}',
        b'{"version": 1, "core": "", "files": {}, "contents": {"a.html": {}}}',
    ],
)
def test_damaged_page_data_is_read_again(site: Place, content: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing depends on it but time, so that it is said and the build goes on."""
    plant(site, "sitemap.pages.json", content)
    capsys.readouterr()
    assert build(site) == ExitCode.CLEAN
    out = capsys.readouterr().out
    assert "sitemap.pages.json" in out
    assert "all pages are read again" in out


@pytest.mark.parametrize(
    "columns", ["1 AS a", "'x' AS high, 'y' AS low, 3 AS part", "NULL AS high, NULL AS low, NULL AS part"]
)
def test_a_ledger_with_other_columns_is_one_clear_error(
    site: Place, columns: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert build(site, "--layout", "stable") == ExitCode.CLEAN
    path = state_path(site, "sitemap.ledger.parquet")
    with duckdb.connect() as connection:
        connection.execute(f"COPY (SELECT {columns}) TO '{path}' (FORMAT parquet)")
    plant(site, "sitemap.json", manifest(site, ledger=_core.file_digest(str(path))))
    refused(site, lambda: build(site, "--layout", "stable"), path.name, capsys)


@posix_only
def test_rules_read_own_manifests_only(site: Place) -> None:
    """Rules recognize the parts of a build in any directory that is validated."""
    part, written = site / "pub" / "sitemap-1.xml", state_path(site, "sitemap.json")
    os.mkfifo(written.with_name("a.json"))
    assert is_built_part(part, 10)
    written.rename(site / "pub" / "manifest")
    written.symlink_to(site / "pub" / "manifest")
    # What was read is kept in memory until the file changes.
    os.utime(written, (1_000_000_000, 1_000_000_000))
    assert not is_built_part(part, 10)


READERS = re.compile(
    r"(json|yaml|tomllib|pickle|marshal)\.loads?|msgspec\.(json\.|msgpack\.)?(decode|convert)|.*\.Decoder|.*\.cat(_file)?"
    r"|decode_(json|toml)"
)
"""Functions that turn bytes into values, or read an object as a whole."""

READS_INPUTS = ("build/sources/front_matter.py", "build/layouts/site_settings.py")
"""It reads the front matter of pages, which no build writes."""


def test_state_is_read_in_few_modules() -> None:
    paths = [*(SOURCE / "build").rglob("*.py"), *(SOURCE / "pipeline").glob("build*.py")]
    found = {
        (path.relative_to(SOURCE).as_posix(), ast.unparse(node.func))
        for path in paths
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and READERS.fullmatch(ast.unparse(node.func))
    }
    assert {one for one in found if one[0] not in READS_INPUTS} == {
        (f"build/{module}.py", "decode_json") for module in ("state", "remote_lock", "sources/page_store")
    }
