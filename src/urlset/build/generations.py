"""Publish a whole set by replacing one symbolic link, on file systems that support them.

The public files are links to `.urlset-build/NAME.current/…`, and `NAME.current` is a link to the directory of one
generation: all files of one build. Publishing completes the directory of the next generation and then replaces that
link atomically.
"""

from __future__ import annotations

import os
import re
import shutil
from contextlib import suppress
from typing import TYPE_CHECKING

from urlset.build.state import check_entry, is_regular
from urlset.build.target import WORK_FOLDER
from urlset.errors import OutputError, reason_of
from urlset.files.publish import flush

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from urlset.build.target import StagedFile


class Generations:
    """The generations of one set, whose public directory is `place`."""

    def __init__(self, place: Path, name: str) -> None:
        self._place = place
        self._work = place / WORK_FOLDER
        self._folders = self._work / f"{name}.generations"
        self._current = self._work / f"{name}.current"
        self._link_to = f"{WORK_FOLDER}/{name}.current"
        self._beside = self._work / f"{name}.link"

    def stage(self, files: Sequence[StagedFile], changed: frozenset[str], held_back: Sequence[str]) -> str:
        """Complete the directory of the next generation, which is not public yet, and return its name.

        Args:
            changed: Names of files that differ from the published ones; other files are linked.
            held_back: Names of further published files to keep for now.

        Raises:
            OutputError: The file system does not support symbolic links.
        """
        self._check_links()
        self._folders.mkdir(exist_ok=True)
        numbers = [int(path.name) for path in self._folders.iterdir() if path.name.isdecimal()]
        fresh = self._folders / str(max(numbers, default=0) + 1)
        fresh.mkdir()
        for file in files:
            published = None if file.name in changed else self.file(file.name)
            if published is None:
                file.path.rename(fresh / file.name)
            else:
                _share(published, fresh / file.name)
        for name in held_back:
            if (published := self.file(name)) is not None:
                _share(published, fresh / name)
        flush(fresh)
        flush(self._folders)
        return fresh.name

    def switch(self, number: str, names: Sequence[str]) -> None:
        """Publish the generation `number` under all public `names`. Can be repeated after an interruption."""
        if self._is_current(number):
            return
        for name in names:
            if is_regular(self._folders / number / name):
                self._link(name)
        flush(self._place)
        self._replace_link(self._current, f"{self._folders.name}/{number}")
        flush(self._work)

    def clear(self) -> None:
        """Remove the directories of all generations except the published one."""
        if not self._folders.is_dir():
            return
        for folder in self._folders.iterdir():
            if not self._is_current(folder.name):
                shutil.rmtree(folder, ignore_errors=True)

    def file(self, name: str) -> Path | None:
        """Return the published file of this name, through a link to the current generation; None for other links."""
        public = self._place / name
        if not self.has_link(name):
            return public if is_regular(public) else None
        if not self._current.is_symlink() or not self.owns_link(self._current):
            return None
        inside = self._work / self._current.readlink() / name
        return inside if is_regular(inside) else None

    def has_link(self, name: str) -> bool:
        """Return whether a public file is a link to the current generation."""
        public = self._place / name
        return public.is_symlink() and public.readlink().as_posix() == f"{self._link_to}/{name}"

    def owns_link(self, path: Path) -> bool:
        """Return whether a path in the state is one of the links of this module.

        Raises:
            OutputError: It is, but leads elsewhere.
        """
        if not path.is_symlink() or path not in (self._current, self._beside):
            return False
        target = path.readlink().as_posix()
        is_generation = re.fullmatch(rf"{re.escape(self._folders.name)}/[0-9]+", target)
        if path == self._current and not (
            is_generation and check_entry(self._folders) and check_entry(self._work / target)
        ):
            raise OutputError(f"{path}: does not lead to a published generation; delete it and build again")
        return True

    def check(self, number: str, journal: Path) -> None:
        """Check a generation that a journal names.

        Raises:
            OutputError: It is missing, or contains anything but regular files.
        """
        folder = self._folders / number
        if not check_entry(folder) or not all(is_regular(path) for path in folder.iterdir()):
            raise OutputError(f"{folder}: is not the generation that the journal names; delete {journal}")

    def _link(self, name: str) -> None:
        """Replace a public file with a link to the current generation, with the same content."""
        public, target = self._place / name, f"{self._link_to}/{name}"
        if self.has_link(name):
            return
        if is_regular(public):
            if not self._current.is_symlink():
                (self._folders / "0").mkdir(parents=True, exist_ok=True)
                self._replace_link(self._current, f"{self._folders.name}/0")
            inside = self._current / name
            temporary = self._current / f"{name}.before"
            temporary.unlink(missing_ok=True)
            _share(public, temporary)
            temporary.replace(inside)
        # For a new file, the link is dangling until the switch, as if the file did not exist.
        self._replace_link(public, target)

    def _replace_link(self, link: Path, target: str) -> None:
        self._beside.unlink(missing_ok=True)
        self._beside.symlink_to(target)
        self._beside.replace(link)

    def _is_current(self, number: str) -> bool:
        return self._current.is_symlink() and self._current.readlink().as_posix() == f"{self._folders.name}/{number}"

    def _check_links(self) -> None:
        try:
            self._beside.unlink(missing_ok=True)
            self._beside.symlink_to(self._folders.name)
            self._beside.unlink()
        except (OSError, NotImplementedError) as error:
            reason = reason_of(error)
            raise OutputError(
                f"{self._place}: atomic publishing requires symbolic links, which fail here ({reason}); use "
                "publish = rename"
            ) from error


def _share(source: Path, target: Path) -> None:
    """Create a hard link to a file, or a copy if the file system does not support hard links."""
    with suppress(OSError, NotImplementedError):
        os.link(source, target)
        return
    shutil.copy2(source, target)
    flush(target)
