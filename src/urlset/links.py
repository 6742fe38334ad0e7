"""Decides which symbolic links are followed: those in a repository only within it.

A pull request can contain links. If they were followed anywhere, it could choose which files of the machine are shown
in a log or overwritten. Outside of a repository, links are those of the user.
"""

from __future__ import annotations

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
    """Return whether a path is a symbolic link in a repository to something that is not part of it.

    Hidden files, such as `.env` and those in `.git`, do not count as part of it, since they can contain secrets.
    """
    try:
        if _confined_to is not None and not is_visible_below(path.resolve(), _confined_to):
            return True
        if not path.is_symlink():
            return False
        root = repository_of(path.parent.resolve())
        if root is None:
            return False
        target = path.resolve()
        if not target.is_relative_to(root):
            return True
        parts = target.relative_to(root).parts
        return target.name.startswith(".") or not {*parts}.isdisjoint(REPOSITORY_MARKS)
    except (OSError, RuntimeError, ValueError):
        # Not a path, such as a long query, or a loop of links, which cannot be opened.
        return False


def is_visible_below(path: Path, root: Path) -> bool:
    """Return whether a path without links is below a directory, with no hidden part."""
    return path.is_relative_to(root) and not any(part.startswith(".") for part in path.relative_to(root).parts)


def repository_of(folder: Path) -> Path | None:
    """Return the root of the repository that has a directory; None if it is in none."""
    for parent in (folder, *folder.parents):
        if any((parent / mark).exists() for mark in REPOSITORY_MARKS):
            return parent
    return None
