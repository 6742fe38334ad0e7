"""Two builds at once, in folders and in places that fsspec knows: one of them goes on, and nothing is mixed."""

from __future__ import annotations

import json
import logging
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fsspec
import pytest
from fsspec.implementations.memory import MemoryFileSystem
from tests.tiers import sampled

import urlset
from urlset import _core
from urlset.build import remote_lock
from urlset.build.folder import Folder
from urlset.build.remote import Remote
from urlset.build.target import WORK_FOLDER, StagedFile
from urlset.build.wrappers import DeferredTarget
from urlset.options import BuildOptions
from urlset.options.building import BuildSpec, Site
from urlset.options.sources import UrlList
from urlset.pipeline.build import build

from .judging import BASE, complaints


class Careless(MemoryFileSystem):  # type: ignore[misc]
    """A file system that knows the mode `xb`, and writes nevertheless."""

    protocol = "careless"
    store: dict[str, Any] = {}  # noqa: RUF012 - as its parent has it
    pseudo_dirs = [""]  # noqa: RUF012

    def _open(self, path: str, mode: str = "rb", **given: Any) -> Any:
        return super()._open(path, mode.replace("x", "w"), **given)


class Old(Careless):
    """A file system that does not know it."""

    protocol = "old"
    store: dict[str, Any] = {}  # noqa: RUF012
    pseudo_dirs = [""]  # noqa: RUF012

    def _open(self, path: str, mode: str = "rb", **given: Any) -> Any:
        if "x" in mode:
            raise NotImplementedError("File mode not supported")
        return super()._open(path, mode, **given)


fsspec.register_implementation("careless", Careless, clobber=True)
fsspec.register_implementation("old", Old, clobber=True)


