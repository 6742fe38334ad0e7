"""Files on any file system that Spark reads, through Hadoop's interface on the driver."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from urlset.cluster.session import first_line
from urlset.errors import InputError
from urlset.sources import SITEMAP_SUFFIXES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import SparkSession

_WHY = {
    "UnsupportedFileSystemException": "Spark has no file system for this scheme; add its package, such as hadoop-aws "
    "for s3a",
    "ClassNotFoundException": "Spark has no file system for this scheme; add its package, such as hadoop-aws for s3a",
    "AccessDeniedException": "access denied; check the credentials of Spark for it",
    "AccessControlException": "access denied; check the credentials of Spark for it",
    "NoAuthWithAWSException": "no credentials for it; set them in the configuration of Spark",
    "UnknownHostException": "its host was not found",
    "UnknownStoreException": "no such bucket",
}
"""What to say of an exception of Hadoop, by its class."""


class FoundFile(Struct, frozen=True):
    """A file: its path as Spark reads it, and its size in bytes."""

    path: str
    size: int


class ClusterFiles:
    """Lists, moves, and removes files.

    Args:
        spark: The session, whose configuration has the credentials.
    """

    def __init__(self, spark: SparkSession) -> None:
        self._jvm: Any = spark._jvm
        self._configuration: Any = spark.sparkContext._jsc.hadoopConfiguration()

    def found(self, address: str) -> list[FoundFile]:
        """Return the files of a path or glob, sorted: of a folder, all that are named like sitemaps.

        Raises:
            InputError: There is none, or it cannot be listed.
        """
        with _explained(address):
            system, path = self._place(address)
            statuses = system.globStatus(path)
            files: list[FoundFile] = []
            folders = 0
            for status in statuses or ():
                if status.isDirectory():
                    folders += 1
                    files += self._in_folder(system, status.getPath())
                else:
                    files.append(_file(status))
        if not files:
            reason = "no file in this folder is named like a sitemap" if folders else "no such file, or nothing matches"
            raise InputError(address, reason)
        return sorted(files, key=lambda file: file.path.encode("utf-8", "surrogatepass"))

    def is_empty(self, address: str) -> bool:
        """Return whether a folder does not exist, or has no files."""
        with _explained(address):
            system, path = self._place(address)
            return not system.exists(path) or not system.listStatus(path)

    def names(self, address: str) -> list[str]:
        """Return the names in a folder, sorted; none if it does not exist."""
        with _explained(address):
            system, path = self._place(address)
            if not system.exists(path):
                return []
            return sorted(str(status.getPath().getName()) for status in system.listStatus(path))

    def remove(self, address: str) -> None:
        """Remove a folder with its files, if it exists."""
        with _explained(address):
            system, path = self._place(address)
            system.delete(path, True)

    def _place(self, address: str) -> tuple[Any, Any]:
        path = self._jvm.org.apache.hadoop.fs.Path(address)
        return path.getFileSystem(self._configuration), path

    def _in_folder(self, system: Any, folder: Any) -> Iterator[FoundFile]:
        """Yield what the embedded engine reads of a folder: files named like sitemaps, without hidden ones."""
        listed = system.listFiles(folder, True)
        skipped = len(str(folder))
        while listed.hasNext():
            file = _file(listed.next())
            inside = file.path[file.path.find(str(folder.toUri().getPath())) :][skipped:]
            plain = file.path.lower().removesuffix(".gz")
            if plain.endswith(SITEMAP_SUFFIXES) and not any(part.startswith(".") for part in inside.split("/")):
                yield file


def _file(status: Any) -> FoundFile:
    return FoundFile(local_path(str(status.getPath().toString())), int(status.getLen()))


def local_path(address: str) -> str:
    """Return the path of a `file:` address; other addresses unchanged."""
    if not address.startswith("file:"):
        return address
    return "/" + address.removeprefix("file:").lstrip("/")


def is_local(path: str) -> bool:
    """Return whether executors open a path themselves."""
    return path.startswith("/")


@contextmanager
def _explained(address: str) -> Iterator[None]:
    from py4j.protocol import Py4JJavaError

    try:
        yield
    except Py4JJavaError as error:
        raise InputError(address, _reason(error.java_exception)) from None


def _reason(exception: Any) -> str:
    cause = exception
    while cause is not None:
        name = str(cause.getClass().getSimpleName())
        if name in _WHY:
            return _WHY[name]
        message, cause = str(cause.getMessage()), cause.getCause()
    return f"cannot be listed: {first_line(Exception(message))}"
