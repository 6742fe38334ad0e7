"""Publishing: a file is replaced whole or not at all, so that a killed run leaves the old one or the new one."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from urlset.errors import OutputError, reason_of

if TYPE_CHECKING:
    from collections.abc import Iterator


def publish(path: Path, content: bytes) -> None:
    """Puts the content at a path, as `replacing` does.

    Raises:
        OutputError: It cannot be written; nothing is left behind then.
    """
    with replacing(path) as place:
        place.write_bytes(content)


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Gives the path of an empty file to write; when all went well, that file takes the place of `path`.

    It lies in a private folder beside `path`, since a rename is atomic only within a file system, and takes over the
    mode of the file that it replaces. A link is followed: what it points to is replaced. What is no regular file, a
    pipe or a device, cannot be replaced and is written as it is.

    Raises:
        OutputError: The file cannot be written.
    """
    try:
        target = path.resolve()
        if target.exists() and not target.is_file():
            if target.is_dir():
                raise OutputError(f"{path} cannot be written: it is a folder; give the name of a file in it")
            yield target
            return
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.name}-") as folder:
            beside = Path(folder) / target.name
            beside.touch()
            yield beside
            flush(beside)
            beside.chmod(target.stat().st_mode & 0o7777 if target.exists() else 0o666 & ~_umask())
            beside.replace(target)
            flush(target.parent)
    except OSError as error:
        raise OutputError(f"{path} cannot be written: {reason_of(error)}") from error


def _umask() -> int:
    # It can only be read by setting it.
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def flush(path: Path) -> None:
    """Makes sure that what was written, or for a folder its list of names, is on the disk."""
    if path.is_dir() and os.name == "nt":
        # Windows opens no folders.
        return
    descriptor = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
