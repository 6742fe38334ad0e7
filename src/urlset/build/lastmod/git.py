"""Last commit of each file: one `git log` per directory, because one per file would take hours."""

from __future__ import annotations

import os
import re
import subprocess
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import IO, TYPE_CHECKING

from urlset.build.lastmod.evidence import DateEvidence
from urlset.build.options import FUTURE_TOLERANCE

if TYPE_CHECKING:
    from collections.abc import Iterator

SHALLOW = "the clone is shallow and has no history; fetch the full history (in CI: fetch-depth: 0)"
"""In a shallow clone, git silently reports the oldest commit for every file."""

# Environment variables that a hook sets for its own repository would apply to other repositories, too (git rev-parse
# --local-env-vars). Settings are kept, since they may mark a directory as safe.
_OWN_REPOSITORY = frozenset(
    {
        "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_COMMON_DIR", "GIT_PREFIX", "GIT_GRAFT_FILE", "GIT_SHALLOW_FILE", "GIT_NO_REPLACE_OBJECTS",
        "GIT_REPLACE_REF_BASE", "GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS",
        "GIT_ICASE_PATHSPECS",
    }
)  # fmt: skip

# User settings that change the output or scope of `git log`.
_PLAIN = ("-c", "log.showSignature=false", "-c", "log.follow=false", "-c", "color.ui=false")
_LOG = ("log", "-z", "-c", "--format=%x01%ct", "--name-status", "--find-renames=100%", "--no-relative", "--", ".")

_SUBMODULE = "160000"
_BLOCK = 1 << 16
_STATUS = re.compile(r"[A-Z]+(\d*)")


class _NoDateError(Exception):
    """git has no date; the text is the reason."""


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
        history = self._history(os.path.realpath(folder))
        if isinstance(history, str):
            return DateEvidence(None, history)
        # A link is a separate file, unless git only tracks its target.
        head, name = os.path.split(path)
        places = (_place(os.path.realpath(head), name), os.path.realpath(path))
        for place in places:
            inner = history.submodule_of(place)
            if inner is not None:
                return self.last_commit(path, inner)
            if place in history.changed_paths:
                return DateEvidence(None, "the file has uncommitted changes")
            seconds = history.times.get(place)
            if seconds is not None:
                return self._evidence(seconds)
        return DateEvidence(None, "the file is not tracked by git")

    def refusal(self, folder: str | os.PathLike[str]) -> str | None:
        """Return why git has no dates for a directory; None if it has."""
        history = self._history(os.path.realpath(folder))
        return history if isinstance(history, str) else None

    def _evidence(self, seconds: int) -> DateEvidence:
        try:
            moment = datetime.fromtimestamp(seconds, UTC)
        except (OverflowError, ValueError, OSError):
            return DateEvidence(None, "its last commit has an invalid date")
        if moment > self._latest:
            return DateEvidence(None, f"its last commit is dated {moment:%Y-%m-%d}, which is in the future")
        return DateEvidence(moment, "its last commit")

    def _history(self, folder: str) -> _History | str:
        history = self._histories.get(folder)
        if history is None:
            try:
                history = _History(folder)
            except _NoDateError as error:
                history = str(error)
            self._histories[folder] = history
        return history


class _History:
    """The files of a directory and their last commits.

    Attributes:
        times: Date of the last commit in seconds since 1970, by absolute path.
        changed_paths: Files with uncommitted changes, by absolute path.
    """

    def __init__(self, folder: str) -> None:
        top = _output(folder, "rev-parse", "--show-toplevel").removesuffix("\n")
        if _output(folder, "rev-parse", "--is-shallow-repository").strip() == "true":
            raise _NoDateError(SHALLOW)
        files, submodules = _tracked_files(folder)
        status = _output(
            folder,
            "status",
            "-z",
            "--porcelain",
            "--no-renames",
            "--untracked-files=no",
            "--ignore-submodules",
            "--",
            ".",
        )
        self._submodules = [f"{_place(top, name)}{os.sep}" for name in submodules]
        self.changed_paths = {_place(top, entry[3:]) for entry in status.split("\0") if entry}
        self.times = {_place(top, name): seconds for name, seconds in _last_commits(folder, files).items()}

    def submodule_of(self, path: str) -> str | None:
        """Return the submodule of a file, which has a separate history; None if it is not in a submodule."""
        return next((place for place in self._submodules if path.startswith(place)), None)


def _place(top: str, name: str) -> str:
    """Return the absolute path of a file from its path in the repository."""
    return os.path.normpath(f"{top}/{name}")


def _tracked_files(folder: str) -> tuple[set[str], list[str]]:
    """Return the tracked files and submodules of a directory, by their paths in the repository."""
    files, submodules = set(), []
    for entry in _output(folder, "ls-files", "-z", "--stage", "--full-name", "--", ".").split("\0"):
        mode, _, rest = entry.partition(" ")
        name = rest.partition("\t")[2]
        if mode == _SUBMODULE:
            submodules.append(name)
        elif name:
            files.add(name)
    return files, submodules


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
    with subprocess.Popen(
        _command(folder, *_LOG),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=_environment(),
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        try:
            yield _split_at_nul(process.stdout, process)
        finally:
            process.kill()


def _split_at_nul(stream: IO[bytes], process: subprocess.Popen[bytes]) -> Iterator[str]:
    rest = b""
    while block := stream.read(_BLOCK):
        *whole, rest = (rest + block).split(b"\0")
        for piece in whole:
            yield os.fsdecode(piece)
    yield os.fsdecode(rest)
    assert process.stderr is not None
    errors = process.stderr.read()
    if process.wait() != 0:
        raise _NoDateError(_reason(os.fsdecode(errors)))


def _output(folder: str, *arguments: str) -> str:
    try:
        process = subprocess.run(
            _command(folder, *arguments), capture_output=True, stdin=subprocess.DEVNULL, env=_environment(), check=False
        )
    except FileNotFoundError:
        raise _NoDateError("git is not installed") from None
    if process.returncode != 0:
        raise _NoDateError(_reason(os.fsdecode(process.stderr)))
    return os.fsdecode(process.stdout)


def _command(folder: str, *arguments: str) -> list[str]:
    return ["git", "-C", folder, *_PLAIN, *arguments]


def _environment() -> dict[str, str]:
    own = {name: value for name, value in os.environ.items() if name not in _OWN_REPOSITORY}
    # Messages in English; nothing is written, not even the index.
    return own | {"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0"}


def _reason(errors: str) -> str:
    lines = [line.strip() for line in errors.splitlines() if line.strip()]
    fatal = next((line for line in lines if line.startswith("fatal:")), lines[-1] if lines else "it failed")
    reason = fatal.removeprefix("fatal:").strip()
    if reason.startswith("not a git repository"):
        return "the directory is not in a git repository"
    if "does not have any commits" in reason:
        return "the repository has no commits yet"
    if "dubious ownership" in reason:
        return "the repository belongs to another user; trust it with git config --global --add safe.directory DIR"
    return f"git failed: {reason}"
