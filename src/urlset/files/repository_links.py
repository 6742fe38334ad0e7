"""Decides which files of others are used: symbolic links in a repository lead only to what is in it.

A pull request can contain links. If they were followed anywhere, it could choose which files of the machine are shown
in a log or overwritten. Outside of a repository, links are those of the user.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

REPOSITORY_MARKS = (".git", ".hg", ".svn")
"""Directories that mark the root of a repository."""

_confined_to: Path | None = None

LEADS_OUT = "is a symbolic link to a file that is not part of the repository; name that file to use it"


def confine(root: Path) -> None:
    """Let this process follow no link out of a directory, which may be in no repository, and none to a hidden file."""
    global _confined_to
    _confined_to = root.resolve()


def leads_out(path: Path) -> bool:
    """Return whether a path has a symbolic link in a repository, anywhere on it, to something that is not part of it.

    Links above the repository are those of the user. Hidden files, such as `.env` and those in `.git`, do not count as
    part of it, since they can contain secrets.
    """
    try:
        if _confined_to is not None and not is_visible_below(path.resolve(), _confined_to):
            return True
        if os.path.realpath(path) == os.path.abspath(path):  # noqa: PTH100 - a missing file has links above it too
            return False
        return any(_link_leads_out(link) for link in (path, *path.absolute().parents) if link.is_symlink())
    except (OSError, RuntimeError, ValueError):
        # Not a path, such as a long query, or a loop of links, which cannot be opened.
        return False


def is_visible_below(path: Path, root: Path) -> bool:
    """Return whether a path without links is below a directory, with no hidden part."""
    return path.is_relative_to(root) and not any(part.startswith(".") for part in path.relative_to(root).parts)


def _link_leads_out(link: Path) -> bool:
    root = repository_of(link.parent.resolve())
    if root is None:
        return False
    target = link.resolve()
    if not target.is_relative_to(root):
        return True
    parts = target.relative_to(root).parts
    return target.name.startswith(".") or not {*parts}.isdisjoint(REPOSITORY_MARKS)


def repository_of(folder: Path) -> Path | None:
    """Return the root of the repository that has a directory; None if it is in none."""
    for parent in (folder, *folder.parents):
        if any((parent / mark).exists() for mark in REPOSITORY_MARKS):
            return parent
    return None


def is_foreign(file: Path, start: Path) -> bool:
    """Return whether a file belongs to another user.

    Args:
        start: The directory that root works on.
    """
    return _is_another_user(_owner(file), start)


def is_foreign_status(info: os.stat_result, start: Path) -> bool:
    """Return whether a file belongs to another user, by its status."""
    return _is_another_user(info.st_uid, start)


def _is_another_user(owner: int, start: Path) -> bool:
    """Return whether an owner is another user. Not if root works on the files of a user, as in containers."""
    if sys.platform == "win32":
        return False
    else:  # noqa: RET505 - mypy knows the platform of a branch
        user = os.geteuid()
        return owner not in ({0, _owner(start)} if user == 0 else {0, user})


def _owner(path: Path) -> int:
    return path.stat().st_uid
