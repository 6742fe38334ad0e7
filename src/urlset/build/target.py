"""The interface of targets, which a set is published to: a directory or an fsspec file system."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

WORK_FOLDER = ".urlset-build"
"""The directory next to the published files for what is not published yet, and of object stores, for the state."""


@dataclass(frozen=True, slots=True)
class StagedFile:
    """A finished file to publish.

    Attributes:
        path: Its temporary path; unused if it is in the target already.
        name: Its public name.
        digest: XXH3 hash of the file, 128 bits in hexadecimal.
        is_index: Whether it lists other files of the set.
        urls: Number of URLs; 0 for an index.
        place: Its temporary path below the target, if an executor wrote it to an object store; otherwise empty.
    """

    path: Path
    name: str
    digest: str
    is_index: bool = False
    urls: int = 0
    place: str = ""


@dataclass(frozen=True, slots=True)
class PublishedLedger:
    """The ledger of a published set with the stable layout.

    Attributes:
        path: A local path of it; None without a local file of the set.
        problem: What is wrong with it; empty if it is usable, or if the set never had one.
    """

    path: Path | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class NextLedger:
    """The ledger to publish with a set.

    Attributes:
        path: The new one, which replaces the published one; None without one.
        keep: Whether the published one stays, because it is still correct.
    """

    path: Path | None = None
    keep: bool = False


NO_LEDGER = NextLedger()
KEEP_LEDGER = NextLedger(keep=True)


@dataclass(frozen=True, slots=True)
class PublishResult:
    """Result of publishing, as names of files.

    Attributes:
        removed: Files of a previous build that were removed.
        remaining: Obsolete files that stay, because they are not what the previous build wrote.
    """

    changed: frozenset[str]
    removed: tuple[str, ...]
    remaining: tuple[str, ...] = ()


class Target(Protocol):
    """A location that a set is published to. Between `open` and `close`, no other build can change the set."""

    def open(self) -> Path:
        """Prepare, and return an empty directory for new files.

        Raises:
            OutputError: It cannot be written, or another build is writing to it.
        """
        ...

    def published(self) -> dict[str, str]:
        """Return the name and hash of each file that the previous build wrote.

        Raises:
            OutputError: The manifest of that build is damaged.
        """
        ...

    def count_urls(self) -> int:
        """Count the currently published URLs, even without a previous build.

        Raises:
            OutputError: The manifest of the previous build is damaged, or a file cannot be read.
        """
        ...

    def ledger(self) -> PublishedLedger:
        """Return the ledger of the published set, if its layout is stable.

        Raises:
            OutputError: The manifest of the previous build is damaged, or the ledger cannot be read.
        """
        ...

    def published_files(self) -> Iterator[tuple[str, Path]]:
        """Yield the published files, even without a previous build: their names, and local paths until the next one.

        Raises:
            OutputError: The manifest of the previous build is damaged, or a file cannot be read.
        """
        ...

    def put(self, path: Path, content: bytes) -> bool:
        """Publish a local file that is not part of the set, such as a feed, and return whether it changed.

        Raises:
            OutputError: It cannot be written.
        """
        ...

    def compare(self, files: Sequence[StagedFile]) -> PublishResult:
        """Return what publishing these files would do, without publishing them.

        Raises:
            OutputError: The manifest of the previous build is damaged.
        """
        ...

    def publish(
        self, files: Sequence[StagedFile], *, hold: bool = False, ledger: NextLedger = NO_LEDGER
    ) -> PublishResult:
        """Publish the files in order, and then remove obsolete files of the previous build.

        Args:
            files: The complete set.
            hold: Whether to keep obsolete files until `sweep`, or until the next build.

        Raises:
            OutputError: It cannot be written.
        """
        ...

    def sweep(self, names: Sequence[str]) -> None:
        """Remove files that `publish` held.

        Raises:
            OutputError: It cannot be written.
        """
        ...

    def close(self) -> None:
        """Remove unpublished files, and release the lock."""
        ...
