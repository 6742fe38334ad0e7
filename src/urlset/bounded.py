"""Reading whole files, each up to a bound: a device such as /dev/zero, or a wrong file, never fills the memory."""

from __future__ import annotations

import errno
import sys
from pathlib import Path

from urlset.sizes import MiB, size

MOST_OF_CONFIG = 16 * MiB
"""Bytes of a configuration file."""
MOST_OF_BASELINE = 256 * MiB
"""Bytes of a baseline; one of a million findings has about 100 MiB."""
MOST_OF_LIST = 512 * MiB
"""Bytes of a list of URLs or origins that is held in memory: the inventory, `--from`."""
MOST_OF_CERTIFICATES = 64 * MiB
"""Bytes of a file of certificates; that of a usual system has 0.2 MiB."""
MOST_OF_PAGE = 64 * MiB
"""Bytes of an HTML or Markdown file, and of a robots.txt."""
MOST_OF_STATE = 1024 * MiB
"""Bytes of a file in which a build keeps what it knows: about 200 for each page."""


class FileTooLargeError(OSError):
    """A file has more bytes than are read of its kind."""

    def __init__(self, most: int) -> None:
        super().__init__(errno.EFBIG, f"larger than {size(most)}")


def read_whole(path: Path | str, most: int) -> bytes:
    """Returns the bytes of a file; `-` is not special.

    Raises:
        FileTooLargeError: It has more than `most`.
        OSError: It cannot be read.
    """
    with Path(path).open("rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise FileTooLargeError(most)
    return content


def read_stdin(most: int) -> bytes:
    """Returns the bytes of standard input.

    Raises:
        FileTooLargeError: It has more than `most`.
        OSError: It cannot be read.
    """
    content = sys.stdin.buffer.read(most + 1)
    if len(content) > most:
        raise FileTooLargeError(most)
    return content
