"""What a place to publish to can do. A folder and an fsspec file system are such places."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

STATE = ".urlset-build"
"""The folder beside the sitemaps with what one build must know of the one before it."""


@dataclass(frozen=True, slots=True)
class Staged:
    """A finished file that is to be published.

    Attributes:
        path: Where it lies until then.
        name: What it will be called.
        digest: XXH3 of its bytes, 128 bits in hexadecimal.
        is_index: Whether it lists others of the set.
        urls: How many URLs it has; 0 for an index.
    """

    path: Path
    name: str
    digest: str
    is_index: bool = False
    urls: int = 0


@dataclass(frozen=True, slots=True)
class Published:
    """What publishing did.

    Attributes:
        changed: Names of the files that differ from what was there before.
        removed: Names of the files that a build before wrote and that are gone now.
    """

    changed: frozenset[str]
    removed: tuple[str, ...]


class Target(Protocol):
    """A place that a set of files is published to. From `open` to `close` no other build changes the set."""

    def open(self) -> Path:
        """Makes ready, and gives an empty folder to put files into.

        Raises:
            OutputError: It cannot be written, or another build is writing to it.
        """
        ...

    def published(self) -> dict[str, str]:
        """Name and hash of each file that the build before wrote.

        Raises:
            OutputError: The manifest of that build is damaged.
        """
        ...

    def count_urls(self) -> int:
        """Counts the URLs that are published now, whether or not a build before knew of them.

        Raises:
            OutputError: The manifest of the build before is damaged, or a file cannot be read.
        """
        ...

    def put(self, path: Path, content: bytes) -> bool:
        """Puts a local file that is no file of the set, such as a feed; returns whether it differs from before.

        Raises:
            OutputError: It cannot be written.
        """
        ...

    def compare(self, files: Sequence[Staged]) -> Published:
        """What publishing these files would do; nothing is done.

        Raises:
            OutputError: The manifest of the build before is damaged.
        """
        ...

    def publish(self, files: Sequence[Staged], *, hold: bool = False) -> Published:
        """Puts the files in their places, in their order, and then removes those of the build before that are none.

        Args:
            files: The whole set.
            hold: Whether other files of the set stay until `sweep`, or the next build.

        Raises:
            OutputError: It cannot be written.
        """
        ...

    def sweep(self, names: Sequence[str]) -> None:
        """Removes files that `publish` held.

        Raises:
            OutputError: It cannot be written.
        """
        ...

    def close(self) -> None:
        """Removes what was not published, and lets others build."""
        ...
