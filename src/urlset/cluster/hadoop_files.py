"""Files on any file system that Spark reads, through Hadoop's interface on the driver."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from urlset.engine.spark.failures import first_line
from urlset.errors import InputError
from urlset.text.masking import mask_target

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
"""Messages for exceptions of Hadoop, by class."""


class ClusterFiles:
    """Lists, moves, and removes files.

    Args:
        spark: The session, whose configuration has the credentials.
    """

    def __init__(self, spark: SparkSession) -> None:
        self._jvm: Any = spark._jvm
        self._configuration: object = spark.sparkContext._jsc.hadoopConfiguration()

    def find(self, address: str) -> tuple[list[str], int]:
        """Return the files that match a path or glob, and the number of folders that do.

        Raises:
            InputError: Nothing but folders matches, or it cannot be listed.
        """
        with _convert_errors(address):
            system, path = self._place(address)
            statuses = list(system.globStatus(path) or ())
            folders = sum(bool(status.isDirectory()) for status in statuses)
            files = [local_path(str(status.getPath().toString())) for status in statuses if not status.isDirectory()]
        if not files:
            reason = "only folders match" if folders else "no such file, or nothing matches"
            raise InputError(mask_target(address), reason)
        return files, folders

    def below(self, address: str) -> list[tuple[str, str]] | None:
        """Return the files below a folder, each with its path from there; None for anything but a folder.

        Raises:
            InputError: It cannot be listed.
        """
        with _convert_errors(address):
            system, path = self._place(address)
            if not system.exists(path) or not (status := system.getFileStatus(path)).isDirectory():
                return None
            base = str(status.getPath().toString()).rstrip("/")
            paths, files = [], system.listFiles(path, True)
            while files.hasNext():
                file = str(files.next().getPath().toString())
                paths.append((local_path(file), file.removeprefix(f"{base}/")))
        return paths

    def is_empty(self, address: str) -> bool:
        """Return whether a folder does not exist, or has no files."""
        with _convert_errors(address):
            system, path = self._place(address)
            return not system.exists(path) or not system.listStatus(path)

    def names(self, address: str) -> list[str]:
        """Return the names in a folder, sorted; none if it does not exist."""
        with _convert_errors(address):
            system, path = self._place(address)
            if not system.exists(path):
                return []
            return sorted(str(status.getPath().getName()) for status in system.listStatus(path))

    def remove(self, address: str) -> None:
        """Remove a folder with its files, if it exists."""
        with _convert_errors(address):
            system, path = self._place(address)
            system.delete(path, True)

    def _place(self, address: str) -> tuple[Any, Any]:
        path = self._jvm.org.apache.hadoop.fs.Path(address)
        return path.getFileSystem(self._configuration), path


def local_path(address: str) -> str:
    """Return the path of a `file:` address; other addresses unchanged."""
    if not address.startswith("file:"):
        return address
    return "/" + address.removeprefix("file:").lstrip("/")


def is_local(path: str) -> bool:
    """Return whether executors open a path themselves."""
    return path.startswith("/")


@contextmanager
def _convert_errors(address: str) -> Iterator[None]:
    from py4j.protocol import Py4JJavaError
    from pyspark.errors.exceptions.captured import CapturedException

    try:
        yield
    except Py4JJavaError as error:
        raise InputError(mask_target(address), reason_of_java(error.java_exception)) from None
    except CapturedException as error:
        # pyspark has an exception of its own for some exceptions of Java.
        raise InputError(mask_target(address), reason_of_java(error._origin)) from None


def reason_of_java(exception: Any) -> str:
    """Return why files cannot be listed, from an exception of Java."""
    cause = exception
    while cause is not None:
        name = str(cause.getClass().getSimpleName())
        if name in _WHY:
            return _WHY[name]
        message, cause = str(cause.getMessage()), cause.getCause()
    return f"cannot be listed: {first_line(Exception(message))}"
