"""Replaces files atomically, so that an interrupted run leaves either the old or the new file."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from urlset.errors import OutputError, reason_of
from urlset.files.own_files import check_own, make_own_folder
from urlset.files.repository_links import LEADS_OUT, leads_out

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def publish(path: Path, content: bytes, *, follow: bool = True, below: Path | None = None) -> None:
    """Write content to a path with `replacing`.

    Raises:
        OutputError: The file cannot be written; no temporary files are left behind.
    """
    with replacing(path, follow=follow, below=below) as place:
        place.write_bytes(content)


@contextmanager
def replacing(path: Path, *, follow: bool = True, below: Path | None = None) -> Iterator[Path]:
    """Yield the path of an empty file to write, which replaces `path` on success.

    The file is in a private folder next to `path`, since a rename is atomic only within a file system. If this process
    is killed, the next process that writes a file there removes the folder. The file gets the mode of the file that it
    replaces. Links are followed, unless they lead out of the repository: their target is replaced. Pipes, devices, and
    others that are not regular files cannot be replaced and are written directly.

    Args:
        follow: Whether to follow links. Otherwise, whatever has this name is replaced, and nothing is written through
            it.
        below: The directory that the user named, if urlset derives the rest of the path: no link below it is followed.

    Raises:
        OutputError: The file cannot be written.
    """
    from urlset.files.scratch import Scratch

    if follow and leads_out(path):
        raise OutputError(f"{path} {LEADS_OUT}")
    try:
        if below is not None:
            make_own_folder(path.parent, below)
            check_own(path, below)
        target = path.resolve() if follow else path.absolute()
        if follow and target.exists() and not target.is_file():
            if target.is_dir():
                raise OutputError(f"{path}: is a directory; name a file in it")
            yield target
            return
        with Scratch(target.parent) as scratch:
            temporary = scratch.path / target.name
            temporary.touch()
            yield temporary
            flush(temporary)
            temporary.chmod(target.stat().st_mode & 0o7777 if target.exists() else 0o666 & ~_umask())
            temporary.replace(target)
            flush(target.parent)
    except OSError as error:
        raise OutputError(f"{path}: cannot be written: {reason_of(error)}") from error


def _umask() -> int:
    # Reading the umask requires setting it.
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def flush(path: Path) -> None:
    """Flush a file, or the list of names in a folder, to disk."""
    if path.is_dir() and os.name == "nt":
        # Windows cannot open folders.
        return
    descriptor = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
