"""Opens files whose names urlset derives, such as STORE.lock. Others can put them into a repository or an archive.

No link is followed below the directory that the user named, and files of other users are not used. Links above it, such
as `current -> releases/7`, are followed.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING

from urlset.files.repository_links import is_foreign_status

if TYPE_CHECKING:
    from collections.abc import Iterator

IS_LINK = "is a symbolic link, so it is not used"
IS_FOREIGN = "belongs to another user, so it is not used"
IS_SPECIAL = "is neither a file nor a directory, so it is not used"
IS_FOLDER = "is a directory"

_LINK_TAGS = (0xA000000C, 0xA0000003)
"""Tags of symbolic links and junctions of Windows."""

if sys.platform == "win32":
    _OPEN_FOLDER = _OPEN_FILE = 0
else:
    _OPEN_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
    # A pipe would wait for its other end.
    _OPEN_FILE = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def open_own(path: Path, mode: str, below: Path | None = None) -> IO[bytes]:
    """Open or create a file. Only its owner can read a new one.

    Args:
        mode: A binary mode of `open`.
        below: The directory that the user named; None for the directory of the file.

    Raises:
        OSError: The file cannot be opened, or is one that urlset does not use.
    """
    folder = path.parent if below is None else below

    def opener(_: str, flags: int) -> int:
        descriptor = _open(folder, path, flags & ~os.O_TRUNC)
        try:
            if (problem := _problem(os.fstat(descriptor), folder)) is not None:
                raise _refused(path, problem, path)
            if flags & os.O_TRUNC:
                # Only after the owner of the file was checked.
                os.ftruncate(descriptor, 0)
        except BaseException:
            os.close(descriptor)
            raise
        return descriptor

    file: IO[bytes] = open(path, mode, opener=opener)  # noqa: SIM115 - the caller closes it
    return file


def check_own(path: Path, below: Path | None = None, *, folder: bool = False) -> bool:
    """Check a file that another library opens by its path, and return whether it exists.

    Args:
        below: The directory that the user named; None for the directory of the file.
        folder: Whether the path itself may be a directory.

    Raises:
        OSError: It, or a directory above it, is one that urlset does not use.
    """
    start = path.parent if below is None else below
    for part in [*reversed(_parents(path, start)), path]:
        try:
            info = part.lstat()
        except (FileNotFoundError, NotADirectoryError):
            return False
        if (problem := _problem(info, start, folder=folder or part != path)) is not None:
            raise _refused(part, problem, path)
    return True


def make_own_folder(path: Path, below: Path | None = None) -> None:
    """Make a directory, with those above it, unless it exists.

    Args:
        below: The directory that the user named; None for the one above it.

    Raises:
        OSError: It cannot be created, or is one that urlset does not use.
    """
    start = path.parent if below is None else below
    start.mkdir(parents=True, exist_ok=True)
    if path == start:
        # The user named it, and may name a link.
        return
    for part in [*reversed(_parents(path, start)), path]:
        check_own(part, start, folder=True)
        part.mkdir(exist_ok=True)


def check_tree(path: Path) -> None:
    """Check everything in a directory that only urlset writes.

    Raises:
        OSError: Something in it is a link, belongs to another user, or is neither a file nor a directory.
    """
    check_own(path, folder=True)
    for entry in _entries(path):
        if (problem := _problem(entry.stat(follow_symlinks=False), path, folder=True)) is not None:
            raise _refused(Path(entry.path), problem, path)


def _entries(path: Path) -> Iterator[os.DirEntry[str]]:
    waiting = [str(path)]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                yield entry
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)


def _open(start: Path, path: Path, flags: int) -> int:
    """Open a file directory by directory, so that nothing can be replaced by a link meanwhile."""
    if sys.platform == "win32":
        check_own(path, start)
        return os.open(path, flags, 0o600)
    else:  # noqa: RET505 - mypy knows the platform of a branch
        here = os.open(start, _OPEN_FOLDER)
        try:
            for part in reversed(_parents(path, start)):
                inner = _open_in(here, part, _OPEN_FOLDER | os.O_NOFOLLOW, path)
                os.close(here)
                here = inner
                if (problem := _problem(os.fstat(here), start, folder=True)) is not None:
                    raise _refused(part, problem, path)
            return _open_in(here, path, flags | _OPEN_FILE, path)
        finally:
            os.close(here)


def _open_in(folder: int, part: Path, flags: int, path: Path) -> int:
    try:
        return os.open(part.name, flags, 0o600, dir_fd=folder)
    except OSError as error:
        # Systems report different errors for a link, and the error for a pipe without a reader names a device.
        if error.errno in (errno.ELOOP, errno.EMLINK, errno.ENOTDIR, errno.ENXIO, errno.EISDIR):
            info = os.stat(part.name, dir_fd=folder, follow_symlinks=False)
            if (problem := _problem(info, None, folder=part != path)) is not None:
                raise _refused(part, problem, path) from None
        raise


def _parents(path: Path, start: Path) -> list[Path]:
    """Return the directories between a directory and a path below it, innermost first."""
    return [parent for parent in path.parents if parent != start and parent.is_relative_to(start)]


def _problem(info: os.stat_result, start: Path | None, *, folder: bool = False) -> str | None:
    """Return why a file is not used; None if it is."""
    if stat.S_ISLNK(info.st_mode) or getattr(info, "st_reparse_tag", 0) in _LINK_TAGS:
        return IS_LINK
    if stat.S_ISDIR(info.st_mode) and not folder:
        return IS_FOLDER
    if not stat.S_ISREG(info.st_mode) and not stat.S_ISDIR(info.st_mode):
        return IS_SPECIAL
    return IS_FOREIGN if start is not None and is_foreign_status(info, start) else None


def _refused(part: Path, problem: str, path: Path) -> OSError:
    return OSError(errno.EPERM, f"{'it' if part == path else part} {problem}; delete it", str(path))
