"""Standard output as a target, which takes a single document."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from urlset.build.folder import convert_write_errors, put
from urlset.build.target import NO_LEDGER, PublishedLedger, PublishResult
from urlset.errors import UsageError
from urlset.files.scratch import Scratch
from urlset.text.ci_log import check_bytes
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from urlset.build.target import NextLedger, StagedFile


class StandardOutput:
    """Writes the only file of a set to standard output; see `target.Target`.

    Standard output cannot be read, so nothing is published yet, and every file is new.
    """

    def __init__(self) -> None:
        self._scratch: Scratch | None = None

    def open(self) -> Path:
        self._scratch = Scratch()
        return self._scratch.path

    def published(self) -> dict[str, str]:
        return {}

    def count_urls(self) -> int:
        return 0

    def compare(self, files: Sequence[StagedFile]) -> PublishResult:
        return PublishResult(frozenset(file.name for file in files), ())

    def ledger(self) -> PublishedLedger:
        return PublishedLedger()

    def published_files(self) -> Iterator[tuple[str, Path]]:
        return iter(())

    def publish(
        self,
        files: Sequence[StagedFile],
        *,
        hold: bool = False,  # noqa: ARG002 - nothing is removed
        ledger: NextLedger = NO_LEDGER,  # noqa: ARG002 - standard output keeps no ledger
    ) -> PublishResult:
        """Write the document.

        Raises:
            UsageError: There are several files, or none.
        """
        if len(files) != 1:
            raise UsageError(
                f"standard output takes a single document, and this set has {quantity(len(files), 'file')}; "
                "write it to a directory"
            )
        with convert_write_errors("standard output"), files[0].path.open("rb") as file:
            content = file.read()
            check_bytes(content, sys.stdout)
            sys.stdout.buffer.write(content)
            sys.stdout.buffer.flush()
        return self.compare(files)

    def put(self, path: Path, content: bytes) -> bool:
        return put(path, content)

    def sweep(self, names: Sequence[str]) -> None:
        """Do nothing."""

    def close(self) -> None:
        if self._scratch is not None:
            self._scratch.remove()
            self._scratch = None
