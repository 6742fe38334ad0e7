"""Publish to a directory: the old set stays until the new one is complete, and an interrupted build leaves no traces.

Files are written to a separate directory next to their destinations, flushed to disk, and then renamed one at a time,
parts before indexes. A journal of the renames is written first, so that the next build completes a build that was
interrupted between two renames. Until then, visitors see files of both sets. A build interrupted before the first
rename has changed nothing, and the next one cleans up.
"""

from __future__ import annotations

import filecmp
import shutil
from contextlib import contextmanager
from glob import escape
from typing import IO, TYPE_CHECKING

from urlset import _core
from urlset.build.manifest import Manifest, as_json
from urlset.build.published import count_published_urls, discover_files
from urlset.build.state import (
    STATE,
    WORK,
    Journal,
    check_entry,
    is_plain,
    is_regular,
    read_journal,
    read_manifest,
    take_over,
)  # fmt: skip
from urlset.build.target import NO_LEDGER, WORK_FOLDER, NextLedger, PublishedLedger, PublishResult, StagedFile
from urlset.errors import OutputError, reason_of
from urlset.files.own_files import open_own
from urlset.files.publish import flush, publish
from urlset.processes.threads import in_order

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

PARTS = ".parts-"
"""In the name of the folder that executors of a cluster write to, between the name of the set and a random one."""


class Folder:
    """A directory that a set is published to; see `target.Target`."""

    def __init__(self, place: Path, name: str) -> None:
        self._place = place
        self._name = name
        self._work = place / WORK_FOLDER
        self._staging = self._work / f"{name}.staging"
        self._lock_file = self._work / f"{name}.lock"
        self._state = take_over(place, name)
        self._manifest = self._state / f"{name}.json"
        self._ledger = self._state / f"{name}.ledger.parquet"
        self._next_ledger = self._state / f"{name}.ledger.new"
        self._journal = self._state / f"{name}.journal.json"
        self._lock: IO[bytes] | None = None

    def open(self) -> Path:
        """Lock the set, complete or clean up an interrupted build, and return the directory for new files."""
        with convert_write_errors(self._place):
            self._check_entries()
            self._work.mkdir(parents=True, exist_ok=True)
            self._take_lock()
            try:
                self._make_state()
                self._finish_interrupted()
                shutil.rmtree(self._staging, ignore_errors=True)
                self._next_ledger.unlink(missing_ok=True)
                for leftover in self._work.glob(f"{escape(self._name)}{PARTS}*"):
                    shutil.rmtree(leftover, ignore_errors=True)
                self._staging.mkdir()
            except BaseException:
                self._drop_lock()
                raise
        return self._staging

    def compare(self, files: Sequence[StagedFile]) -> PublishResult:
        """Compare the files with the published ones, byte by byte."""
        with convert_write_errors(self._place):
            # Without a manifest, nothing shows who wrote the files that the main file lists.
            before = self.published() or dict.fromkeys(discover_files(self._name, self._path_of))
            changed = [file.name for file in files if not _is_same_content(file.path, self._place / file.name)]
            stale = [name for name in before if name not in {file.name for file in files}]
            removed = [name for name in stale if self._is_ours(name, before[name])]
            remaining = [name for name in stale if name not in removed and (self._place / name).is_file()]
        return PublishResult(frozenset(changed), tuple(removed), tuple(remaining))

    def publish(
        self, files: Sequence[StagedFile], *, hold: bool = False, ledger: NextLedger = NO_LEDGER
    ) -> PublishResult:
        """Rename the files to their destinations; a file with the same bytes is left unchanged."""
        with convert_write_errors(self._place):
            before = self._read_manifest()
            comparison = self.compare(files)
            changed = [file for file in files if file.name in comparison.changed]
            for file in changed:
                self._keep_mode(file)
            manifest = before.with_files(files, hold=hold, ledger=ledger)
            removed = () if hold else comparison.removed
            _flush_all([file.path for file in changed])
            if not (changed or removed or manifest != before or ledger.path is not None):
                return comparison
            if ledger.path is not None:
                # The state can be on another file system.
                shutil.move(ledger.path, self._next_ledger)
                flush(self._next_ledger)
            flush(self._staging)
            renames = tuple((file.path.name, file.name) for file in changed)
            self._begin(Journal(renames, removed, manifest, ledger.path is not None))
        return comparison

    def count_urls(self) -> int:
        """Count the published URLs, from the manifest if a file still matches it, otherwise by reading the file."""
        with cannot_be_read(self._place):
            manifest = self._read_manifest()
            digests = {
                name: manifest.urls.get(name) if self._is_ours(name, digest) else None
                for name, digest in manifest.files.items()
                if self._path_of(name) is not None
            }
            return count_published_urls(self._name, digests, self._path_of)

    def ledger(self) -> PublishedLedger:
        """Return the ledger, if the manifest names it."""
        with cannot_be_read(self._place):
            digest = self._read_manifest().ledger
            if not digest:
                return PublishedLedger()
            if not is_regular(self._ledger):
                return PublishedLedger(problem=f"{self._ledger} is missing")
            if _core.file_digest(str(self._ledger)) != digest:
                return PublishedLedger(problem=f"{self._ledger} is damaged or belongs to another build")
            return PublishedLedger(self._ledger)

    def published_files(self) -> Iterator[tuple[str, Path]]:
        """Yield the files in the manifest, or without one, those that the main file lists."""
        with cannot_be_read(self._place):
            for name in self._read_manifest().files or discover_files(self._name, self._path_of):
                path = self._path_of(name)
                if path is not None:
                    yield name, path

    def put(self, path: Path, content: bytes) -> bool:
        return put(path, content)

    def _path_of(self, name: str) -> Path | None:
        path = self._place / name
        return path if is_plain(name) and path.is_file() else None

    def sweep(self, names: Sequence[str]) -> None:
        with convert_write_errors(self._place):
            before = self._read_manifest()
            self._begin(Journal((), tuple(names), before.without(names)))

    def _begin(self, journal: Journal) -> None:
        """Write the journal to disk, and apply it."""
        publish(self._journal, as_json(journal.values()), follow=False)
        self._carry_out(journal)

    def close(self) -> None:
        if self._lock is None:
            return
        shutil.rmtree(self._staging, ignore_errors=True)
        self._drop_lock()

    def _carry_out(self, journal: Journal) -> None:
        """Apply a journal, or the rest of it."""
        before = self._read_manifest().files
        for staged, name in journal.rename:
            beside = self._staging / staged
            if beside.exists():
                beside.replace(self._place / name)
        flush(self._place)
        self._replace_ledger(journal)
        for name in journal.remove:
            if self._is_ours(name, before.get(name)):
                (self._place / name).unlink(missing_ok=True)
        publish(self._manifest, journal.manifest.to_json(), follow=False)
        self._journal.unlink()

    def _replace_ledger(self, journal: Journal) -> None:
        """Put a new ledger in place, or remove a ledger that the set no longer has."""
        if journal.ledger and self._next_ledger.exists():
            self._next_ledger.replace(self._ledger)
            flush(self._state)
        elif not journal.manifest.ledger:
            self._ledger.unlink(missing_ok=True)

    def _finish_interrupted(self) -> None:
        journal = read_journal(self._journal, self._name)
        if journal is None:
            return
        digests = [(self._staging / staged, journal.manifest.files.get(name)) for staged, name in journal.rename]
        if journal.ledger:
            digests.append((self._next_ledger, journal.manifest.ledger))
        for path, digest in digests:
            # A file that is not there has been renamed already.
            if check_entry(path) and not (is_regular(path) and _core.file_digest(str(path)) == digest):
                raise OutputError(f"{path}: is not the file that the journal names; delete {self._journal}")
        self._carry_out(journal)

    def _make_state(self) -> None:
        try:
            self._state.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise OutputError(
                f"{self._state}: cannot be created: {reason_of(error)}; builds keep there what they know of a "
                "set, so set XDG_STATE_HOME to a directory that can be written"
            ) from error

    def _check_entries(self) -> None:
        """Check that nothing that is written to, or removed, leads elsewhere.

        Raises:
            OutputError: A directory, or something in it that is of this set, is a link or not a file.
        """
        # Asking for each name, instead of listing, leaves to the file system which spellings of it are the same.
        if check_entry(self._state):
            for ending in STATE:
                check_entry(self._state / f"{self._name}.{ending}")
        if check_entry(self._work):
            work = [self._work / f"{self._name}.{ending}" for ending in WORK]
            for path in (*work, *self._work.glob(f"{escape(self._name)}{PARTS}*")):
                check_entry(path)

    def published(self) -> dict[str, str]:
        return self._read_manifest().files

    def _read_manifest(self) -> Manifest:
        manifest = read_manifest(self._manifest, self._name) if check_entry(self._state) else None
        return manifest or Manifest({})

    def _is_ours(self, name: str, digest: str | None) -> bool:
        """Return whether a file is unchanged since the previous build, so that it may be removed."""
        path = self._place / name
        return path.is_file() and _core.file_digest(str(path)) == digest

    def _keep_mode(self, file: StagedFile) -> None:
        published = self._place / file.name
        if is_regular(published):
            file.path.chmod(published.stat().st_mode & 0o7777)

    def _take_lock(self) -> None:
        # Imported here because streaming writers have no directory and do not need it.
        from filelock import lock_descriptor

        # The system releases the lock whenever the process ends.
        lock = open_own(self._lock_file, "ab")
        try:
            is_ours = lock_descriptor(lock.fileno(), blocking=False)
        except OSError:
            lock.close()
            raise
        if not is_ours:
            lock.close()
            raise OutputError(f"{self._place}: locked by another build; wait until it finishes and build again")
        self._lock = lock

    def _drop_lock(self) -> None:
        if self._lock is not None:
            self._lock.close()
            self._lock = None


