"""Publishes a file whole or not at all: written beside its place, synced to disk, then renamed over it."""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path
from typing import BinaryIO

from urlset.errors import OutputError


def publish(path: Path, content: bytes) -> None:
    """Puts the content at a path; a reader sees the old file or the new one, whatever happens.

    A link is followed, and a file that is there keeps its permissions. What is no regular file (a pipe, a device) is
    written to as it is.

    Raises:
        OutputError: It cannot be written; nothing is left behind then.
    """
    try:
        place = Path(os.path.realpath(path))
        mode = _mode(place)
        if mode is None or stat.S_ISREG(mode):
            _replace(place, content, mode)
        elif stat.S_ISDIR(mode):
            raise OutputError(f"{path} cannot be written: it is a folder; give the name of a file in it")
        else:
            place.write_bytes(content)
    except OSError as error:
        raise OutputError(f"{path} cannot be written: {(error.strerror or str(error)).lower()}") from error


def _mode(place: Path) -> int | None:
    try:
        return place.stat().st_mode
    except FileNotFoundError:
        return None


def _replace(place: Path, content: bytes, mode: int | None) -> None:
    beside = place.with_name(f".urlset-{os.getpid()}-{os.urandom(4).hex()}.tmp")
    try:
        with beside.open("xb") as file:
            _write_through(file, content)
        if mode is not None:
            beside.chmod(stat.S_IMODE(mode))
        beside.replace(place)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    _sync_folder(place.parent)


def _write_through(file: BinaryIO, content: bytes) -> None:
    file.write(content)
    file.flush()
    os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    """Makes the rename itself last through a loss of power, on systems where folders can be synced."""
    # Windows opens no folders, and some network file systems sync none: the file is whole there too.
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
