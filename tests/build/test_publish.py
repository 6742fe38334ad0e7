"""Publishing: the old set stands until the new one is whole, whatever goes wrong in between."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import urlset
import urlset.errors
from urlset import _core
from urlset.build.folder import Folder
from urlset.build.target import WORK_FOLDER, StagedFile
from urlset.files.built_parts import state_of
from urlset.objects.system import file_system

from .judging import BASE, complaints, contents


def pages(first: int, count: int) -> Iterator[dict[str, Any]]:
    for number in range(first, first + count):
        yield {"loc": f"{BASE}{number}", "lastmod": "2025-11-14"}


def state(folder: Path) -> list[str]:
    return sorted(path.name for place in (folder / WORK_FOLDER, state_of(folder)) for path in place.iterdir())


def test_what_did_not_change_keeps_its_bytes_its_time_and_its_place_in_the_index(tmp_path: Path) -> None:
    urlset.write(pages(0, 25), BASE, tmp_path, max_entries=10)
    for path in tmp_path.glob("*.xml"):
        os.utime(path, (1_000_000_000, 1_000_000_000))
    index = (tmp_path / "sitemap.xml").read_bytes()
    one_more = {"loc": BASE + "new", "lastmod": "2025-11-14"}
    again = urlset.write([*pages(0, 25), one_more], BASE, tmp_path, max_entries=10)
    assert {file.name: file.changed for file in again.files} == {
        "sitemap.xml": False,
        "sitemap-1.xml": False,
        "sitemap-2.xml": False,
        "sitemap-3.xml": True,
    }
    old = {path.name for path in tmp_path.glob("*.xml") if path.stat().st_mtime == 1_000_000_000}
    assert old == {"sitemap.xml", "sitemap-1.xml", "sitemap-2.xml"}
    assert (tmp_path / "sitemap.xml").read_bytes() == index


def test_what_is_not_needed_any_more_is_removed_and_nothing_else_is(tmp_path: Path) -> None:
    (tmp_path / "sitemap-9.xml").write_text("not ours")
    urlset.write(pages(0, 25), BASE, tmp_path, max_entries=5)
    (tmp_path / "sitemap-4.xml").write_text("ours once, and somebody's own now")
    summary = urlset.write(pages(0, 8), BASE, tmp_path, max_entries=5, allow_shrink=True)
    assert summary.removed == ("sitemap-3.xml", "sitemap-5.xml")
    assert sorted(contents(tmp_path)) == [
        "sitemap-1.xml", "sitemap-2.xml", "sitemap-4.xml", "sitemap-9.xml", "sitemap.xml",
    ]  # fmt: skip
    assert state(tmp_path) == ["sitemap.json", "sitemap.lock"]


def test_the_sitemaps_of_a_replaced_index_are_named(tmp_path: Path) -> None:
    names = tuple(f"post-sitemap{number}.xml" for number in range(10, 22))
    for name in names:
        (tmp_path / name).write_text(f"<urlset><url><loc>{BASE}1</loc></url></urlset>")
    index = "".join(f"<sitemap><loc>{BASE}{name}</loc></sitemap>" for name in names)
    (tmp_path / "sitemap.xml").write_text(f"<sitemapindex>{index}</sitemapindex>")
    summary = urlset.write(pages(0, 25), BASE, tmp_path)
    assert summary.left == names
    assert [note for note in summary.notes if "replaced set" in note] == [
        "12 files of the replaced set were kept, because the last build here did not write them "
        f"or they have changed since: {', '.join(names[:10])}, …; remove them if nothing else needs them"
    ]


def test_a_manifest_cannot_have_files_elsewhere_removed(tmp_path: Path) -> None:
    outside = tmp_path / "outside.xml"
    outside.write_text("x")
    folder = tmp_path / "out"
    urlset.write(pages(0, 1), BASE, folder)
    manifest = state_of(folder) / "sitemap.json"
    written = json.loads(manifest.read_text())
    written["files"]["../outside.xml"] = _core.file_digest(str(outside))
    manifest.write_text(json.dumps(written))
    with pytest.raises(urlset.errors.OutputError, match=r"names '\.\./outside\.xml', which is not a file of the set"):
        urlset.write(pages(0, 1), BASE, folder)
    assert outside.exists()


def test_a_damaged_manifest_is_one_clear_error(tmp_path: Path) -> None:
    urlset.write(pages(0, 1), BASE, tmp_path)
    (state_of(tmp_path) / "sitemap.json").write_text("{")
    with pytest.raises(urlset.errors.OutputError, match="damaged, so the files"):
        urlset.write(pages(0, 2), BASE, tmp_path)


@pytest.mark.parametrize("break_at", ["while writing", "at the end"])
def test_when_anything_fails_the_old_set_stands(break_at: str, tmp_path: Path) -> None:
    urlset.write(pages(0, 25), BASE, tmp_path, max_entries=10)
    before = contents(tmp_path)

    def failing() -> Iterator[dict[str, Any]]:
        yield from pages(100, 5 if break_at == "while writing" else 0)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        urlset.write(failing(), BASE, tmp_path, max_entries=2)
    assert contents(tmp_path) == before
    assert state(tmp_path) == ["sitemap.json", "sitemap.lock"]


def test_two_builds_at_once_do_not_mix(tmp_path: Path) -> None:
    with urlset.Writer(BASE, tmp_path) as first:
        first.extend(pages(0, 3))
        with pytest.raises(urlset.errors.OutputError, match="locked by another build"):
            urlset.write(pages(5, 1), BASE, tmp_path)
    assert [entry.loc for entry in urlset.read(tmp_path / "sitemap.xml")] == [f"{BASE}{number}" for number in range(3)]


def test_a_closed_writer_takes_nothing_and_gives_its_summary_again(tmp_path: Path) -> None:
    writer = urlset.Writer(BASE, tmp_path)
    with pytest.raises(urlset.errors.UsageError, match="once the writer is closed"):
        _ = writer.summary
    writer.write(BASE)
    assert writer.close() is writer.close() is writer.summary
    with pytest.raises(urlset.errors.UsageError, match="is closed"):
        writer.write(BASE)


def test_a_folder_that_cannot_be_made_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(urlset.errors.OutputError, match="cannot be written: not a directory"):
        urlset.write([BASE], BASE, tmp_path / "file" / "out")


def test_files_keep_the_mode_of_those_that_they_replace(tmp_path: Path) -> None:
    urlset.write(pages(0, 1), BASE, tmp_path)
    (tmp_path / "sitemap.xml").chmod(0o640)
    urlset.write(pages(0, 2), BASE, tmp_path)
    assert (tmp_path / "sitemap.xml").stat().st_mode & 0o777 == 0o640


FULL = """
    import resource, signal, sys, urlset
    # A limit on the size of files stands for a full disk: writing fails in the same way at the same places.
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
    try:
        urlset.write((f"https://example.com/{n}" for n in range(3000)), "https://example.com/", sys.argv[1],
                     max_entries=1000)
    except urlset.errors.OutputError as error:
        print(error)
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such limit")
@pytest.mark.parametrize("limit", [0, 30_000, 47_000])
def test_a_full_disk_is_one_clear_error_and_the_old_set_stands(limit: int, tmp_path: Path) -> None:
    urlset.write(pages(0, 3), BASE, tmp_path)
    before = contents(tmp_path)
    done = _run(FULL, str(tmp_path), str(limit))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"{tmp_path}: cannot be written: file too large")
    assert done.stdout.strip().endswith("the published files are unchanged")
    assert contents(tmp_path) == before
    # And the next build goes as if nothing had been.
    assert urlset.write(pages(0, 4), BASE, tmp_path).written == 4
    assert state(tmp_path) == ["sitemap.json", "sitemap.lock"]


