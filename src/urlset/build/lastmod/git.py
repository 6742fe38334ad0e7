"""git's last commit of each file: one `git log` for all files of a folder, since one for each would take hours."""

from __future__ import annotations

import os
import re
import subprocess
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import IO, TYPE_CHECKING

from urlset.build.lastmod.spoken import Spoken
from urlset.build.options import FUTURE_TOLERANCE

if TYPE_CHECKING:
    from collections.abc import Iterator

SHALLOW = "the clone is shallow and has no history: fetch all of it (in CI: fetch-depth: 0)"
"""A shallow clone names its oldest commit for every file, without a word of it."""

# What a hook's environment says of its own repository would hold for any other one, too (git rev-parse
# --local-env-vars), but for the settings, which may be what makes a folder safe.
_OWN_REPOSITORY = frozenset(
    {
        "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_COMMON_DIR", "GIT_PREFIX", "GIT_GRAFT_FILE", "GIT_SHALLOW_FILE", "GIT_NO_REPLACE_OBJECTS",
        "GIT_REPLACE_REF_BASE", "GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS",
        "GIT_ICASE_PATHSPECS",
    }
)  # fmt: skip

# A user's settings that change what `git log` prints or looks at.
_PLAIN = ("-c", "log.showSignature=false", "-c", "log.follow=false", "-c", "color.ui=false")
_LOG = ("log", "-z", "-c", "--format=%x01%ct", "--name-status", "--find-renames=100%", "--no-relative", "--", ".")

_SUBMODULE = "160000"
_BLOCK = 1 << 16
_STATUS = re.compile(r"[A-Z]+(\d*)")


class _RefusedError(Exception):
    """git does not say; the text is the reason."""


class Git:
    """Asks git when files were committed last.

    Args:
        now: The present moment; a commit from the future is a clock that is wrong.
    """

    def __init__(self, now: datetime) -> None:
        self._latest = now + FUTURE_TOLERANCE
        self._histories: dict[str, _History | str] = {}

    def last_commit(self, path: str | os.PathLike[str], folder: str | os.PathLike[str]) -> Spoken:
        """When a file was committed last. A file that was only renamed since keeps the date of its content.

        Args:
            path: The file.
            folder: The folder whose history is read at once: that of all files that will be asked for.
        """
        history = self._history(os.path.realpath(folder))
        if isinstance(history, str):
            return Spoken(None, history)
        # A link is a file of its own, unless git knows only what it leads to.
        head, name = os.path.split(path)
        places = (_place(os.path.realpath(head), name), os.path.realpath(path))
        for place in places:
            inner = history.submodule_of(place)
            if inner is not None:
                return self.last_commit(path, inner)
            if place in history.changed:
                return Spoken(None, "it was changed since its last commit")
            seconds = history.times.get(place)
            if seconds is not None:
                return self._judged(seconds)
        return Spoken(None, "git does not know the file")

    def refusal(self, folder: str | os.PathLike[str]) -> str | None:
        """Why git cannot be asked about any file of a folder; None if it can."""
        history = self._history(os.path.realpath(folder))
        return history if isinstance(history, str) else None

    def _judged(self, seconds: int) -> Spoken:
        try:
            moment = datetime.fromtimestamp(seconds, UTC)
        except (OverflowError, ValueError, OSError):
            return Spoken(None, "the time of its last commit is none")
        if moment > self._latest:
            return Spoken(None, f"its last commit is dated {moment:%Y-%m-%d}, which is still to come")
        return Spoken(moment, "its last commit")

    def _history(self, folder: str) -> _History | str:
        known = self._histories.get(folder)
        if known is None:
            try:
                known = _History(folder)
            except _RefusedError as error:
                known = str(error)
            self._histories[folder] = known
        return known


