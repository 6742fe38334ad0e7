"""Last commit of each file: one `git log` per directory, because one per file would take hours."""

from __future__ import annotations

import hashlib
import os
import re
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, TYPE_CHECKING

from urlset.build.lastmod.evidence import DateEvidence
from urlset.build.lastmod.git_process import GitError, output, reason_of, start
from urlset.build.options import FUTURE_TOLERANCE
from urlset.files.bounded import MAX_PAGE_BYTES, read_file

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator

SHALLOW = "the clone is shallow and has no history; fetch the full history (in CI: fetch-depth: 0)"
"""In a shallow clone, git silently reports the oldest commit for every file."""

_LOG = ("log", "-z", "-c", "--format=%x01%ct", "--name-status", "--find-renames=100%", "--no-relative", "--", ".")

_SUBMODULE = "160000"
_BLOCK = 1 << 16
_STATUS = re.compile(r"[A-Z]+(\d*)")
_INDEX_ENTRY = re.compile(
    r"\d+ ([0-9a-f]+) \d\t([^\0]+)\0  ctime: (\d+):(\d+)\n  mtime: (\d+):(\d+)\n.*\n.*\n  size: (\d+)\tflags: .*\n"
)


class Git:
    """Returns dates of the last commits of files.

    Args:
        now: The current time; commits in the future are rejected, because a clock was wrong.
    """

    def __init__(self, now: datetime) -> None:
        self._latest = now + FUTURE_TOLERANCE
        self._histories: dict[str, _History | str] = {}

    def last_commit(self, path: str | os.PathLike[str], folder: str | os.PathLike[str]) -> DateEvidence:
        """Return the date of the last commit of a file, ignoring later commits that only renamed it.

        Args:
            folder: The directory whose history is read at once; it should contain all files that will be requested.
        """
        root = Path(os.path.realpath(folder))
        history = self._history(str(root))
        if isinstance(history, str):
            return DateEvidence(None, history)
        # A link is a separate file, unless git only tracks its target.
        head, name = os.path.split(path)
        places = (_place(os.path.realpath(head), name), os.path.realpath(path))
        for place in places:
            inner = history.submodule_of(place)
            # A submodule that has no repository of its own, or one for another directory, would lead back here.
            if inner is not None and root in Path(os.path.realpath(inner)).parents:
                return self.last_commit(path, inner)
            if history.is_changed(place):
                return DateEvidence(None, "the file has uncommitted changes")
            seconds = history.times.get(place)
            if seconds is not None:
                return self._evidence(seconds)
        return DateEvidence(None, "the file is not tracked by git")

    def refusal(self, folder: str | os.PathLike[str]) -> str | None:
        """Return why git has no dates for a directory; None if it has."""
        history = self._history(os.path.realpath(folder))
        return history if isinstance(history, str) else None

    def _evidence(self, seconds: int) -> DateEvidence:
        try:
            moment = datetime.fromtimestamp(seconds, UTC)
        except (OverflowError, ValueError, OSError):
            return DateEvidence(None, "its last commit has an invalid date")
        if moment > self._latest:
            return DateEvidence(None, f"its last commit is dated {moment:%Y-%m-%d}, which is in the future")
        return DateEvidence(moment, "its last commit")

    def _history(self, folder: str) -> _History | str:
        history = self._histories.get(folder)
        if history is None:
            try:
                history = _History(folder)
            except GitError as error:
                history = str(error)
            self._histories[folder] = history
        return history


class _History:
    """The files of a directory and their last commits.

    Attributes:
        times: Date of the last commit in seconds since 1970, by absolute path.
    """

    def __init__(self, folder: str) -> None:
        top = output(folder, "rev-parse", "--show-toplevel").removesuffix("\n")
        if output(folder, "rev-parse", "--is-shallow-repository").strip() == "true":
            raise GitError(SHALLOW)
        committed, submodules = _committed_files(folder)
        self._submodules = [f"{_place(top, name)}{os.sep}" for name in submodules]
        self._committed = {_place(top, name): blob for name, blob in committed.items()}
        self._index = {_place(top, name): entry for name, entry in _index_entries(folder).items()}
        self._index_time = _modified(
            Path(folder, output(folder, "rev-parse", "--git-path", "index").removesuffix("\n"))
        )
        self.times = {_place(top, name): seconds for name, seconds in _last_commits(folder, set(committed)).items()}

    def submodule_of(self, path: str) -> str | None:
        """Return the submodule of a file, which has a separate history; None if it is not in a submodule."""
        return next((place for place in self._submodules if path.startswith(place)), None)

    def is_changed(self, path: str) -> bool:
        """Return whether the file differs from its last commit, or was added and not committed.

        git would run filters of the repository to find out. Instead, the bytes are compared, unless the file is as it
        was when git compared it. A text file may have the line ends of Windows.
        """
        blob = self._committed.get(path)
        if blob is None:
            return path in self._index
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


def _place(top: str, name: str) -> str:
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


def _last_commits(folder: str, files: set[str]) -> dict[str, int]:
    """Return the last commit of each file. Reading stops once all are known, long before the first commit."""
    commits: dict[str, int] = {}
    # Earlier names of files that were renamed, at the current point of the history.
    names_by_path: dict[str, list[str]] = {name: [name] for name in files}
    if not names_by_path:
        return commits
    seconds = 0
    with _pieces(folder) as pieces:
        for piece in pieces:
            if piece.startswith("\x01"):
                seconds = int(piece[1:])
                continue
            status = _STATUS.fullmatch(piece.lstrip("\n"))
            if status is None:
                continue
            name = next(pieces, "")
            if status[1]:
                # Renamed or copied without a change: the relevant commit is older, under the other name.
                old, name = name, next(pieces, "")
                names_by_path.setdefault(old, []).extend(names_by_path.pop(name, []))
            elif piece.lstrip("\n") != "D":
                commits.update(dict.fromkeys(names_by_path.pop(name, []), seconds))
            if not names_by_path:
                break
    return commits


@contextmanager
def _pieces(folder: str) -> Iterator[Iterator[str]]:
    """Yield the output of `git log`, split at zero bytes, as it is printed."""
    with start(folder, *_LOG) as process:
        assert process.stdout is not None
        try:
            yield _split_at_nul(process.stdout, process)
        finally:
            process.kill()


def _split_at_nul(stream: IO[bytes], process: subprocess.Popen[bytes]) -> Iterator[str]:
    rest = b""
    while block := stream.read(_BLOCK):
        *whole, rest = (rest + block).split(b"\0")
        for piece in whole:
            yield os.fsdecode(piece)
    yield os.fsdecode(rest)
    assert process.stderr is not None
    errors = process.stderr.read()
    if process.wait() != 0:
        raise GitError(reason_of(errors))
