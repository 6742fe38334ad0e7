"""Publish a whole set by replacing one symbolic link, on file systems that support them.

The public files are links to `.urlset-build/NAME.current/…`, and `NAME.current` is a link to the directory of one
generation: all files of one build. Publishing completes the directory of the next generation and then replaces that
link atomically.
"""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from typing import TYPE_CHECKING

from urlset.build.target import STATE
from urlset.errors import OutputError, reason_of
from urlset.publish import flush

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from urlset.build.target import StagedFile


class Generations:
    """The generations of one set.

    Args:
        place: The public directory.
        name: Name of the set.
    """

    def __init__(self, place: Path, name: str) -> None:
        self._place = place
        self._state = place / STATE
        self._folders = self._state / f"{name}.generations"
        self._current = self._state / f"{name}.current"
        self._link_to = f"{STATE}/{name}.current"
        self._beside = self._state / f"{name}.link"

    def stage(self, files: Sequence[StagedFile], changed: frozenset[str], held: Sequence[str]) -> str:
        """Complete the directory of the next generation, which is not public yet.

        Args:
            files: The files of the set.
            changed: Names of files that differ from the published ones; other files are linked.
            held: Names of further published files to keep for now.

        Returns:
            The name of the directory.

        Raises:
            OutputError: The file system does not support symbolic links.
        """
        self._check_links()
        self._folders.mkdir(exist_ok=True)
        numbers = [int(path.name) for path in self._folders.iterdir() if path.name.isdecimal()]
        fresh = self._folders / str(max(numbers, default=0) + 1)
        fresh.mkdir()
        for file in files:
            if file.name in changed:
                file.path.rename(fresh / file.name)
            else:
                _share(self._place / file.name, fresh / file.name)
        for name in held:
            if (self._place / name).is_file():
                _share(self._place / name, fresh / name)
        flush(fresh)
        flush(self._folders)
        return fresh.name

    def switch(self, number: str, names: Sequence[str]) -> None:
        """Publish a generation. Can be repeated after an interruption.

        Args:
            number: The name of its directory.
            names: All public names.
        """
        if self._is_current(number):
            return
        for name in names:
            self._link(name)
        flush(self._place)
        self._replace_link(self._current, f"{self._folders.name}/{number}")
        flush(self._state)

    def clear(self) -> None:
        """Remove the directories of all generations except the published one."""
        if not self._folders.is_dir():
            return
        for folder in self._folders.iterdir():
            if not self._is_current(folder.name):
                shutil.rmtree(folder, ignore_errors=True)

    def _link(self, name: str) -> None:
        """Replace a public file with a link to the current generation, with the same content."""
        public, target = self._place / name, f"{self._link_to}/{name}"
        if public.is_symlink() and str(public.readlink()) == target:
            return
        if public.is_file():
            if not self._current.is_symlink():
                (self._folders / "0").mkdir(parents=True, exist_ok=True)
                self._replace_link(self._current, f"{self._folders.name}/0")
            inside = self._current / name
            beside = self._current / f"{name}.before"
            beside.unlink(missing_ok=True)
            _share(public, beside)
            beside.replace(inside)
        # For a new file, the link is dangling until the switch, as if the file did not exist.
        self._replace_link(public, target)

    def _replace_link(self, link: Path, target: str) -> None:
        self._beside.unlink(missing_ok=True)
        self._beside.symlink_to(target)
        self._beside.replace(link)

    def _is_current(self, number: str) -> bool:
        return self._current.is_symlink() and str(self._current.readlink()) == f"{self._folders.name}/{number}"

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
    source = source.resolve()
    with suppress(OSError, NotImplementedError):
        os.link(source, target)
        return
    shutil.copy2(source, target)
    flush(target)
