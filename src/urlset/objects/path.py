"""An object as a place to read and write, with methods of `pathlib.Path`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from urlset.errors import InputError
from urlset.files.scratch import Scratch
from urlset.objects.object_address import name_of, original_url, parts_of
from urlset.objects.system import call, file_system, readable, writable
from urlset.text.sizes import size

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path, PurePath


@dataclass(frozen=True, slots=True)
class ObjectPath:
    """An object, which may not exist.

    `exists`, `is_file`, and `is_dir` raise InputError if the object store does not answer.
    """

    url: str

    @classmethod
    def of(cls, path: Path) -> ObjectPath | None:
        """Return the object that a path refers to; None if it is a local path.

        Raises:
            UsageError: The URL contains credentials, or names no bucket.
        """
        url = original_url(str(path))
        if url is None:
            return None
        parts_of(url)
        return cls(url)

    @property
    def name(self) -> str:
        return name_of(self.url)

    def with_name(self, name: str) -> ObjectPath:
        return ObjectPath(f"{self.url[: len(self.url) - len(self.name)]}{name}")

    def __truediv__(self, below: PurePath) -> ObjectPath:
        return ObjectPath(f"{self.url.rstrip('/')}/{below.as_posix()}")

    def __str__(self) -> str:
        return self.url

    def exists(self) -> bool:
        """Return whether there is an object or a prefix with this key."""
        return self._kind() is not None

    def is_file(self) -> bool:
        """Return whether there is an object with this key."""
        return self._kind() == "file"

    def is_dir(self) -> bool:
        """Return whether it is a bucket, or a prefix of the keys of objects."""
        return self._kind() == "directory"

    def _kind(self) -> str | None:
        with readable(self.url):
            system, path = file_system(self.url)
            try:
                return str(call(system, "info", path)["type"])
            except FileNotFoundError:
                return None

    def unlink(self, *, missing_ok: bool = False) -> None:
        """Remove the object.

        Raises:
            OutputError: It cannot be removed.
        """
        with writable(self.url):
            system, path = file_system(self.url)
            try:
                call(system, "rm_file", path)
            except FileNotFoundError:
                if not missing_ok:
                    raise

    def copy_to(self, path: Path, max_bytes: int) -> None:
        """Copy an object of at most `max_bytes` bytes to a local file, piece by piece.

        Raises:
            InputError: It cannot be read, or is larger.
        """
        with readable(self.url):
            system, place = file_system(self.url)
            if int(call(system, "info", place).get("size") or 0) > max_bytes:
                raise InputError(self.url, f"larger than {size(max_bytes)}; copy it to a local file first")
            call(system, "get_file", place, str(path))

    def write(self, pieces: Iterator[bytes]) -> None:
        """Replace the object. The old one stays until the new one was received completely.

        Raises:
            OutputError: It cannot be written.
        """
        with writable(self.url), Scratch() as scratch:
            # An upload from a file that is interrupted leaves no shorter object.
            whole = scratch.path / "object"
            with whole.open("wb") as file:
                file.writelines(pieces)
            self.put(whole)

    def put(self, file: Path) -> None:
        """Replace the object by a local file, as `write` does.

        Raises:
            OutputError: It cannot be written.
        """
        with writable(self.url):
            system, path = file_system(self.url)
            call(system, "put_file", str(file), path)
