"""The files of a directory that a host would publish."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from functools import cached_property
from stat import S_ISREG
from typing import TYPE_CHECKING

from urlset.errors import InputError, reason_of
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MAX_FILES = 2_000_000
"""Maximum files of a directory: their names are held in memory."""

MAX_START_BYTES = 256 * 1024
"""Bytes of a file that are read for its canonical link or its first URLs."""

PAGE_ENDINGS = (".html", ".htm", ".xhtml")


def is_page(name: str) -> bool:
    """Return whether a file has the name of an HTML page."""
    return name.lower().endswith(PAGE_ENDINGS)


@dataclass
class PublishedFolder:
    """The files below a directory, by their path relative to it.

    Hidden files are left out, as hosts do, except in `.well-known`. A symbolic link to a file of the directory is this
    file; links that lead elsewhere, and links to directories, are refused and counted.

    Attributes:
        outside: Links that lead out of the directory, by name; the first few.
        links_outside: Number of these links.
        folder_links: Number of links to directories.
        special: Number of pipes, sockets, and devices.
    """

    root: Path
    files: set[str] = field(default_factory=set)
    outside: list[str] = field(default_factory=list)
    links_outside: int = 0
    folder_links: int = 0
    special: int = 0
    unlisted: list[str] = field(default_factory=list)
    _targets: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, root: Path) -> PublishedFolder:
        """List a directory.

        Raises:
            InputError: The directory cannot be listed, or has too many files.
        """
        folder = cls(root)
        folder._list(os.path.realpath(root))
        return folder

    def path(self, name: str) -> str:
        return self._targets.get(name) or os.path.join(self.root, name)  # noqa: PTH118 - once per page

    def name_of(self, path: str) -> str:
        """Return the name of a file by its path as `path` returns it."""
        prefix = os.path.join(self.root, "")  # noqa: PTH118 - a string
        if path.startswith(prefix):
            return path[len(prefix) :]
        return next((name for name, target in self._targets.items() if target == path), path)

    @cached_property
    def folders(self) -> frozenset[str]:
        """The directories that have files, without a trailing slash."""
        found: set[str] = set()
        for name in self.files:
            while (name := name.rpartition("/")[0]) and name not in found:
                found.add(name)
        return frozenset(found)

    def start(self, name: str) -> bytes:
        """Return the start of a file, which has its canonical link or its first URLs; empty if it cannot be read."""
        try:
            with open(self.path(name), "rb") as file:  # noqa: PTH123 - once per page
                return file.read(MAX_START_BYTES)
        except OSError:
            return b""

    @property
    def has_pages(self) -> bool:
        return any(map(is_page, self.files))

    def pages(self) -> list[str]:
        """Return the names of the HTML files, sorted."""
        return sorted(filter(is_page, self.files))

    def notes(self) -> Iterator[str]:
        """Yield messages about what was not read, with counts."""
        if self.links_outside:
            links = quantity(self.links_outside, "symbolic link", "symbolic links")
            yield f"{links} out of the directory not followed, such as {self.outside[0]}"
        if self.folder_links:
            links = quantity(self.folder_links, "symbolic link to a directory", "symbolic links to directories")
            yield f"{links} not followed"
        if self.special:
            yield f"{quantity(self.special, 'pipe, socket, or device was', 'pipes, sockets, or devices were')} not read"
        if self.unlisted:
            folders = quantity(len(self.unlisted), "directory", "directories")
            yield f"{folders} could not be listed, such as {self.unlisted[0]}"

    def _list(self, root: str) -> None:
        waiting = [("", root)]
        while waiting:
            below, place = waiting.pop()
            try:
                with os.scandir(place) as listing:
                    entries = list(listing)
            except OSError as error:
                if not below:
                    raise InputError(str(self.root), f"cannot be listed: {reason_of(error)}") from None
                self.unlisted.append(f"{below[:-1]} ({reason_of(error)})")
                continue
            for entry in entries:
                if entry.name.startswith(".") and entry.name != ".well-known":
                    continue
                name = below + entry.name
                if entry.is_symlink():
                    self._take_link(root, name, entry)
                elif entry.is_dir(follow_symlinks=False):
                    waiting.append((name + "/", entry.path))
                elif entry.is_file(follow_symlinks=False):
                    self.files.add(name)
                else:
                    self.special += 1
            if len(self.files) > MAX_FILES:
                raise InputError(str(self.root), f"has more than {MAX_FILES:,} files")

    def _take_link(self, root: str, name: str, entry: os.DirEntry[str]) -> None:
        target = os.path.realpath(entry.path)
        if target != root and not target.startswith(root.rstrip(os.sep) + os.sep):
            self.links_outside += 1
            if len(self.outside) < 3:
                self.outside.append(name)
            return
        try:
            mode = os.stat(target).st_mode  # noqa: PTH116 - a string
        except OSError:
            # A dangling link has no file, so its URL is missing.
            return
        if S_ISREG(mode):
            self.files.add(name)
            self._targets[name] = target
        else:
            self.folder_links += 1
