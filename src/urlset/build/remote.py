"""Publish to any file system that fsspec supports: s3, gs, abfs, sftp, memory, and many more.

Not all of them have a safe rename, so files are uploaded one at a time, parts before indexes: an index never lists a
missing file. The location is locked with an object; see `remote_lock`.
"""

from __future__ import annotations

from contextlib import contextmanager, suppress
from secrets import token_hex
from threading import Event, Thread
from typing import TYPE_CHECKING

from urlset import _core
from urlset.build.folder import PARTS, put
from urlset.build.manifest import Manifest
from urlset.build.published import count_published_urls, discover_files
from urlset.build.remote_lock import PUT_OFF, RemoteLock
from urlset.build.state import is_plain, is_plain_object, parse_manifest, read_object
from urlset.build.target import NO_LEDGER, WORK_FOLDER, NextLedger, PublishedLedger, PublishResult, StagedFile
from urlset.errors import OutputError, UrlsetError
from urlset.files.bounded import MAX_MANIFEST_BYTES
from urlset.files.scratch import Scratch
from urlset.objects.object_address import is_object
from urlset.objects.system import file_system, readable, writable
from urlset.text.masking import mask_url

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path


class Remote:
    """A location on an fsspec file system; see `target.Target`."""

    def __init__(self, url: str, name: str) -> None:
        self._system, place = file_system(url)
        # For messages.
        self._url = mask_url(url)
        self._name = name
        self._place = str(place).rstrip("/")
        self._state = f"{self._place}/{WORK_FOLDER}"
        self._manifest = f"{self._state}/{name}.json"
        self._ledger = f"{self._state}/{name}.ledger.parquet"
        self._lock = RemoteLock(self._system, f"{self._state}/{name}.lock.json", self._url)
        self._staging: Scratch | None = None
        self._copies: Scratch | None = None
        self._parts = ""
        self._ours: dict[tuple[str, str], bool] = {}

    def open(self) -> Path:
        """Lock the location, and return a local directory for new files."""
        with writable(self._url):
            self._check_state()
            self._lock.take()
        self._staging = Scratch()
        return self._staging.path

    def open_for_parts(self) -> str:
        """Return a new prefix below the location that executors of a cluster write parts to, until `close`.

        Tasks of a build that was killed can outlive its driver for a while, so each build has a prefix of its own.
        Those of earlier builds are removed.
        """
        with writable(self._url):
            for path in self._system.ls(self._state, detail=False):
                if path.rstrip("/").rpartition("/")[2].startswith(f"{self._name}{PARTS}"):
                    self._lock.keep()
                    self._system.rm(path, recursive=True)
        self._parts = f"{WORK_FOLDER}/{self._name}{PARTS}{token_hex(8)}"
        return self._parts

    @contextmanager
    def keep_locked(self) -> Iterator[None]:
        """Renew the lock while the block, in which executors write, changes nothing itself.

        Raises:
            OutputError: Another build took over the lock, or it cannot be renewed.
        """
        ended, errors = Event(), []

        def renew() -> None:
            while not ended.wait(PUT_OFF):
                try:
                    with writable(self._url):
                        self._lock.keep()
                except UrlsetError as error:
                    errors.append(error)
                    return

        thread = Thread(target=renew, name="urlset-lock", daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()
        if errors:
            raise errors[0]

    def count_urls(self) -> int:
        """Count the published URLs, from the manifest if possible, otherwise by reading the files."""
        with writable(self._url), Scratch() as scratch:
            manifest = self._read_manifest()
            digests = {
                name: manifest.urls.get(name) for name in manifest.files if self._system.exists(f"{self._place}/{name}")
            }

            return count_published_urls(self._name, digests, lambda name: self._download(name, scratch.path))

    def ledger(self) -> PublishedLedger:
        """Return a copy of the ledger, if the manifest names it."""
        with readable(self._url):
            digest = self._read_manifest().ledger
            if not digest:
                return PublishedLedger()
            if not self._is_file(self._ledger):
                return PublishedLedger(problem=f"{self._url}: the ledger in {WORK_FOLDER} is missing")
            if self._copies is None:
                self._copies = Scratch()
            path = self._copies.path / "ledger.parquet"
            self._system.get_file(self._ledger, str(path))
            if _core.file_digest(str(path)) != digest:
                return PublishedLedger(
                    problem=f"{self._url}: the ledger in {WORK_FOLDER} is damaged or belongs to another build"
                )
            return PublishedLedger(path)

    def published_files(self) -> Iterator[tuple[str, Path]]:
        """Yield copies of the files in the manifest, or without one, of those that the main file lists."""
        with readable(self._url), Scratch() as scratch:
            names = self._read_manifest().files or discover_files(
                self._name, lambda name: self._download(name, scratch.path)
            )
            for name in names:
                path = self._download(name, scratch.path)
                if path is not None:
                    yield name, path
                    path.unlink()

    def _download(self, name: str, folder: Path) -> Path | None:
        """Return a copy of a published file; None if it does not exist."""
        place = f"{self._place}/{name}"
        if not is_plain(name) or not self._system.exists(place):
            return None
        self._system.get_file(place, str(folder / name))
        return folder / name

    def put(self, path: Path, content: bytes) -> bool:
        return put(path, content)

    def compare(self, files: Sequence[StagedFile]) -> PublishResult:
        """Compare the files with the manifest of the previous build, and their sizes with the published files."""
        with writable(self._url):
            before = self.published()
            names = {file.name for file in files}
            changed = frozenset(file.name for file in files if not self._is_up(file, before))
            stale = [name for name in before if name not in names and self._system.exists(f"{self._place}/{name}")]
            removed = [name for name in stale if self._is_ours(name, before[name])]
            remaining = [name for name in stale if name not in removed]
        return PublishResult(changed, tuple(removed), tuple(remaining))

    def _is_ours(self, name: str, digest: str) -> bool:
        """Return whether an object is what the previous build wrote, so that it may be removed."""
        is_unchanged = self._ours.get((name, digest))
        if is_unchanged is None:
            with Scratch() as scratch:
                path = self._download(name, scratch.path)
                is_unchanged = path is not None and _core.file_digest(str(path)) == digest
            # While the location is locked, no build changes the object.
            self._ours[name, digest] = is_unchanged
        return is_unchanged

    def publish(
        self, files: Sequence[StagedFile], *, hold: bool = False, ledger: NextLedger = NO_LEDGER
    ) -> PublishResult:
        """Upload the files that differ from the previous build, then the ledger."""
        with writable(self._url):
            self._lock.keep()
            before = self._read_manifest()
            comparison = self.compare(files)
            for file in files:
                if file.name in comparison.changed:
                    self._lock.keep()
                    self._upload(file)
            manifest = before.with_files(files, hold=hold, ledger=ledger)
            if ledger.path is not None:
                # If the build is killed before the manifest names it, it does not belong to the set.
                self._lock.keep()
                self._remove_link(self._ledger)
                self._system.put_file(str(ledger.path), self._ledger)
            self._end(manifest, before, () if hold else comparison.removed)
        return comparison

    def sweep(self, names: Sequence[str]) -> None:
        with writable(self._url):
            self._lock.keep()
            before = self._read_manifest()
            removed = [name for name in names if name in before.files and self._is_ours(name, before.files[name])]
            self._end(before.without(names), before, removed)

    def _end(self, manifest: Manifest, before: Manifest, removed: Sequence[str]) -> None:
        """Remove obsolete files, and update the manifest."""
        for name in removed:
            self._lock.keep()
            self._system.rm_file(f"{self._place}/{name}")
        if manifest != before:
            self._lock.keep()
            self._system.pipe_file(self._manifest, manifest.to_json())
        if not manifest.ledger and self._system.exists(self._ledger):
            self._system.rm_file(self._ledger)

    def _upload(self, file: StagedFile) -> None:
        """Upload a file; a file that is in the object store already is copied there, without reading it."""
        destination = f"{self._place}/{file.name}"
        self._remove_link(destination)
        if file.place:
            self._system.cp_file(f"{self._place}/{file.place}", destination)
        else:
            self._system.put_file(str(file.path), destination)

    def close(self) -> None:
        """Remove the local directories and the parts of executors, and unlock the location."""
        if self._parts:
            # What cannot be removed now is removed by the next build on a cluster.
            with suppress(OutputError), writable(self._url):
                self._lock.keep()
                if self._system.exists(f"{self._place}/{self._parts}"):
                    self._system.rm(f"{self._place}/{self._parts}", recursive=True)
            self._parts = ""
        for scratch in (self._staging, self._copies):
            if scratch is not None:
                scratch.remove()
        self._staging = self._copies = None
        self._lock.drop()

    def _is_up(self, file: StagedFile, before: Mapping[str, str]) -> bool:
        """Return whether a file is already published, according to the manifest and its size."""
        path = f"{self._place}/{file.name}"
        if before.get(file.name) != file.digest or not self._system.exists(path):
            return False
        size = self._system.size(f"{self._place}/{file.place}") if file.place else file.path.stat().st_size
        return bool(self._system.size(path) == size)

    def published(self) -> dict[str, str]:
        return self._read_manifest().files

    def _read_manifest(self) -> Manifest:
        self._check_state()
        content = read_object(self._system, self._manifest, MAX_MANIFEST_BYTES)
        return (
            Manifest({})
            if content is None
            else parse_manifest(content, f"{self._url}/{WORK_FOLDER}/{self._name}.json", self._name)
        )

    def _check_state(self) -> None:
        """Check that what is at the path of the state is a directory, not a link; object stores have neither."""
        if is_object(self._url):
            return
        with suppress(FileNotFoundError):
            if not is_plain_object(self._system, self._state, "directory"):
                raise OutputError(f"{self._url}/{WORK_FOLDER}: is not a directory; delete it and build again")

    def _is_file(self, path: str) -> bool:
        try:
            return is_plain_object(self._system, path)
        except FileNotFoundError:
            return False

    def _remove_link(self, path: str) -> None:
        """Remove a link, which writing would follow, on file systems that have links."""
        if is_object(self._url):
            return
        with suppress(FileNotFoundError):
            if not is_plain_object(self._system, path):
                self._system.rm_file(path)
