"""Publish to any file system that fsspec supports: s3, gs, abfs, sftp, memory, and many more.

Not all of them have a safe rename, so files are uploaded one at a time, parts before indexes: an index never lists a
missing file. The location is locked with an object; see `remote_lock`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from urlset.build.folder import put
from urlset.build.manifest import Manifest
from urlset.build.published import count_published
from urlset.build.remote_lock import RemoteLock
from urlset.build.target import STATE, PublishResult, StagedFile
from urlset.objects.system import file_system, writable
from urlset.scratch import Scratch

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


class Remote:
    """A location on an fsspec file system; see `target.Target`."""

    def __init__(self, url: str, name: str) -> None:
        self._system, place = file_system(url)
        self._url = url
        self._name = name
        self._place = str(place).rstrip("/")
        self._manifest = f"{self._place}/{STATE}/{name}.json"
        self._lock = RemoteLock(self._system, f"{self._place}/{STATE}/{name}.lock.json", url)
        self._staging: Scratch | None = None

    def open(self) -> Path:
        """Lock the location, and return a local directory for new files."""
        with writable(self._url):
            self._lock.take()
        self._staging = Scratch()
        return self._staging.path

    def count_urls(self) -> int:
        """Count the published URLs, from the manifest if possible, otherwise by reading the files."""
        with writable(self._url), Scratch() as scratch:
            manifest = self._read_manifest()
            known = {
                name: manifest.urls.get(name) for name in manifest.files if self._system.exists(f"{self._place}/{name}")
            }

            def path_of(name: str) -> Path | None:
                place = f"{self._place}/{name}"
                if not name or "/" in name or not self._system.exists(place):
                    return None
                self._system.get_file(place, str(scratch.path / name))
                return scratch.path / name

            return count_published(self._name, known, path_of)

    def put(self, path: Path, content: bytes) -> bool:
        """Publish a local file."""
        return put(path, content)

    def compare(self, files: Sequence[StagedFile]) -> PublishResult:
        """Compare the files with the manifest of the previous build, and their sizes with the published files."""
        with writable(self._url):
            before = self.published()
            names = {file.name for file in files}
            changed = frozenset(file.name for file in files if not self._is_up(file, before))
            removed = [name for name in before if name not in names and self._system.exists(f"{self._place}/{name}")]
        return PublishResult(changed, tuple(removed))

    def publish(self, files: Sequence[StagedFile], *, hold: bool = False) -> PublishResult:
        """Upload the files that differ from the previous build."""
        with writable(self._url):
            self._lock.keep()
            before = self._read_manifest()
            found = self.compare(files)
            for file in files:
                if file.name in found.changed:
                    self._lock.keep()
                    self._system.put_file(str(file.path), f"{self._place}/{file.name}")
            kept = before.with_files(files, hold=hold)
            self._end(kept, before, () if hold else found.removed)
        return found

    def sweep(self, names: Sequence[str]) -> None:
        """Remove files that were held."""
        with writable(self._url):
            self._lock.keep()
            before = self._read_manifest()
            kept = before.without(names)
            self._end(kept, before, [name for name in names if self._system.exists(f"{self._place}/{name}")])

    def _end(self, kept: Manifest, before: Manifest, removed: Sequence[str]) -> None:
        """Remove obsolete files, and update the manifest."""
        for name in removed:
            self._lock.keep()
            self._system.rm_file(f"{self._place}/{name}")
        if kept != before:
            self._lock.keep()
            self._system.pipe_file(self._manifest, kept.to_json())

    def close(self) -> None:
        """Remove the local directory, and unlock the location."""
        if self._staging is not None:
            self._staging.remove()
            self._staging = None
        self._lock.drop()

    def _is_up(self, file: StagedFile, before: dict[str, Any]) -> bool:
        """Return whether a file is already published, according to the manifest and its size."""
        path = f"{self._place}/{file.name}"
        if before.get(file.name) != file.digest or not self._system.exists(path):
            return False
        return bool(self._system.size(path) == file.path.stat().st_size)

    def published(self) -> dict[str, str]:
        """Return the name and hash of each file of the previous build."""
        return self._read_manifest().files

    def _read_manifest(self) -> Manifest:
        if not self._system.exists(self._manifest):
            return Manifest()
        return Manifest.parse(self._system.cat_file(self._manifest), f"{self._url}/{STATE}")
