"""Last commit of each file: one `git log` per directory, because one per file would take hours."""

from __future__ import annotations

import os
import re
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING

from urlset.build.lastmod.evidence import DateEvidence
from urlset.build.lastmod.first_parent_log import split_at_nul
from urlset.build.lastmod.git_process import GitError, start
from urlset.build.lastmod.page_dates import FIRST_PAGE
from urlset.build.lastmod.work_tree import WorkTree, place_of
from urlset.build.options import FUTURE_TOLERANCE

if TYPE_CHECKING:
    from collections.abc import Iterator

SHALLOW = "the clone is shallow and has no history; fetch the full history (in CI: fetch-depth: 0)"
"""In a shallow clone, git silently reports the oldest commit for every file."""

_LOG = ("log", "-z", "-c", "--format=%x01%ct", "--name-status", "--find-renames=100%", "--no-relative", "--", ".")

_STATUS = re.compile(r"[A-Z]+(\d*)")


class Git:
    """Returns dates of the last commits of files.

    Args:
        now: The current time; commits in the future are rejected, because a clock was wrong.
    """

    def __init__(self, now: datetime) -> None:
        self._latest = now + FUTURE_TOLERANCE
        self._histories: dict[str, _History | str] = {}

    def last_commit(self, path: str | os.PathLike[str], folder: str | os.PathLike[str]) -> DateEvidence:
        """Return the date of the last commit of a file, ignoring later commits that only renamed it.

        Args:
            folder: The directory whose history is read at once; it should contain all files that will be requested.
        """
        root = Path(os.path.realpath(folder))
        history = self._history(str(root))
        if isinstance(history, str):
            return DateEvidence(None, history)
        # A link is a separate file, unless git only tracks its target.
        head, name = os.path.split(path)
        places = (place_of(os.path.realpath(head), name), os.path.realpath(path))
        for place in places:
            inner = history.tree.submodule_of(place)
            # A submodule that has no repository of its own, or one for another directory, would lead back here.
            if inner is not None and root in Path(os.path.realpath(inner)).parents:
                return self.last_commit(path, inner)
            if history.tree.is_changed(place):
                return DateEvidence(None, "the file has uncommitted changes")
            seconds = history.times.get(place)
            if seconds is not None:
                return self._evidence(seconds)
        return DateEvidence(None, "the file is not tracked by git")

    def refusal(self, folder: str | os.PathLike[str]) -> str | None:
        """Return why git has no dates for a directory; None if it has."""
        history = self._history(os.path.realpath(folder))
        return history if isinstance(history, str) else None

    def is_empty(self, folder: str | os.PathLike[str]) -> bool:
        """Return whether the newest commit has no file of a directory, as of one that .gitignore names."""
        history = self._history(os.path.realpath(folder))
        return isinstance(history, _History) and not history.tree.files

    def _evidence(self, seconds: int) -> DateEvidence:
        try:
            moment = datetime.fromtimestamp(seconds, UTC)
        except (OverflowError, ValueError, OSError):
            return DateEvidence(None, "its last commit has an invalid date")
        if moment > self._latest:
            return DateEvidence(None, f"its last commit is dated {moment:%Y-%m-%d}, which is in the future")
        if moment < FIRST_PAGE:
            return DateEvidence(None, f"its last commit is dated {moment:%Y-%m-%d}, which is older than the web")
        return DateEvidence(moment, "its last commit")

    def _history(self, folder: str) -> _History | str:
        history = self._histories.get(folder)
        if history is None:
            try:
                history = _History(folder)
            except GitError as error:
                history = str(error)
            self._histories[folder] = history
        return history


class _History:
    """The files of a directory and their last commits.

    Attributes:
        times: Date of the last commit in seconds since 1970, by absolute path.
    """

    def __init__(self, folder: str) -> None:
        self.tree = WorkTree(folder)
        if self.tree.is_shallow:
            raise GitError(SHALLOW)
        top = self.tree.top
        names = {file.name for file in self.tree.files.values()}
        self.times = {place_of(top, name): seconds for name, seconds in _last_commits(folder, names).items()}


def _last_commits(folder: str, files: set[str]) -> dict[str, int]:
    """Return the last commit of each file. Reading stops once all are known, long before the first commit."""
    commits: dict[str, int] = {}
    # Earlier names of files that were renamed, at the current point of the history.
    names_by_path: dict[str, list[str]] = {name: [name] for name in files}
    if not names_by_path:
        return commits
    seconds = 0
    with _pieces(folder) as pieces:
        for piece in pieces:
            if piece.startswith("\x01"):
                seconds = int(piece[1:])
                continue
            status = _STATUS.fullmatch(piece.lstrip("\n"))
            if status is None:
                continue
            name = next(pieces, "")
            if status[1]:
                # Renamed or copied without a change: the relevant commit is older, under the other name.
                old, name = name, next(pieces, "")
                names_by_path.setdefault(old, []).extend(names_by_path.pop(name, []))
            elif piece.lstrip("\n") != "D":
                commits.update(dict.fromkeys(names_by_path.pop(name, []), seconds))
            if not names_by_path:
                break
    return commits


@contextmanager
def _pieces(folder: str) -> Iterator[Iterator[str]]:
    """Yield the output of `git log`, split at zero bytes, as it is printed."""
    with TemporaryFile() as errors, start(folder, *_LOG, errors=errors) as process:
        assert process.stdout is not None
        try:
            yield split_at_nul(process.stdout, process, errors)
        finally:
            process.kill()
