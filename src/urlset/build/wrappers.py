"""Targets that wrap another target: one publishes nothing, and one delays part of the publishing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.build.folder import differs
from urlset.build.target import KEEP_LEDGER, NO_LEDGER
from urlset.files.scratch import Scratch

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from urlset.build.target import NextLedger, PublishedLedger, PublishResult, StagedFile, Target


class _Wrapper:
    """Passes questions about the published set on to another target."""

    def __init__(self, inner: Target) -> None:
        self._inner = inner

    def published(self) -> dict[str, str]:
        return self._inner.published()

    def count_urls(self) -> int:
        return self._inner.count_urls()

    def ledger(self) -> PublishedLedger:
        return self._inner.ledger()

    def published_files(self) -> Iterator[tuple[str, Path]]:
        return self._inner.published_files()

    def compare(self, files: Sequence[StagedFile]) -> PublishResult:
        return self._inner.compare(files)


class DryRun(_Wrapper):
    """Publishes nothing, but determines what a build would do, and keeps its files for inspection.

    Attributes:
        files: The finished files by name, until `discard`.
    """

    def __init__(self, inner: Target) -> None:
        super().__init__(inner)
        self._scratch: Scratch | None = None
        self.files: dict[str, Path] = {}

    def open(self) -> Path:
        self._scratch = Scratch()
        return self._scratch.path

    def put(self, path: Path, content: bytes) -> bool:
        """Return whether the file would change."""
        return differs(path, content)

    def publish(
        self,
        files: Sequence[StagedFile],
        *,
        hold: bool = False,  # noqa: ARG002 - nothing is done
        ledger: NextLedger = NO_LEDGER,  # noqa: ARG002 - nothing is done
    ) -> PublishResult:
        self.files = {file.name: file.path for file in files}
        return self._inner.compare(files)

    def sweep(self, names: Sequence[str]) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Remove the files, unless `publish` kept them for inspection."""
        if not self.files:
            self.discard()

    def discard(self) -> None:
        if self._scratch is not None:
            self._scratch.remove()
        self._scratch, self.files = None, {}


class DeferredTarget(_Wrapper):
    """Publishes parts immediately and the rest later, and holds the lock until `finish`.

    Files that robots.txt lists must not be removed before it lists the new ones. Files that an index outside of the set
    lists must not be removed, or become an index, before a new index is published.

    Args:
        indexes: Whether to delay indexes until `put_indexes`, too.
    """

    def __init__(self, inner: Target, *, indexes: bool) -> None:
        super().__init__(inner)
        self._holds_indexes = indexes
        self._indexes: list[StagedFile] = []
        self._removed_files: tuple[str, ...] = ()
        self._is_published = False

    def open(self) -> Path:
        return self._inner.open()

    def put(self, path: Path, content: bytes) -> bool:
        return self._inner.put(path, content)

    def publish(
        self,
        files: Sequence[StagedFile],
        *,
        hold: bool = True,  # noqa: ARG002 - it always holds
        ledger: NextLedger = NO_LEDGER,
    ) -> PublishResult:
        """Publish the parts, and remember the remaining work."""
        comparison = self._inner.compare(files)
        self._indexes = [file for file in files if file.is_index and self._holds_indexes]
        self._inner.publish([file for file in files if file not in self._indexes], hold=True, ledger=ledger)
        self._removed_files = comparison.removed
        self._is_published = True
        return comparison

    def sweep(self, names: Sequence[str]) -> None:
        self._inner.sweep(names)

    def put_indexes(self) -> None:
        """Publish the indexes.

        Raises:
            OutputError: It cannot be written.
        """
        if self._indexes:
            self._inner.publish(self._indexes, hold=True, ledger=KEEP_LEDGER)

    def finish(self) -> None:
        """Remove obsolete files.

        Raises:
            OutputError: It cannot be written.
        """
        if self._removed_files:
            self._inner.sweep(self._removed_files)
        self.discard()

    def close(self) -> None:
        """Close the inner target, unless there is work left."""
        if not self._is_published:
            self.discard()

    def discard(self) -> None:
        """Close the inner target, discarding remaining work."""
        self._inner.close()