class _History:
    """The files of a folder and when each was committed last.

    Attributes:
        times: Seconds since 1970 by absolute path.
        changed: Files with changes that are not committed, by absolute path.
    """

    def __init__(self, folder: str) -> None:
        top = _asked(folder, "rev-parse", "--show-toplevel").removesuffix("\n")
        if _asked(folder, "rev-parse", "--is-shallow-repository").strip() == "true":
            raise _RefusedError(SHALLOW)
        files, submodules = _tracked(folder)
        status = _asked(
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
        self.changed = {_place(top, entry[3:]) for entry in status.split("\0") if entry}
        self.times = {_place(top, name): seconds for name, seconds in _last_commits(folder, files).items()}

    def submodule_of(self, path: str) -> str | None:
        """The submodule that a file is in, which has a history of its own; None if it is in none."""
        return next((place for place in self._submodules if path.startswith(place)), None)


def _place(top: str, name: str) -> str:
    """The absolute path of a file by the name that git has for it."""
    return os.path.normpath(f"{top}/{name}")


def _tracked(folder: str) -> tuple[set[str], list[str]]:
    """Files and submodules that git knows in a folder, by their paths from the top of the repository."""
    files, submodules = set(), []
    for entry in _asked(folder, "ls-files", "-z", "--stage", "--full-name", "--", ".").split("\0"):
        mode, _, rest = entry.partition(" ")
        name = rest.partition("\t")[2]
        if mode == _SUBMODULE:
            submodules.append(name)
        elif name:
            files.add(name)
    return files, submodules


def _last_commits(folder: str, files: set[str]) -> dict[str, int]:
    """When each file was committed last. Reading ends where all are known, which is long before the first commit."""
    found: dict[str, int] = {}
    # Under which name, at the point of history that is reached, a file is that has another one today.
    wanted: dict[str, list[str]] = {name: [name] for name in files}
    if not wanted:
        return found
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
                # Renamed or copied with not one byte changed: what counts is older, and under the other name.
                old, name = name, next(pieces, "")
                wanted.setdefault(old, []).extend(wanted.pop(name, []))
            elif piece.lstrip("\n") != "D":
                found.update(dict.fromkeys(wanted.pop(name, []), seconds))
            if not wanted:
                break
    return found


@contextmanager
def _pieces(folder: str) -> Iterator[Iterator[str]]:
    """What `git log` prints, between zero bytes, while it prints it."""
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
            yield _split(process.stdout, process)
        finally:
            process.kill()


def _split(stream: IO[bytes], process: subprocess.Popen[bytes]) -> Iterator[str]:
    rest = b""
    while block := stream.read(_BLOCK):
        *whole, rest = (rest + block).split(b"\0")
        for piece in whole:
            yield os.fsdecode(piece)
    yield os.fsdecode(rest)
    assert process.stderr is not None
    errors = process.stderr.read()
    if process.wait() != 0:
        raise _RefusedError(_reason(os.fsdecode(errors)))


def _asked(folder: str, *arguments: str) -> str:
    try:
        done = subprocess.run(
            _command(folder, *arguments), capture_output=True, stdin=subprocess.DEVNULL, env=_environment(), check=False
        )
    except FileNotFoundError:
        raise _RefusedError("git is not installed") from None
    if done.returncode != 0:
        raise _RefusedError(_reason(os.fsdecode(done.stderr)))
    return os.fsdecode(done.stdout)


def _command(folder: str, *arguments: str) -> list[str]:
    return ["git", "-C", folder, *_PLAIN, *arguments]


def _environment() -> dict[str, str]:
    own = {name: value for name, value in os.environ.items() if name not in _OWN_REPOSITORY}
    # Messages that can be told apart; nothing is written, not even the index.
    return own | {"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0"}


def _reason(errors: str) -> str:
    lines = [line.strip() for line in errors.splitlines() if line.strip()]
    fatal = next((line for line in lines if line.startswith("fatal:")), lines[-1] if lines else "it failed")
    reason = fatal.removeprefix("fatal:").strip()
    if reason.startswith("not a git repository"):
        return "the folder is in no git repository"
    if "does not have any commits" in reason:
        return "the repository has no commits yet"
    if "dubious ownership" in reason:
        return "the repository belongs to another user; git config --global --add safe.directory FOLDER trusts it"
    return f"git says: {reason}"
