"""Standard output as a place to publish to: it takes one document."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING

from urlset.build.folder import cannot_be_written, put
from urlset.build.target import Published
from urlset.errors import MisuseError
from urlset.scratch import Scratch

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from urlset.build.target import Staged


class StandardOutput:
    """Writes the one file of a set to standard output; see `target.Target`."""

    def __init__(self) -> None:
        self._scratch: Scratch | None = None

    def open(self) -> Path:
        """Gives a temporary folder."""
        self._scratch = Scratch()
        return self._scratch.path

    def published(self) -> dict[str, str]:
        """Nothing: it cannot be read."""
        return {}

    def count_urls(self) -> int:
        """Nothing is replaced."""
        return 0

    def compare(self, files: Sequence[Staged]) -> Published:
        """Everything is new."""
        return Published(frozenset(file.name for file in files), ())

    def publish(self, files: Sequence[Staged], *, hold: bool = False) -> Published:  # noqa: ARG002 - nothing is removed
        """Writes the document.

        Raises:
            MisuseError: There are several files, or none.
        """
        if len(files) != 1:
            raise MisuseError(
                f"standard output takes one document, and this set has {len(files):,} files; write it to a folder"
            )
        with cannot_be_written("standard output"), files[0].path.open("rb") as file:
            shutil.copyfileobj(file, sys.stdout.buffer)
            sys.stdout.buffer.flush()
        return self.compare(files)

    def put(self, path: Path, content: bytes) -> bool:
        """Puts a local file."""
        return put(path, content)

    def sweep(self, names: Sequence[str]) -> None:
        """Does nothing."""

    def close(self) -> None:
        """Removes the temporary folder."""
        if self._scratch is not None:
            self._scratch.remove()
            self._scratch = None
