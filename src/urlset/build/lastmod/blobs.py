"""Reads versions of files from Git, with a single `git cat-file` process."""

from __future__ import annotations

import subprocess
from collections import OrderedDict
from contextlib import ExitStack
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, Self, TypeVar

from urlset.build.lastmod.git_process import GitError, output, reason_of, start
from urlset.build.lastmod.visible_text import MAX_TEXT_BYTES, Text, beginning_of, differing_words, text_of
from urlset.text.sizes import MiB

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import TracebackType

_AT_ONCE = 30
"""Names of blobs that are written before a reply is read. Two such pieces fit into the smallest buffer of a pipe, 4 KiB
on Windows: more would wait for git, while git waits for its replies to be read."""

_KEPT_BYTES = 32 * MiB
"""Maximum size of the contents that are kept, and of the texts; digests of all are."""


_Key = TypeVar("_Key")
_Value = TypeVar("_Value", str, bytes)


class _Newest(OrderedDict[_Key, _Value]):
    """Values of which the oldest are removed when all exceed a size."""

    _size = 0

    def keep(self, key: _Key, value: _Value) -> None:
        self[key] = value
        self._size += len(value)
        while self._size > _KEPT_BYTES and len(self) > 1:
            _, oldest = self.popitem(last=False)
            self._size -= len(oldest)


class Blobs:
    """The versions of files, each read and reduced to its words once, as long as the memory for it lasts.

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
        self._digests: dict[tuple[str, str], bytes] = {}
        self._texts: _Newest[tuple[str, str], str] = _Newest()
        self._contents: _Newest[str, bytes] = _Newest()
        self._absent: set[str] = set()
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

    def load(self, wanted: Iterable[str]) -> None:
        """Read blobs, unless they are in memory."""
        missing = [blob for blob in dict.fromkeys(wanted) if blob not in self._contents and blob not in self._absent]
        if self._present is not None:
            self._absent.update(set(missing) - self._present)
            missing = [blob for blob in missing if blob in self._present]
        pieces = [missing[at : at + _AT_ONCE] for at in range(0, len(missing), _AT_ONCE)]
        if not pieces:
            return
        stdin, stdout = self._streams()
        _ask(stdin, pieces[0])
        for number, piece in enumerate(pieces):
            if number + 1 < len(pieces):
                _ask(stdin, pieces[number + 1])
            for blob in piece:
                content = self._reply(stdout)
                if content is None:
                    self._absent.add(blob)
                else:
                    self._contents.keep(blob, content)

    def has(self, blob: str) -> bool:
        """Return whether the clone has a blob."""
        return self._content(blob) is not None

    def digest(self, blob: str, ending: str) -> bytes | None:
        """Return the digest of the words of a blob; None if the clone lacks it.

        Args:
            ending: The extension of the name of its file.
        """
        if (blob, ending) not in self._digests and not self._read(blob, ending):
            return None
        return self._digests[blob, ending]

    def words(self, blob: str, ending: str) -> str:
        """Return the words of a blob; of one that the clone lacks, or that is too large, none."""
        if (blob, ending) not in self._texts:
            self._read(blob, ending)
        return self._texts.get((blob, ending), "")

    def beginning(self, blob: str, ending: str) -> str:
        """Return the words of a blob, or only those of its first paragraphs."""
        known = self._texts.get((blob, ending))
        return beginning_of(self._content(blob) or b"", ending) if known is None else known

    def difference(self, old: str, new: str, ending: str) -> tuple[str, str] | None:
        """Return the words of two blobs of a file, or only those around changes; None if a reader sees the same."""
        before, after = self._content(old) or b"", self._content(new) or b""
        words = differing_words(before, after, ending)
        if words is not None:
            return words if words[0] != words[1] else None
        if self.digest(old, ending) == self.digest(new, ending):
            return None
        return self.words(old, ending), self.words(new, ending)

    def _content(self, blob: str) -> bytes | None:
        if blob not in self._contents:
            self.load((blob,))
        return self._contents.get(blob)

    def _read(self, blob: str, ending: str) -> bool:
        """Read the words of a blob; return whether the clone has it."""
        content = self._content(blob)
        if content is None:
            return False
        # Of a file that is too large, its hash is all that is known.
        text = text_of(content, ending) if content is not _TOO_LARGE else Text(blob.encode(), "")
        self._digests[blob, ending] = text.digest
        self._texts.keep((blob, ending), text.words)
        return True

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


_TOO_LARGE = b"\0"
"""In place of a content that is too large; binary, so that no part of it is compared."""


def _ask(stream: IO[bytes], piece: list[str]) -> None:
    try:
        stream.write("".join(f"{blob}\n" for blob in piece).encode())
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
