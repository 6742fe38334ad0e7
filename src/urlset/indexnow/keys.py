"""IndexNow keys: makes them, reads their files, and waits until each file is online, byte by byte as it is here."""

from __future__ import annotations

import re
import time
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlunsplit

from msgspec import Struct

from urlset.errors import UsageError, reason_of
from urlset.fetch import read_bytes
from urlset.fetch.reply import Reuse
from urlset.fetch.response import FetchError
from urlset.files.bounded import read_file
from urlset.files.publish import publish
from urlset.model.notification import NewKey
from urlset.net.origin import origin_of
from urlset.net.urlparts import split_url
from urlset.text.masking import mask_url

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from urlset.fetch.fetcher import Fetcher
    from urlset.net.origin import Origin

KEY = re.compile(rb"[A-Za-z0-9-]{8,128}")
"""https://www.indexnow.org/documentation"""

MAX_OF_KEY_FILE = 1024
"""Maximum bytes of a key file, which holds a key of up to 128 characters."""

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 15.0
"""Seconds between two requests for a key file that is not online yet; each pause is twice as long as the last."""

_HOST = re.compile(r"[A-Za-z0-9._\[\]:-]+")


class KeyFileProblem(StrEnum):
    """What is wrong with a published key file: the values of `key_files.problem`."""

    NOT_URL = "not-url"
    """The site declares something that is not an http(s) URL."""
    OTHER_HOST = "other-host"
    """The site declares a URL on another host."""
    REDIRECTED = "redirected"
    """It redirects."""
    UNAVAILABLE = "unavailable"
    """It cannot be fetched."""
    NOT_A_KEY = "not-a-key"
    """It holds something other than a key."""
    OTHER_KEY = "other-key"
    """It holds another key."""


class KeyFileFault(Struct, frozen=True):
    """Why a published key file is not usable.

    Attributes:
        reason: What the request returned, as a message.
        is_final: Whether another request would have the same result.
    """

    problem: KeyFileProblem
    reason: str
    is_final: bool = False


class KeyFile(Struct, frozen=True):
    """A key and its file."""

    key: str
    content: bytes
    path: Path

    @classmethod
    def read(cls, path: Path) -> KeyFile:
        """Read a key file.

        Raises:
            UsageError: It cannot be read, or does not hold a key.
        """
        try:
            content = read_file(path, MAX_OF_KEY_FILE)
        except OSError as error:
            raise UsageError(f"key file {path}: {reason_of(error)}; write one with `urlset notify key`") from None
        key = key_in(content)
        if key is None:
            raise UsageError(
                f"key file {path}: must contain only the key, 8 to 128 of the characters a-z, A-Z, 0-9, and -"
            )
        return cls(key, content, path)


class HostKey(Struct, frozen=True):
    """The key of a host.

    Attributes:
        host: The host, with its port if that is not the default.
        location: URL of the published file.
        is_given: Whether the user gave the URL, which is then sent, too.
    """

    host: str
    file: KeyFile
    location: str
    is_given: bool

    @property
    def scope(self) -> str:
        """The path of the directory with the file, which the key is valid for."""
        return split_url(self.location).path.rpartition("/")[0] + "/"


def key_in(content: bytes) -> str | None:
    """Return the key that a key file holds; None if it holds something else. Line breaks around the key are ignored."""
    key = content.strip(b"\r\n")
    return key.decode("ascii") if KEY.fullmatch(key) else None


def authority(url: str) -> str | None:
    """Return the host of a URL as IndexNow takes it, with its port if that is not the default; None without one."""
    origin = origin_of(url)
    return None if origin is None else origin.url.partition("://")[2]


def write_key(folder: Path) -> NewKey:
    """Make a key, and write its file to a directory.

    Raises:
        UsageError: The directory does not exist, or already has a key file.
        OutputError: The file cannot be written.
    """
    if not folder.is_dir():
        raise UsageError(f"{folder}: no such directory; name the directory that is published as the root of the site")
    for path in sorted(folder.glob("*.txt")):
        if _is_key_file(path):
            raise UsageError(f"{path}: is a key file already; pass --key-file {path} to use it, or delete it first")
    import secrets

    key = secrets.token_hex(16)
    path = folder / f"{key}.txt"
    publish(path, key.encode())
    return NewKey(key, path)


def _is_key_file(path: Path) -> bool:
    """Return whether a file is named like the key that it contains."""
    try:
        return KEY.fullmatch(path.stem.encode()) is not None and KeyFile.read(path).key == path.stem
    except UsageError:
        return False


