"""Publishing to a folder: the old set stands until the new one is whole, and a build that was killed leaves no trace.

Files are written in a folder of their own beside their places, flushed to the disk, and then renamed one by one,
parts before indexes. A journal of the renames is on the disk before the first: a build that is killed between two
renames is finished by the next one. One killed before that has changed nothing, and the next one clears what it left.
"""

from __future__ import annotations

import errno
import filecmp
import json
import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from urlset import _core
from urlset.bounded import MOST_OF_STATE, read_whole
from urlset.build.target import STATE, Published, Staged
from urlset.errors import OutputError
from urlset.publish import flush, publish

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MANIFEST_VERSION = 1


class Folder:
    """A folder that a set is published to; see `target.Target`."""

    def __init__(self, place: Path, name: str) -> None:
        self._place = place
        self._state = place / STATE
        self._staging = self._state / f"{name}.staging"
        self._manifest = self._state / f"{name}.json"
        self._journal = self._state / f"{name}.journal.json"
        self._lock_file = self._state / f"{name}.lock"
        self._lock: IO[bytes] | None = None

    def open(self) -> Path:
        """Locks the set, ends or clears what a killed build left, and gives the folder for new files."""
        with cannot_be_written(self._place):
            self._state.mkdir(parents=True, exist_ok=True)
            self._take_lock()
            try:
                self._finish_killed()
                shutil.rmtree(self._staging, ignore_errors=True)
                self._staging.mkdir()
            except BaseException:
                self._drop_lock()
                raise
        return self._staging

    def compare(self, files: Sequence[Staged]) -> Published:
        """Holds the files against those that are there, byte by byte."""
        with cannot_be_written(self._place):
            before = self.published()
            changed = [file.name for file in files if not _same(file.path, self._place / file.name)]
            stale = [name for name in before if name not in {file.name for file in files}]
            removed = [name for name in stale if self._is_ours(name, before[name])]
        return Published(frozenset(changed), tuple(removed))

    def publish(self, files: Sequence[Staged], *, hold: bool = False) -> Published:
        """Renames the files into their places; one that is there already with the same bytes stays as it is."""
        with cannot_be_written(self._place):
            before = self.published()
            found = self.compare(files)
            changed = [file for file in files if file.name in found.changed]
            for file in changed:
                self._keep_mode(file)
            kept = {file.name: file.digest for file in files}
            if hold:
                kept = {**before, **kept}
            removed = () if hold else found.removed
            _flush_all([file.path for file in changed])
            if changed or removed or kept != before:
                flush(self._staging)
                self._begin({"rename": [[file.path.name, file.name] for file in changed], "remove": removed}, kept)
        return found

    def sweep(self, names: Sequence[str]) -> None:
        """Removes files that were held."""
        with cannot_be_written(self._place):
            before = self.published()
            kept = {name: digest for name, digest in before.items() if name not in names}
            removed = [name for name in names if name in before and self._is_ours(name, before[name])]
            self._begin({"rename": [], "remove": removed}, kept)

    def _begin(self, journal: dict[str, Any], files: dict[str, str]) -> None:
        """Has what is to be done on the disk, and does it."""
        manifest = {"version": MANIFEST_VERSION, "files": files}
        publish(self._journal, _json({**journal, "manifest": manifest}))
        self._carry_out(json.loads(read_whole(self._journal, MOST_OF_STATE)))

    def close(self) -> None:
        """Removes what was not published and unlocks the set."""
        if self._lock is None:
            return
        shutil.rmtree(self._staging, ignore_errors=True)
        self._drop_lock()

    def _carry_out(self, journal: dict[str, Any]) -> None:
        """Does what a journal says, or what of it is left to do."""
        for staged, name in journal["rename"]:
            beside = self._staging / staged
            if beside.exists():
                beside.replace(self._place / name)
        flush(self._place)
        for name in journal["remove"]:
            (self._place / name).unlink(missing_ok=True)
        publish(self._manifest, _json(journal["manifest"]))
        self._journal.unlink()

    def _finish_killed(self) -> None:
        if self._journal.exists():
            self._carry_out(json.loads(read_whole(self._journal, MOST_OF_STATE)))

    def published(self) -> dict[str, str]:
        """Name and hash of each file that the build before wrote."""
        if not self._manifest.exists():
            return {}
        try:
            manifest = json.loads(read_whole(self._manifest, MOST_OF_STATE))
            files = manifest["files"]
            return {str(name): str(digest) for name, digest in files.items()}
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise OutputError(
                f"{self._manifest} is damaged, so it is not known which files the last build wrote; remove it, and "
                "those of the sitemaps that are not needed any more"
            ) from None

    def _is_ours(self, name: str, digest: str) -> bool:
        """Whether a file is still what the build before wrote, so that it may be removed."""
        path = self._place / name
        if Path(name).name != name or not path.is_file():
            return False
        return _core.file_digest(str(path)) == digest

    def _keep_mode(self, file: Staged) -> None:
        place = self._place / file.name
        if place.is_file():
            file.path.chmod(place.stat().st_mode & 0o7777)

    def _take_lock(self) -> None:
        lock = self._lock_file.open("ab")
        try:
            _lock(lock)
        except OSError as error:
            lock.close()
            if error.errno not in (errno.EACCES, errno.EAGAIN, errno.EDEADLK):
                raise
            raise OutputError(
                f"{self._place} is being written by another build; wait for its end and build again"
            ) from None
        self._lock = lock

    def _drop_lock(self) -> None:
        if self._lock is not None:
            self._lock.close()
            self._lock = None


@contextmanager
def cannot_be_written(place: object) -> Iterator[None]:
    """Says of an error of the system what it means here: nothing of the new set is there, the old one stands."""
    try:
        yield
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise OutputError(f"{place} cannot be written: {reason}; what was published there before stands") from error


def _lock(file: IO[bytes]) -> None:
    """Locks a file for this process, or raises at once. The system drops the lock when the process ends, however."""
    if os.name == "nt":
        import msvcrt

        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _flush_all(paths: Sequence[Path]) -> None:
    """Makes sure that files are on the disk; several at a time, since each waits for it."""
    with ThreadPoolExecutor(8) as pool:
        for done in [pool.submit(flush, path) for path in paths]:
            done.result()


def _same(new: Path, old: Path) -> bool:
    return old.is_file() and filecmp.cmp(new, old, shallow=False)


def _json(value: object) -> bytes:
    return (json.dumps(value, indent=1, sort_keys=True) + "\n").encode()
