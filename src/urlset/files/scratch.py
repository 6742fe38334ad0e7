"""Temporary folders that are removed even if their process was killed: the next process removes them.

Each folder has a file that its process keeps locked. The lock ends with the process, however it ends. Unlike a process
ID, it is valid across containers and is never reused.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import stat
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType, TracebackType

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # Windows: folders of killed processes stay until the user cleans up the temporary folder.
    fcntl = None

NO_FOLLOW = 0
if sys.platform != "win32":
    NO_FOLLOW = os.O_NOFOLLOW

LOCK = ".lock"

_NAME = re.compile(r"\.?urlset-[0-9a-f]{16}")
"""The name of a folder; with a period, it is next to files of the user."""

TRIES = 20
"""Maximum number of attempts to remove a folder that other threads still write to."""

_swept: set[str] = set()
_present: set[Scratch] = set()


class Scratch:
    """A temporary folder of this process."""

    def __init__(self, where: Path | None = None) -> None:
        """Create the folder, and remove those that killed processes left in the same place.

        Args:
            where: The directory for it, where its name starts with a period; None for that of temporary files.

        Raises:
            OSError: It cannot be created.
        """
        parent, prefix = (Path(tempfile.gettempdir()), "urlset-") if where is None else (where, ".urlset-")
        if str(parent) not in _swept:
            _swept.add(str(parent))
            sweep(parent)
        self._lock: int | None = None
        _present.add(self)
        try:
            while True:
                # Named before it is made, so that an interrupt in between leaves nothing that `remove_all` does not
                # know.
                self.path = parent / f"{prefix}{os.urandom(8).hex()}"
                self.path.mkdir(mode=0o700)
                if fcntl is None:
                    return
                # Another process may see the folder before it is locked, and remove it as stale.
                with contextlib.suppress(FileNotFoundError, BlockingIOError):
                    self._lock = _lock(self.path / LOCK, os.O_CREAT)
                    return
        except OSError:
            self.remove()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.remove()

    def remove(self) -> None:
        """Remove the folder and its content. Can be called repeatedly."""
        _remove(self.path)
        # Last, so that a process that ends here still removes it, as well as a folder that is still written to.
        if not self.path.exists():
            _present.discard(self)
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None
        # Network file systems keep a removed file in its folder while it is open.
        with contextlib.suppress(OSError):
            self.path.rmdir()


def remove_all() -> None:
    """Remove all folders of this process, just before it exits."""
    for folder in list(_present):
        if hasattr(folder, "path"):
            _remove(folder.path)


def _remove(folder: Path) -> None:
    """Remove a folder, even if another thread adds files meanwhile."""
    for _ in range(TRIES):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return


def sweep(where: Path) -> None:
    """Remove the temporary folders that processes of this user left behind."""
    if fcntl is None:
        return
    for folder in _own_folders(where):
        try:
            lock = _lock(folder / LOCK)
        except FileNotFoundError:
            # Its process was killed before it locked the folder, so the folder is empty.
            with contextlib.suppress(OSError):
                folder.rmdir()
        except OSError:
            # Its process is running.
            continue
        else:
            if lock is not None:
                shutil.rmtree(folder, ignore_errors=True)
                os.close(lock)


def _own_folders(where: Path) -> Iterator[Path]:
    """Yield the folders of this user that are named like those of this module, without following links."""
    with contextlib.suppress(OSError), os.scandir(where) as entries:
        for entry in entries:
            if not _NAME.fullmatch(entry.name):
                continue
            with contextlib.suppress(OSError):  # It was removed meanwhile.
                info = entry.stat(follow_symlinks=False)
                is_own = sys.platform != "win32" and info.st_uid == os.geteuid()
                if is_own and stat.S_ISDIR(info.st_mode):
                    yield Path(entry.path)


def _lock(file: Path, more: int = 0) -> int | None:
    """Return a lock on a file; None if its file system has no locks.

    Raises:
        FileNotFoundError: There is no such file, or it was removed meanwhile.
        BlockingIOError: Another process holds the lock.
        OSError: The file cannot be opened.
    """
    assert fcntl is not None
    descriptor = os.open(file, os.O_RDWR | NO_FOLLOW | more, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        file.lstat()
    except (FileNotFoundError, BlockingIOError):
        os.close(descriptor)
        raise
    except OSError:
        os.close(descriptor)
        return None
    return descriptor
