"""Reads versions of files from Git, with a single `git cat-file` process."""

from __future__ import annotations

import subprocess
from collections import OrderedDict
from contextlib import ExitStack
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, Self

from urlset.build.lastmod.git_process import GitError, output, reason_of, start
from urlset.build.lastmod.visible_text import MAX_TEXT_BYTES, Text, text_of
from urlset.text.sizes import MiB

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import TracebackType

_AT_ONCE = 30
"""Names of blobs that are written before a reply is read. Two such pieces fit into the smallest buffer of a pipe, 4 KiB
on Windows: more would wait for git, while git waits for its replies to be read."""

_KEPT_BYTES = 64 * MiB
"""Maximum size of the texts that are kept; digests of all are."""


class Blobs:
    """The texts of blobs, each read and reduced to its words once, as long as the memory for it lasts.

    Args:
        folder: A directory in the repository.
        present: The blobs that a partial clone has; None in a complete one. git is not asked for others, because
            versions before 2.44 would fetch them.
    """

    def __init__(self, folder: str, present: frozenset[str] | None) -> None:
        self._present = present
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        self._resources = ExitStack()
        self._digests: dict[tuple[str, str], bytes | None] = {}
        self._texts: OrderedDict[tuple[str, str], str] = OrderedDict()
        self._bytes = 0
        self.read = 0
        """Number of blobs that were read."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is not None:
            self._process.kill()
        self._resources.close()

    def load(self, wanted: Iterable[tuple[str, str]]) -> None:
        """Read blobs, given with the extensions of their files, unless their texts are known."""
        missing = [
            key for key in dict.fromkeys(wanted) if key not in self._texts and self._digests.get(key, b"") is not None
        ]
        absent = [key for key in missing if self._present is not None and key[0] not in self._present]
        self._digests.update(dict.fromkeys(absent))
        missing = [key for key in missing if self._present is None or key[0] in self._present]
        pieces = [missing[at : at + _AT_ONCE] for at in range(0, len(missing), _AT_ONCE)]
        if not pieces:
            return
        stdin, stdout = self._streams()
        _ask(stdin, pieces[0])
        for number, piece in enumerate(pieces):
            if number + 1 < len(pieces):
                _ask(stdin, pieces[number + 1])
            for key in piece:
                self._keep(key, self._reply(stdout))

    def digest(self, blob: str, ending: str) -> bytes | None:
        """Return the digest of the words of a blob; None if the clone lacks it."""
        key = (blob, ending)
        if key not in self._digests:
            self.load([key])
        return self._digests[key]

    def words(self, blob: str, ending: str) -> str:
        """Return the words of a blob that the clone has."""
        key = (blob, ending)
        if key not in self._texts:
            self.load([key])
        return self._texts.get(key, "")

    def _keep(self, key: tuple[str, str], content: bytes | None) -> None:
        if content is None:
            self._digests[key] = None
            return
        # Of a file that is too large, its hash is all that is known.
        text = text_of(content, key[1]) if content is not _TOO_LARGE else Text(key[0].encode(), "")
        self._digests[key] = text.digest
        self._texts[key] = text.words
        self._bytes += len(text.words)
        while self._bytes > _KEPT_BYTES and len(self._texts) > 1:
            _, oldest = self._texts.popitem(last=False)
            self._bytes -= len(oldest)

    def _streams(self) -> tuple[IO[bytes], IO[bytes]]:
        if self._process is None:
            self._errors = self._resources.enter_context(TemporaryFile())  # noqa: SIM115 - the stack closes it
            self._process = self._resources.enter_context(
                start(self._folder, "cat-file", "--batch", stdin=subprocess.PIPE, errors=self._errors)
            )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        return self._process.stdin, self._process.stdout

    def _reply(self, stream: IO[bytes]) -> bytes | None:
        """Return the content of the next blob; None if there is none."""
        header = stream.readline()
        if not header:
            self._fail()
        self.read += 1
        words = header.split()
        if len(words) != 3:
            return None
        size, content = int(words[2]), b""
        if size <= MAX_TEXT_BYTES:
            content = stream.read(size)
        else:
            content = _TOO_LARGE
            while size > 0:
                size -= len(stream.read(min(size, MiB))) or size
        stream.read(1)
        return content if words[1] == b"blob" else None

    def _fail(self) -> None:
        assert self._process is not None
        self._process.wait()
        self._errors.seek(0)
        raise GitError(reason_of(self._errors.read()))


_TOO_LARGE = b"too large"


def _ask(stream: IO[bytes], piece: list[tuple[str, str]]) -> None:
    try:
        stream.write("".join(f"{blob}\n" for blob, _ in piece).encode())
        stream.flush()
    except OSError:
        # git has ended, and says why when its reply is read.
        return


def local_blobs(folder: str) -> frozenset[str]:
    """Return all blobs that a partial clone has, without asking for others."""
    listing = output(
        folder, "cat-file", "--batch-all-objects", "--unordered", "--batch-check=%(objecttype) %(objectname)"
    )
    return frozenset(line[5:] for line in listing.splitlines() if line.startswith("blob "))
