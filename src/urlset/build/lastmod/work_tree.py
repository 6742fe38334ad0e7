"""The files of a directory as git knows them: what is committed, what is in the index, and what has changed since."""

from __future__ import annotations

import hashlib
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from urlset.build.lastmod.git_process import check_version, output
from urlset.files.bounded import MAX_PAGE_BYTES, read_file

_SUBMODULE = "160000"
_INDEX_ENTRY = re.compile(
    r"\d+ ([0-9a-f]+) \d\t([^\0]+)\0  ctime: (\d+):(\d+)\n  mtime: (\d+):(\d+)\n.*\n.*\n  size: (\d+)\tflags: .*\n"
)


class TrackedFile(NamedTuple):
    """A file of the newest commit: its path in the repository, and the hash of its content."""

    name: str
    blob: str


class WorkTree:
    """The tracked files of a directory.

    Attributes:
        folder: The directory.
        top: The top directory of the repository.
        is_shallow: Whether the clone lacks the older part of its history.
        files: The files of the newest commit, by absolute path.

    Raises:
        GitError: git cannot read the repository.
    """

    def __init__(self, folder: str) -> None:
        check_version(folder)
        self.folder = folder
        self.top = output(folder, "rev-parse", "--show-toplevel").removesuffix("\n")
        self.is_shallow = output(folder, "rev-parse", "--is-shallow-repository").strip() == "true"
        committed, submodules = _committed_files(folder)
        self._submodules = [f"{place_of(self.top, name)}{os.sep}" for name in submodules]
        self.files = {place_of(self.top, name): TrackedFile(name, blob) for name, blob in committed.items()}
        self._index = {place_of(self.top, name): entry for name, entry in _index_entries(folder).items()}
        self._index_time = _modified(
            Path(folder, output(folder, "rev-parse", "--git-path", "index").removesuffix("\n"))
        )

    def submodule_of(self, path: str) -> str | None:
        """Return the submodule of a file, which has a separate history; None if it is not in a submodule."""
        return next((place for place in self._submodules if path.startswith(place)), None)

    def is_changed(self, path: str) -> bool:
        """Return whether the file differs from its last commit, or was added and not committed.

        git would run filters of the repository to find out. Instead, the bytes are compared, unless the file is as it
        was when git compared it. A text file may have the line ends of Windows.
        """
        tracked = self.files.get(path)
        if tracked is None:
            return path in self._index
        blob = tracked.blob
        file = Path(path)
        try:
            if self._index.get(path) == _IndexEntry.of(file, blob) and file.lstat().st_mtime_ns < self._index_time:
                return False
            if not (file.is_symlink() or file.is_file()):
                return True
            content = os.fsencode(file.readlink()) if file.is_symlink() else read_file(file, MAX_PAGE_BYTES)
        except OSError:
            return True
        return blob not in (_hash(content, len(blob)), _hash(content.replace(b"\r\n", b"\n"), len(blob)))


@dataclass(frozen=True, slots=True)
class _IndexEntry:
    """A file in git's index: its content, and what the file system said when git compared it.

    A file that changed later within the tick of the clock has the same time; git calls it racy.
    """

    blob: str
    mtime_ns: int
    ctime_ns: int
    size: int

    @classmethod
    def of(cls, file: Path, blob: str) -> _IndexEntry:
        """Return the entry of a file with this content."""
        facts = file.lstat()
        return cls(blob, facts.st_mtime_ns, facts.st_ctime_ns, facts.st_size & 0xFFFFFFFF)


def _modified(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def _hash(content: bytes, digits: int) -> str:
    """Return the hash that git gives to the content of a file; the number of digits tells which it uses."""
    return hashlib.new("sha1" if digits == 40 else "sha256", b"blob %d\0%b" % (len(content), content)).hexdigest()


def place_of(top: str, name: str) -> str:
    """Return the absolute path of a file from its path in the repository."""
    return os.path.normpath(f"{top}/{name}")


def _committed_files(folder: str) -> tuple[dict[str, str], list[str]]:
    """Return the hashes of committed files of a directory, and its submodules, by their paths in the repository."""
    files, submodules = {}, []
    for entry in output(folder, "ls-tree", "-r", "-z", "--full-name", "HEAD").split("\0"):
        kind, _, name = entry.partition("\t")
        mode, _, blob = kind.partition(" blob ")
        if mode.startswith(_SUBMODULE):
            submodules.append(name)
        elif name:
            files[name] = blob
    return files, submodules


def _index_entries(folder: str) -> dict[str, _IndexEntry]:
    """Return the files of a directory in git's index, by their paths in the repository."""
    printed = output(folder, "ls-files", "-z", "--stage", "--debug", "--full-name", "--", ".")
    return {
        name: _IndexEntry(blob, int(mtime + mtime_ns.zfill(9)), int(ctime + ctime_ns.zfill(9)), int(size))
        for blob, name, ctime, ctime_ns, mtime, mtime_ns, size in _INDEX_ENTRY.findall(printed)
    }
