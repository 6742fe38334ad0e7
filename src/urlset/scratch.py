"""Temporary folders that are gone even when their process was killed: whoever comes next removes them.

Each folder holds a file that its process keeps locked as long as it lives. The lock goes with the process, whatever
ends it, and unlike its number it means the same to processes of other containers and is not given to anybody else.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType, TracebackType

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # Windows: there, folders of killed processes stay until somebody empties the temporary folder.
    fcntl = None

PREFIX = "urlset-"
LOCK = ".lock"

TRIES = 20
"""How often a folder is emptied that other threads still write to."""

_swept: set[str] = set()
_present: set[Scratch] = set()


class Scratch:
    """A temporary folder of this process.

    Attributes:
        path: The folder.
    """

    def __init__(self) -> None:
        where = tempfile.gettempdir()
        if where not in _swept:
            _swept.add(where)
            sweep(Path(where))
        self._lock: int | None = None
        _present.add(self)
        while True:
            self.path = Path(tempfile.mkdtemp(prefix=PREFIX))
            if fcntl is None:
                return
            self._lock = _locked(self.path / LOCK, os.O_CREAT)
            if self._lock is not None:
                return
            # Another process came in between, and takes it for one that was left behind.

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.remove()

    def remove(self) -> None:
        """Removes the folder with all that is in it. May be called again."""
        _empty(self.path)
        # Last, so that a process which is ended meanwhile still knows of it, and of one that is still written to.
        if not self.path.exists():
            _present.discard(self)
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def remove_all() -> None:
    """Removes every folder of this process, for a process that ends at once."""
    for folder in list(_present):
        if hasattr(folder, "path"):
            _empty(folder.path)


def _empty(folder: Path) -> None:
    """Removes a folder, into which another thread may put a file while it is emptied."""
    for _ in range(TRIES):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return


def sweep(where: Path) -> None:
    """Removes what processes of this user that are no more left behind in a folder."""
    if fcntl is None:
        return
    for folder in _own_folders(where):
        lock = _locked(folder / LOCK)
        if lock is not None:
            shutil.rmtree(folder, ignore_errors=True)
            os.close(lock)


def _own_folders(where: Path) -> Iterator[Path]:
    """The folders of this user with such a name: neither links nor anything else."""
    with contextlib.suppress(OSError), os.scandir(where) as entries:
        for entry in entries:
            if not entry.name.startswith(PREFIX):
                continue
            with contextlib.suppress(OSError):  # It went meanwhile.
                found = entry.stat(follow_symlinks=False)
                if stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid():
                    yield Path(entry.path)


def _locked(file: Path, more: int = 0) -> int | None:
    """A lock on a file; None if it cannot be had, or the file is not there."""
    assert fcntl is not None
    try:
        descriptor = os.open(file, os.O_RDWR | os.O_NOFOLLOW | more, 0o600)
    except OSError:
        return None
    with contextlib.suppress(OSError):  # Somebody has it.
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if file.exists():
            return descriptor
    os.close(descriptor)
    return None
