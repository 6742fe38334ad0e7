"""Reads whole files up to a limit, so that a device such as /dev/zero, or a wrong file, cannot exhaust memory."""

from __future__ import annotations

import errno
import os
import shlex
import stat
import sys
from pathlib import Path
from typing import IO

from urlset.errors import UsageError
from urlset.files.own_files import open_own
from urlset.text.sizes import MiB, size

MAX_CONFIG_BYTES = 16 * MiB
"""Maximum size of a configuration file, in bytes."""
MAX_BASELINE_BYTES = 256 * MiB
"""Maximum size of a baseline, in bytes; a baseline with 1,000,000 findings has about 100 MiB."""
MAX_LIST_BYTES = 512 * MiB
"""Maximum size of a list of URLs or origins that is held in memory (the inventory, `--from`), in bytes."""
MAX_CERTIFICATES_BYTES = 64 * MiB
"""Maximum size of a certificate file, in bytes; the file of a typical system has 0.2 MiB."""
MAX_PAGE_BYTES = 64 * MiB
"""Maximum size of an HTML or Markdown file, or a robots.txt, in bytes."""
MAX_STATE_BYTES = 1024 * MiB
"""Maximum size of a state file of a build, in bytes: about 200 per page."""
MAX_MANIFEST_BYTES = 64 * MiB
"""Maximum size of a manifest or a journal of a build, in bytes; one of 50,000 parts has 6 MiB."""


class FileTooLargeError(OSError):
    """A file exceeds the size limit for its kind."""

    def __init__(self, max_bytes: int) -> None:
        super().__init__(errno.EFBIG, f"larger than {size(max_bytes)}")


def read_file(path: Path | str, max_bytes: int) -> bytes:
    """Return the bytes of a file; `-` has no special meaning.

    Raises:
        FileTooLargeError: The file has more than `max_bytes` bytes.
        OSError: The file cannot be read.
    """
    with Path(path).open("rb") as file:
        return _whole(file, max_bytes)


def read_own(path: Path, max_bytes: int, below: Path | None = None) -> bytes:
    """Return the bytes of a file, as `open_own` opens it: links, pipes, and files of other users are not read.

    Args:
        below: The directory that the user named; None for the directory of the file.

    Raises:
        FileTooLargeError: The file has more than `max_bytes` bytes.
        OSError: The file cannot be read, or is not a regular file.
    """
    with open_own(path, "rb", below) as file:
        return _whole(file, max_bytes)


def read_private(path: Path, max_bytes: int) -> bytes:
    """Return the bytes of a file with a secret, which only its owner may read or change.

    Raises:
        FileTooLargeError: The file has more than `max_bytes` bytes.
        UsageError: Others can read or change the file.
        OSError: The file cannot be read.
    """
    with path.open("rb") as file:
        mode = os.fstat(file.fileno()).st_mode
        # Windows has other permissions. A pipe is the shell's.
        if os.name != "nt" and stat.S_ISREG(mode) and mode & 0o077:
            can = "read" if mode & 0o044 else "change" if mode & 0o022 else "run"
            raise UsageError(f"{path}: other users can {can} this secret; run: chmod 600 {shlex.quote(str(path))}")
        return _whole(file, max_bytes)


def read_stdin(max_bytes: int) -> bytes:
    """Return the bytes of standard input.

    Raises:
        FileTooLargeError: Standard input has more than `max_bytes` bytes.
        OSError: Standard input cannot be read.
    """
    return _whole(sys.stdin.buffer, max_bytes)


def _whole(file: IO[bytes], max_bytes: int) -> bytes:
    content = file.read(max_bytes + 1)
    if len(content) > max_bytes:
        raise FileTooLargeError(max_bytes)
    return content