def _run(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", textwrap.dedent(code), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_build_killed_between_two_renames_is_finished_by_the_next(tmp_path: Path, monkeypatch: Any) -> None:
    urlset.write(pages(0, 25), BASE, tmp_path, max_entries=10)
    renamed: list[Path] = []
    replace = Path.replace

    class Killed(BaseException):
        pass

    def replace_some(self: Path, target: Path) -> Path:
        if self.parent.name == "sitemap.staging":
            if len(renamed) == 1:
                raise Killed
            renamed.append(target)
        return replace(self, target)

    folder = Folder(tmp_path, "sitemap")
    staging = folder.open()
    files = []
    for name in ("sitemap-1.xml", "sitemap-2.xml", "sitemap.xml"):
        (staging / name).write_text(f"new {name}")
        files.append(StagedFile(staging / name, name, _core.file_digest(str(staging / name))))
    monkeypatch.setattr(Path, "replace", replace_some)
    with pytest.raises(Killed):
        folder.publish(files)
    monkeypatch.undo()
    # As after a kill: nothing is cleared, but the lock is gone with the process.
    folder._drop_lock()
    following = Folder(tmp_path, "sitemap")
    following.open()
    following.close()
    assert {name: data.decode() for name, data in contents(tmp_path).items()} == {
        name: f"new {name}" for name in ("sitemap-1.xml", "sitemap-2.xml", "sitemap.xml")
    }


@pytest.mark.parametrize("place", ["memory://bucket/site", "local"])
def test_any_file_system(place: str, tmp_path: Path) -> None:
    url = tmp_path.as_uri() if place == "local" else place
    system, root = file_system(url)
    first = urlset.write(pages(0, 25), BASE, url, max_entries=10)
    assert all(file.changed for file in first.files)
    uploaded: list[str] = []
    put = system.put_file

    def put_and_note(source: str, target: str) -> None:
        uploaded.append(Path(target).name)
        put(source, target)

    system.put_file = put_and_note
    try:
        second = urlset.write(pages(0, 12), BASE, url, max_entries=10, allow_shrink=True)
    finally:
        del system.put_file
    # Children first, the index last; what is there already is left alone; what is not needed goes.
    assert uploaded == ["sitemap-2.xml", "sitemap.xml"]
    assert second.removed == ("sitemap-3.xml",)
    there = sorted(Path(name).name for name in system.find(root, maxdepth=1))
    assert there == ["sitemap-1.xml", "sitemap-2.xml", "sitemap.xml"]
    copied = tmp_path / "copy"
    copied.mkdir()
    for name in there:
        (copied / name).write_bytes(system.cat_file(f"{root}/{name}"))
    assert complaints(copied) == []


def test_a_file_system_that_there_is_not(tmp_path: Path) -> None:
    with pytest.raises(urlset.errors.UsageError, match="cannot be opened: protocol not known"):
        urlset.write([BASE], BASE, "nonsense://bucket/site")


def test_without_fsspec_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(urlset.errors.MissingExtraError, match=r"pip install 'urlset\[fsspec\]'"):
        urlset.Writer(BASE, "memory://x")
