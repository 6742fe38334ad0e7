"""Targets that stand in for another: one publishes nothing, one holds back what others must know of before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.build.folder import differs
from urlset.scratch import Scratch

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from urlset.build.target import Published, Staged, Target


class Trial:
    """Publishes nothing: what a build would do is found out, and its files are there to be looked at.

    Attributes:
        files: Each finished file by the name that it would have, until `discard`.
    """

    def __init__(self, inner: Target) -> None:
        self._inner = inner
        self._scratch: Scratch | None = None
        self.files: dict[str, Path] = {}

    def open(self) -> Path:
        """Gives a temporary folder; the place itself is not touched."""
        self._scratch = Scratch()
        return self._scratch.path

    def published(self) -> dict[str, str]:
        """Name and hash of each file that the build before wrote."""
        return self._inner.published()

    def count_urls(self) -> int:
        """As the target."""
        return self._inner.count_urls()

    def put(self, path: Path, content: bytes) -> bool:
        """Returns whether the file would change."""
        return differs(path, content)

    def compare(self, files: Sequence[Staged]) -> Published:
        """What publishing these files would do."""
        return self._inner.compare(files)

    def publish(self, files: Sequence[Staged], *, hold: bool = False) -> Published:  # noqa: ARG002 - nothing is done
        """What publishing these files would do, and keeps them to be looked at."""
        self.files = {file.name: file.path for file in files}
        return self._inner.compare(files)

    def sweep(self, names: Sequence[str]) -> None:
        """Does nothing."""

    def close(self) -> None:
        """Keeps what was published; without that there is nothing to keep."""
        if not self.files:
            self.discard()

    def discard(self) -> None:
        """Removes the files."""
        if self._scratch is not None:
            self._scratch.remove()
        self._scratch, self.files = None, {}


class Holding:
    """Publishes parts at once, and what others must know of before later; until `finish` no other build comes between.

    What robots.txt still names must not go before it names what is new. And what an index outside of the set still
    lists must not go, nor become an index, before there is another one that lists what is new.

    Args:
        inner: What publishes in the end.
        indexes: Whether indexes wait for `put_indexes`, too.
    """

    def __init__(self, inner: Target, *, indexes: bool) -> None:
        self._inner = inner
        self._holds_indexes = indexes
        self._indexes: list[Staged] = []
        self._removed: tuple[str, ...] = ()
        self._is_published = False

    def open(self) -> Path:
        """As the target."""
        return self._inner.open()

    def published(self) -> dict[str, str]:
        """As the target."""
        return self._inner.published()

    def count_urls(self) -> int:
        """As the target."""
        return self._inner.count_urls()

    def put(self, path: Path, content: bytes) -> bool:
        """As the target."""
        return self._inner.put(path, content)

    def compare(self, files: Sequence[Staged]) -> Published:
        """As the target."""
        return self._inner.compare(files)

    def publish(self, files: Sequence[Staged], *, hold: bool = True) -> Published:  # noqa: ARG002 - it always holds
        """Puts the parts in their places, and keeps what else is to be done."""
        found = self._inner.compare(files)
        self._indexes = [file for file in files if file.is_index and self._holds_indexes]
        self._inner.publish([file for file in files if file not in self._indexes], hold=True)
        self._removed = found.removed
        self._is_published = True
        return found

    def sweep(self, names: Sequence[str]) -> None:
        """As the target."""
        self._inner.sweep(names)

    def put_indexes(self) -> None:
        """Puts the indexes in their places.

        Raises:
            OutputError: It cannot be written.
        """
        if self._indexes:
            self._inner.publish(self._indexes, hold=True)

    def finish(self) -> None:
        """Removes what is not needed any more.

        Raises:
            OutputError: It cannot be written.
        """
        if self._removed:
            self._inner.sweep(self._removed)
        self.discard()

    def close(self) -> None:
        """As the target, unless there is more to be done."""
        if not self._is_published:
            self.discard()

    def discard(self) -> None:
        """Ends it, whatever was not done yet."""
        self._inner.close()
