"""Lists the files below a folder, and the objects that a target in an object store names. No files are opened."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from urlset.errors import InputError, reason_of
from urlset.files.repository_links import LEADS_OUT, leads_out
from urlset.objects.listing import objects_of
from urlset.objects.object_address import is_glob, name_of, parts_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def is_hidden(path: str) -> bool:
    """Return whether a path below a folder has a part that begins with a dot."""
    return any(part.startswith(".") for part in path.split("/"))


def files_below(folder: Path, is_wanted: Callable[[Path], bool], reason_if_empty: str) -> Iterator[Path]:
    """Yield the files below a folder that are not hidden, sorted within each folder.

    Args:
        reason_if_empty: Why a folder without such files is refused.

    Raises:
        InputError: A folder cannot be listed, has no such file, or has a link that leads out of the repository, after
            the files.
    """
    problems: list[OSError] = []
    planted: list[Path] = []
    found = False
    for root, folders, names in os.walk(folder, onerror=problems.append):
        folders[:] = sorted(name for name in folders if not is_hidden(name))
        for name in sorted(names):
            path = Path(root, name)
            if not is_hidden(name) and is_wanted(path):
                found = True
                if leads_out(path):
                    planted.append(path)
                else:
                    yield path
    if problems:
        raise InputError(str(problems[0].filename or folder), f"cannot be listed: {reason_of(problems[0])}")
    if planted:
        raise InputError(str(planted[0]), LEADS_OUT)
    if not found:
        raise InputError(str(folder), reason_if_empty)


def objects_at(target: str, is_wanted: Callable[[str], bool], reason_if_empty: str) -> Iterator[tuple[str, str, bool]]:
    """Yield the objects that a target names: one, those below a prefix, or those that a glob matches.

    Args:
        target: The URL of an object, a glob, or a prefix that ends with a slash.
        is_wanted: Returns whether an object below a prefix is wanted, by its path below the prefix.
        reason_if_empty: Why a prefix without such objects is refused.

    Yields:
        The URL of each object, its path below the prefix or its name, and whether it was found below a prefix, which
        may also have other objects.

    Raises:
        InputError: They cannot be listed, or there are none or too many, after the first ones.
        MissingExtraError: An object store needs a package that is not installed.
        UsageError: The URL contains credentials.
    """
    _, key = parts_of(target)
    if key and not key.endswith("/") and not is_glob(key):
        yield target, name_of(key), False
        return
    is_searched = not is_glob(key)
    for url, path in objects_of(target, is_wanted, reason_if_empty):
        yield url, path, is_searched
