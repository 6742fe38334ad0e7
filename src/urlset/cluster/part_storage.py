"""The place for parts of a set until the driver publishes them: a folder, or a prefix of objects."""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from dataclasses import replace
from secrets import token_hex
from typing import TYPE_CHECKING

from urlset.build.folder import PARTS
from urlset.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import ExitStack
    from pathlib import Path

    from urlset._core import SavedPart
    from urlset.build.remote import Remote
    from urlset.build.target import StagedFile


class FolderParts:
    """A folder that the driver and all executors reach by the same path.

    Tasks of a build that was killed can outlive its driver for a while, and must not write among the files of the next
    one, which removes their folder.

    Attributes:
        place: What the tasks write to.

    Args:
        staging: The directory of the files to publish.
        out: The directory of the set, for errors.
        resources: Removes the folder at the end.
    """

    def __init__(self, staging: Path, out: str, resources: ExitStack) -> None:
        self._folder = staging.with_name(f"{staging.stem}{PARTS}{token_hex(8)}")
        self._folder.mkdir()
        resources.callback(shutil.rmtree, self._folder, ignore_errors=True)
        self._staging = staging
        self._out = out
        self.place = str(self._folder)

    @contextmanager
    def running_tasks(self) -> Iterator[None]:
        """Run the tasks in this block."""
        yield

    def stage(self, saved: Sequence[SavedPart]) -> Callable[[StagedFile], StagedFile]:
        """Move the parts to the files that are published, and return a function that returns a file as it is published.

        Raises:
            UsageError: The executors wrote to another directory.
        """
        if any(not (self._folder / part["file"]).is_file() for part in saved):
            raise UsageError(
                f"{self._out}: the executors write to another directory of this name; use one that they share"
            )
        for part in saved:
            (self._folder / part["file"]).replace(self._staging / part["file"])
        return lambda file: file


class ObjectParts:
    """A prefix below that of the set, in the same object store, which copies the parts when the driver publishes them.

    Attributes:
        place: What the tasks write to.

    Args:
        target: The object store, which is locked.
        out: The prefix of the set.
    """

    def __init__(self, target: Remote, out: str) -> None:
        self._target = target
        self._below = target.open_for_parts()
        self.place = f"{out.rstrip('/')}/{self._below}"

    @contextmanager
    def running_tasks(self) -> Iterator[None]:
        """Run the tasks in this block, which renews the lock.

        Raises:
            OutputError: Another build took over the lock.
        """
        with self._target.keep_locked():
            yield

    def stage(self, saved: Sequence[SavedPart]) -> Callable[[StagedFile], StagedFile]:
        """Return a function that returns a file as it is published: parts are copied."""
        parts = {part["file"] for part in saved}

        def place(file: StagedFile) -> StagedFile:
            is_part = not file.is_index and file.path.name in parts
            return replace(file, place=f"{self._below}/{file.path.name}") if is_part else file

        return place