@pytest.fixture(params=["memory", "careless", "old", "file", "folder"])
def destination(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(remote_lock, "SETTLING", 0.05)
    match request.param:
        case "folder":
            yield str(tmp_path / "out")
        case "file":
            yield (tmp_path / "out").as_uri()
        case system:
            yield f"{system}://site"
            fsspec.filesystem(system).store.clear()


@pytest.fixture
def remote(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is written to through fsspec."""
    monkeypatch.setattr(remote_lock, "SETTLING", 0.05)
    return tmp_path


def entries(destination: str, name: str = "sitemap.xml") -> list[str | None]:
    system, root = fsspec.core.url_to_fs(destination)
    return [entry.loc for entry in urlset.read(system.cat_file(f"{root}/{name}"))]


def test_the_second_is_refused_and_the_first_goes_on(destination: str) -> None:
    with urlset.Writer(BASE, destination) as first:
        first.write(BASE + "first")
        with pytest.raises(urlset.errors.OutputError, match="locked by another build"):
            urlset.write([BASE + "second"], BASE, destination)
        # A set of another name is another set.
        urlset.write([BASE + "other"], BASE, destination, name="other")
    assert entries(destination) == [BASE + "first"]
    assert entries(destination, "other.xml") == [BASE + "other"]
    urlset.write([BASE + "second"], BASE, destination)
    assert entries(destination) == [BASE + "second"]


def test_a_build_that_fails_unlocks(destination: str) -> None:
    def failing() -> Iterator[str]:
        yield BASE
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        urlset.write(failing(), BASE, destination)
    assert urlset.write([BASE], BASE, destination).written == 1


def test_of_many_at_the_same_moment_one_has_it(destination: str) -> None:
    """Each takes the lock and keeps it until all have tried."""
    began, tried = threading.Barrier(8), threading.Barrier(8)
    outcomes: list[str] = []

    def attempt() -> None:
        target = Folder(Path(destination), "sitemap") if "://" not in destination else Remote(destination, "sitemap")
        began.wait()
        try:
            target.open()
            outcomes.append("taken")
        except urlset.errors.OutputError:
            outcomes.append("refused")
        tried.wait()
        target.close()

    threads = [threading.Thread(target=attempt) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(outcomes) == 8
    # Where nothing is created only, all may see that another one wrote, too; never do two of them go on.
    assert outcomes.count("taken") == 1 or (outcomes.count("taken") == 0 and "folder" not in destination)


def test_between_the_steps_of_several_hosts_nobody_comes(destination: str) -> None:
    inner = Folder(Path(destination), "sitemap") if "://" not in destination else Remote(destination, "sitemap")
    holding = DeferredTarget(inner, indexes=True)
    staged = []
    folder = holding.open()
    for name in ("sitemap-1.xml", "sitemap.xml"):
        (folder / name).write_text(name)
        digest = _core.file_digest(str(folder / name))
        staged.append(StagedFile(folder / name, name, digest, is_index=name == "sitemap.xml"))
    holding.publish(staged)
    holding.close()
    with pytest.raises(urlset.errors.OutputError, match="another build"):
        urlset.write([BASE], BASE, destination)
    holding.put_indexes()
    with pytest.raises(urlset.errors.OutputError, match="another build"):
        urlset.write([BASE], BASE, destination)
    holding.finish()
    assert urlset.write([BASE], BASE, destination).removed == ("sitemap-1.xml",)


def lock_of(folder: Path) -> Path:
    return folder / WORK_FOLDER / "sitemap.lock.json"


def put_lock(folder: Path, **fields: Any) -> None:
    now = time.time()
    lock = {"token": "x", "host": "builder-7", "process": 42, "processes": "", "since": now, "until": now + 500}
    lock_of(folder).parent.mkdir(parents=True, exist_ok=True)
    lock_of(folder).write_text(json.dumps({**lock, **fields}))


def test_a_lock_says_whose_it_is_and_what_to_do(remote: Path) -> None:
    put_lock(remote, since=0.0)
    with pytest.raises(urlset.errors.OutputError) as caught:
        urlset.write([BASE], BASE, remote.as_uri())
    message = str(caught.value)
    assert (
        "another build (process 42 on builder-7, started 00:00:00 UTC); wait until it finishes and build again"
        in message
    )
    assert str(lock_of(remote)) in message
    lock_of(remote).unlink()
    assert urlset.write([BASE], BASE, remote.as_uri()).written == 1
    assert not lock_of(remote).exists()


@pytest.mark.parametrize("content", ["", "{", "[]", '{"token": "x"}'])
def test_what_is_no_lock_is_one_clear_error(remote: Path, content: str) -> None:
    put_lock(remote)
    lock_of(remote).write_text(content)
    with pytest.raises(
        urlset.errors.OutputError, match=r"locked by an unknown lock file, .*sitemap\.lock\.json; delete it"
    ):
        urlset.write([BASE], BASE, remote.as_uri())


def test_a_build_that_was_not_heard_of_is_taken_for_dead(remote: Path) -> None:
    put_lock(remote, until=time.time() - 1)
    assert urlset.write([BASE], BASE, remote.as_uri()).written == 1
    assert not lock_of(remote).exists()


def test_while_a_build_goes_on_the_end_is_put_off(remote: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = Remote(remote.as_uri(), "sitemap")
    target.open()
    ends = [json.loads(lock_of(remote).read_text())["until"]]
    for later in (0.1, remote_lock.PUT_OFF + 1, remote_lock.LIFE * 3):
        monkeypatch.setattr(remote_lock, "_now", lambda later=later: time.time() + later)
        target.publish([])
        ends.append(json.loads(lock_of(remote).read_text())["until"])
    assert ends[0] == ends[1] < ends[2] < ends[3]
    target.close()
    assert not lock_of(remote).exists()


@pytest.mark.parametrize("what", ["another has it", "nobody has it"])
def test_who_lost_the_lock_changes_nothing_any_more(remote: Path, what: str) -> None:
    urlset.write([BASE + "old"], BASE, remote.as_uri())
    writer = urlset.Writer(BASE, remote.as_uri())
    writer.write(BASE + "new")
    if what == "another has it":
        put_lock(remote)
    else:
        lock_of(remote).unlink()
    with pytest.raises(urlset.errors.OutputError, match="another build took over the lock"):
        writer.close()
    assert entries(remote.as_uri()) == [BASE + "old"]
    assert lock_of(remote).exists() == (what == "another has it")


def test_a_lock_that_cannot_be_dropped_is_logged(
    remote: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(path: str) -> None:
        raise PermissionError("no")

    target = Remote(remote.as_uri(), "sitemap")
    target.open()
    monkeypatch.setattr(target._system, "rm_file", fails)
    with caplog.at_level(logging.WARNING, "urlset.build"):
        target.close()
    assert "stays locked for up to 10 minutes: no" in caplog.text


def test_what_publishes_nothing_takes_no_lock(remote: Path) -> None:
    put_lock(remote)
    (remote / "urls.txt").write_text(BASE)
    site = Site(base_url=BASE, out=remote.as_uri(), sources=(UrlList(file=remote / "urls.txt"),))
    report, _ = build(BuildSpec(sites=(site,)), BuildOptions(dry_run=True))
    assert report.sites[0].summary.written == 1


BUILDER = """
    import sys, urlset
    from urlset.build import remote_lock
    remote_lock.SETTLING = 0.05
    place, number = sys.argv[1:]
    print("ready", flush=True)
    for line in sys.stdin:
        pages = (f"https://example.com/{number}/{n}" for n in range(60))
        if line == "hang\\n":
            writer = urlset.Writer("https://example.com/", place)
            writer.extend(pages)
            print("hanging", flush=True)
            continue
        try:
            print(urlset.write(pages, "https://example.com/", place, max_entries=20 + int(number)).written, flush=True)
        except urlset.errors.OutputError as error:
            print("refused" if "another build" in str(error) else error, flush=True)
"""


def builder(destination: str, number: int, temporary: Path) -> subprocess.Popen[str]:
    """A process that builds when it is told to; what it leaves when it is killed lies in a folder of the test."""
    command = [sys.executable, "-c", textwrap.dedent(BUILDER), destination, str(number)]
    variables = {**os.environ, "TMPDIR": str(temporary)}
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=variables)
    assert first_line(process) == "ready"
    return process


def say(process: subprocess.Popen[str], line: str) -> None:
    assert process.stdin is not None
    process.stdin.write(line + "\n")
    process.stdin.flush()


def first_line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


@pytest.mark.sampled(1)
@pytest.mark.parametrize("through_fsspec", [True, False])
def test_processes_that_build_at_once_do_not_mix(tmp_path: Path, *, through_fsspec: bool) -> None:
    folder = tmp_path / "out"
    builders = [builder(folder.as_uri() if through_fsspec else str(folder), number, tmp_path) for number in range(3)]
    outcomes = []
    for _ in sampled(range(10), 5):
        for process in builders:
            say(process, "build")
        of_round = [first_line(process) for process in builders]
        outcomes += of_round
        assert "60" in of_round
        assert complaints(folder) == []
        index = urlset.read(folder / "sitemap.xml")
        listed = [urlset.read(folder / str(child.loc).removeprefix(BASE)) for child in index]
        assert {str(entry.loc).split("/")[3] for document in listed for entry in document} < {"0", "1", "2"}
        assert sum(len(list(document)) for document in listed) == 60
    assert set(outcomes) <= {"60", "refused"}
    for process in builders:
        process.communicate()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it is known by its end alone whether a build was killed")
def test_a_killed_build_of_this_machine_is_known_to_be_dead(remote: Path) -> None:
    process = builder((remote / "out").as_uri(), 1, remote)
    say(process, "hang")
    assert first_line(process) == "hanging"
    with pytest.raises(urlset.errors.OutputError, match=f"another build \\(process {process.pid} on .*, started .*\\)"):
        urlset.write([BASE], BASE, (remote / "out").as_uri())
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    assert urlset.write([BASE], BASE, (remote / "out").as_uri()).written == 1