@contextmanager
def convert_write_errors(place: object) -> Iterator[None]:
    """Convert a system error while writing to an OutputError, which states that the published set is unchanged."""
    try:
        yield
    except OSError as error:
        reason = reason_of(error)
        raise OutputError(f"{place}: cannot be written: {reason}; the published files are unchanged") from error


@contextmanager
def cannot_be_read(place: object) -> Iterator[None]:
    """Convert a system error while reading published files to an OutputError."""
    try:
        yield
    except OSError as error:
        raise OutputError(f"{place}: cannot be read: {reason_of(error)}") from error


def _flush_all(paths: Sequence[Path]) -> None:
    """Flush files to disk, several at a time because each call waits for the disk."""
    for _ in in_order(flush, paths, 8, "urlset-flush"):
        pass


def _is_same_content(new: Path, old: Path) -> bool:
    """Return whether a published file already has this content; a link to a file never does."""
    return is_regular(old) and filecmp.cmp(new, old, shallow=False)


def differs(path: Path, content: bytes) -> bool:
    """Return whether a file would change if this content were written.

    Raises:
        OutputError: It cannot be read.
    """
    with cannot_be_read(path):
        return not path.is_file() or path.read_bytes() != content


def put(path: Path, content: bytes) -> bool:
    """Write a file that is not part of a set, and return whether it changed.

    Raises:
        OutputError: It cannot be written.
    """
    if not differs(path, content):
        return False
    with convert_write_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        publish(path, content)
    return True