class Keys:
    """The keys that the user gave.

    Args:
        files: Values of `--key-file`.
        locations: Values of `--key-location`.

    Raises:
        UsageError: A file cannot be read, or a host has two.
    """

    def __init__(self, files: Iterable[str], locations: Iterable[str]) -> None:
        self._files: dict[str | None, KeyFile] = {}
        for file in files:
            host, sign, path = file.partition("=")
            is_named = bool(sign) and _HOST.fullmatch(host) is not None and not Path(file).exists()
            name = authority(f"https://{host}") if is_named else None
            if is_named and name is None:
                raise UsageError(f"--key-file {file}: {host} is not a host")
            if name in self._files:
                raise UsageError(f"--key-file: {name or 'all other hosts'}: give a single key file")
            self._files[name] = KeyFile.read(Path(path if is_named else file))
        self._locations: dict[str, str] = {}
        for url in locations:
            name = authority(url) or ""
            if name in self._locations:
                raise UsageError(f"--key-location: {name}: give a single URL")
            self._locations[name] = url

    def of(self, hosts: Mapping[str, str]) -> dict[str, HostKey]:
        """Return the key of each host, given hosts with one URL each.

        Raises:
            UsageError: A host has no key, or a location is on another host.
        """
        if not self._files:
            raise UsageError(
                "no IndexNow key; write one with `urlset notify key --write public/`, publish it, and pass it with "
                "--key-file"
            )
        for host, url in self._locations.items():
            if host not in hosts:
                raise UsageError(f"--key-location {mask_url(url)}: no URL to send is on this host")
        return {host: self._of(host, url) for host, url in hosts.items()}

    def _of(self, host: str, url: str) -> HostKey:
        file = self._files.get(host) or self._files.get(None)
        if file is None:
            raise UsageError(f"no IndexNow key for {host}; pass --key-file {host}=FILE")
        location = self._locations.get(host)
        default = urlunsplit((split_url(url).scheme.lower(), host, f"/{file.key}.txt", "", ""))
        return HostKey(host, file, location or default, location is not None)


def wait_until_live(
    key: HostKey, fetcher: Fetcher, seconds: float, pause: Callable[[float], None] = time.sleep
) -> str | None:
    """Wait until the key file of a host is online and has exactly the bytes of the local file.

    Returns:
        None if it is; otherwise what the last request returned, and what to do, as a message.
    """
    step, until = FIRST_PAUSE, time.monotonic() + seconds
    while (fault := _fault(key, fetcher)) is not None:
        remaining = until - time.monotonic()
        if fault.is_final or remaining <= 0:
            return fault.reason if fault.is_final else f"{fault.reason}; publish {key.file.path} there"
        pause(min(step, remaining))
        step = min(step * 2, LONGEST_PAUSE)
    return None


def _fault(key: HostKey, fetcher: Fetcher) -> KeyFileFault | None:
    content = published_key_file(key.location, fetcher, reuse=Reuse.NONE)
    if isinstance(content, KeyFileFault):
        return content
    if content == key.file.content:
        return None
    what = "it is a page (HTML or XML), and its bytes" if content.lstrip().startswith(b"<") else "its bytes"
    return KeyFileFault(KeyFileProblem.OTHER_KEY, f"{what} differ from those of {key.file.path}")


def published_key_file(
    location: str, fetcher: Fetcher, via: Origin | None = None, reuse: Reuse = Reuse.RUN
) -> bytes | KeyFileFault:
    """Fetch a published key file.

    Args:
        via: The origin of the document that names it; None if the user did.
        reuse: Which earlier replies may be used. A copy of the HTTP cache does not show that the file is online.

    Returns:
        Its bytes, at most one more than a key file can have; or why it is not usable.
    """
    answer = fetcher.get(
        location, via=via, max_bytes=MAX_OF_KEY_FILE, accept="text/plain, */*;q=0.5", retries=0, reuse=reuse
    )
    try:
        if answer.hops:
            reason = f"redirects to {answer.final_url}; the key file must be at its own URL"
            return KeyFileFault(KeyFileProblem.REDIRECTED, reason)
        if not answer.ok:
            is_final = answer.error_kind is FetchError.PRIVATE_ADDRESS
            return KeyFileFault(KeyFileProblem.UNAVAILABLE, answer.why_not, is_final)
        return read_bytes(answer.content, MAX_OF_KEY_FILE + 1)
    finally:
        answer.close()
