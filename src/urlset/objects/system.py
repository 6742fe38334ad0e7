"""File systems of object stores. Credentials come from the environment, as the packages of fsspec read it.

fsspec and its packages are imported on use. Their errors, which belong to many hierarchies, become reasons here.
"""

from __future__ import annotations

import os
import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from urlset.errors import InputError, MissingExtraError, OutputError, UrlsetError, UsageError, reason_of
from urlset.objects.object_address import PACKAGES, scheme_of
from urlset.text.masking import mask_url

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_SECRET = re.compile(r"KEY|SECRET|TOKEN|PASSWORD|CREDENTIAL|CONNECTION_STRING|SAS", re.IGNORECASE)
"""Names of environment variables whose values are never shown."""

SHORTEST_SECRET = 6
"""Minimum length of a value to look for in messages; a shorter one, such as `on`, occurs in ordinary words."""

CUT_OFF = frozenset({"ClientPayloadError", "IncompleteReadError", "ResponseStreamingError"})
"""Names of the errors of bodies that end early, in the packages that read them."""

LONGEST_REASON = 200
"""Maximum characters of a message of a package."""


def file_system(url: str, settings: Mapping[str, Any] | None = None) -> tuple[Any, str]:
    """Return the file system of a URL, and the path in it.

    Args:
        url: The URL, with any scheme that fsspec supports.

    Raises:
        MissingExtraError: fsspec, or its package for the scheme, is not installed.
        UsageError: fsspec does not know the scheme, or the settings in the environment are invalid.
    """
    try:
        import fsspec

        # A listing that is kept in memory would hide later changes, and has no limit.
        return fsspec.core.url_to_fs(url, use_listings_cache=False, **(settings or {}))  # type: ignore[no-any-return]
    except ImportError as error:
        scheme = scheme_of(url)
        package = PACKAGES.get(scheme)
        install = f"pip install 'urlset[fsspec]'{f' {package}' if package else ''}"
        detail = "" if package is not None else f", and the package that the scheme requires: {error}"
        raise MissingExtraError(f"{scheme}:// URLs need an extra: {install}{detail}") from None
    except Exception as error:  # noqa: BLE001 (each package has errors of its own)
        raise UsageError(f"{mask_url(url)}: cannot be opened: {object_reason(error)}") from None


def timeouts(url: str, connect: float, read: float, retries: int) -> dict[str, object]:
    """Return the settings of a file system for its timeouts, in seconds; only S3 has any."""
    if PACKAGES.get(scheme_of(url)) != "s3fs":
        return {}
    config = {"connect_timeout": connect, "read_timeout": read, "retries": {"total_max_attempts": retries + 1}}
    return {"config_kwargs": config}


def call(system: Any, method: str, *arguments: Any, seconds: float | None = None, **named: Any) -> Any:
    """Call a method of a file system, and give up after some seconds if it can be interrupted.

    Raises:
        TimeoutError: It took longer.
    """
    if not system.async_impl:
        return getattr(system, method)(*arguments, **named)
    from fsspec.asyn import sync

    return sync(system.loop, getattr(system, f"_{method}"), *arguments, timeout=seconds, **named)


@contextmanager
def readable(name: str) -> Iterator[None]:
    """Convert any error of a file system to an InputError that names what is read."""
    try:
        yield
    except UrlsetError:
        raise
    except Exception as error:  # noqa: BLE001 (each package has errors of its own)
        raise InputError(name, object_reason(error)) from None


class _OpenObject:
    """An object, opened for reading, whose errors are InputErrors."""

    def __init__(self, file: Any, name: str) -> None:
        self._file = file
        self._name = name

    def read(self, size: int, /) -> bytes:
        with readable(self._name):
            content: bytes = self._file.read(size)
            return content


@contextmanager
def open_object(url: str) -> Iterator[_OpenObject]:
    """Open an object to read it from start to end, without holding it in memory.

    Raises:
        InputError: It cannot be opened.
        MissingExtraError: fsspec, or its package for the scheme, is not installed.
        UsageError: The URL is invalid.
    """
    name = mask_url(url)
    with readable(name):
        system, path = file_system(url)
        file = system.open(path, "rb", cache_type="readahead")
    try:
        yield _OpenObject(file, name)
    finally:
        file.close()


@contextmanager
def writable(name: str) -> Iterator[None]:
    """Convert any error of a file system to an OutputError that names what is written.

    An object is replaced as a whole, so one that cannot be written is unchanged.
    """
    try:
        yield
    except UrlsetError:
        raise
    except Exception as error:  # noqa: BLE001 (each package has errors of its own)
        raise OutputError(f"{name}: cannot be written: {object_reason(error)}") from None


def object_reason(error: Exception) -> str:
    """Return why a file system failed, without credentials, as text that follows a colon."""
    kind = type(error).__name__
    if isinstance(error, FileNotFoundError):
        return "no such object or bucket"
    if isinstance(error, PermissionError):
        return "access denied; check the credentials in the environment and their permissions"
    if "Credential" in kind:
        return "no credentials found; set them in the environment, as the package for the object store expects"
    if isinstance(error, TimeoutError) or "Timeout" in kind:
        return "timed out"
    if kind in CUT_OFF:
        return "the connection was lost before the end of the object"
    text = reason_of(error).strip().splitlines()[0] if str(error).strip() else kind
    return _without_secrets(text)[:LONGEST_REASON]


def _without_secrets(text: str) -> str:
    for name, value in os.environ.items():
        if len(value) >= SHORTEST_SECRET and _SECRET.search(name):
            text = text.replace(value, "***")
    return re.sub(r"(?i)((?:signature|sig|token|key|credential)[\w-]*=)[^&\s]+", r"\1***", text)
