"""Reads the history of a branch along first parents: for each commit the files in which it differs from its parent."""

from __future__ import annotations

import os
from contextlib import contextmanager
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, NamedTuple

from urlset.build.lastmod.git_process import GitError, reason_of, start

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator
    from typing import IO

_FORMAT = "--format=%x01%H%x00%ct%x00%s"
_LOG = (
    "log", "--first-parent", "-m", "--raw", "-z", "--no-abbrev", "--no-renames", "--no-relative", "--no-textconv",
    "--no-ext-diff", _FORMAT,
)  # fmt: skip
_BLOCK = 1 << 16
_FILE = ("100", "120")
"""Beginning of the mode of a file or a link, not of a submodule."""


class Change(NamedTuple):
    """A file in which a commit differs from its first parent.

    Attributes:
        old: The blob of the parent; empty if the commit added the file.
        new: The blob of the commit; empty if the commit removed the file.
    """

    name: str
    old: str
    new: str


class Commit(NamedTuple):
    """A commit on the first-parent line.

    Attributes:
        seconds: Its committer date, in seconds since 1970.
        subject: The first line of its message.
    """

    name: str
    seconds: int
    subject: str
    changes: list[Change]


@contextmanager
def first_parent_log(folder: str, *more: str) -> Iterator[Iterator[Commit]]:
    """Yield the commits from the newest to the oldest, as git prints them.

    Args:
        more: Further arguments of `git log`, such as the commits to read.
    """
    with TemporaryFile() as errors, start(folder, *_LOG, *more, "--", errors=errors) as process:
        assert process.stdout is not None
        try:
            yield _commits(split_at_nul(process.stdout, process, errors))
        finally:
            process.kill()


def _commits(pieces: Iterator[str]) -> Iterator[Commit]:
    """Yield the commits of a log whose fields end with zero bytes."""
    commit: Commit | None = None
    for piece in pieces:
        # A blank line separates commits from their changes.
        piece = piece.lstrip("\n")
        if piece.startswith("\x01"):
            if commit is not None:
                yield commit
            commit = Commit(piece[1:], int(next(pieces, "0") or 0), next(pieces, ""), [])
        elif piece.startswith(":") and commit is not None:
            old_mode, new_mode, old, new, _ = piece[1:].split(" ", 4)
            name = next(pieces, "")
            was_file, is_file = old_mode.startswith(_FILE), new_mode.startswith(_FILE)
            if was_file or is_file:
                commit.changes.append(Change(name, old if was_file else "", new if is_file else ""))
    if commit is not None:
        yield commit


def split_at_nul(stream: IO[bytes], process: subprocess.Popen[bytes], errors: IO[bytes]) -> Iterator[str]:
    """Yield the output of git in pieces that end with zero bytes.

    Raises:
        GitError: git failed.
    """
    rest: list[bytes] = []
    while block := stream.read(_BLOCK):
        first, *more = block.split(b"\0")
        rest.append(first)
        if more:
            yield os.fsdecode(b"".join(rest))
            rest = [more.pop()]
            for piece in more:
                yield os.fsdecode(piece)
    yield os.fsdecode(b"".join(rest))
    if process.wait() != 0:
        errors.seek(0)
        raise GitError(reason_of(errors.read()))
