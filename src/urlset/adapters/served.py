"""Code that the WSGI and ASGI applications share: find the document for a request, and the response headers."""

from __future__ import annotations

import re
from collections.abc import AsyncIterable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime
from http import HTTPStatus
from typing import TYPE_CHECKING, TypeAlias, TypeVar
from zlib import compressobj

from urlset.build.options import BaseUrl
from urlset.build.stream import index_document
from urlset.errors import UsageError
from urlset.options.merge import merge
from urlset.options.writing import MAX_ENTRIES, WriteOptions

if TYPE_CHECKING:
    from urlset.build.writer import OneEntry
    from urlset.options.fields import WriteFields

# Not a union of functions with and without a range, for which mypy could not infer the type of a lambda.
Entries: TypeAlias = "Sequence[OneEntry] | Callable[..., Iterable[OneEntry] | AsyncIterable[OneEntry]]"

T = TypeVar("T")

GZIP_WINDOW = 31
"""Window bits that select gzip format in zlib."""


@dataclass(frozen=True, slots=True)
class Request:
    """The relevant parts of a request.

    Attributes:
        path: Path of the URL, relative to the mount point of the application.
        headers: Its headers, by lower-case name.
    """

    method: str
    path: str
    headers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ServedResponse:
    """A response.

    Attributes:
        content: The complete body; None if it is generated from `entries`.
        entries: The entries to generate the body from.
        is_gzip: Whether to compress the body.
    """

    status: HTTPStatus
    headers: list[tuple[str, str]]
    content: bytes | None = b""
    entries: Iterable[OneEntry] | AsyncIterable[OneEntry] = ()
    is_gzip: bool = False


class Served:
    """The documents of an application: a sitemap, or an index and its parts.

    Args:
        entries: A sequence of entries, or a function that returns them for each request. With `count`, the function
            takes the start and end of a range of entries, the end exclusive.
        base_url: The URL of the application, with scheme and host.
        count: The number of entries, or a function that returns it; if it exceeds `per_part`, an index is served.
        per_part: Number of entries per part.
        last_modified: When the entries were last modified, or a function that returns it.
        etag: A tag of the current state of the entries, or a function that returns it.
        headers: Further headers for every response.
        options: See `urlset.options.WriteOptions`.

    Raises:
        UsageError: An argument is invalid.
    """

    def __init__(
        self,
        entries: Entries,
        base_url: str,
        *,
        count: int | Callable[[], int] | None = None,
        per_part: int = MAX_ENTRIES,
        last_modified: datetime | Callable[[], datetime | None] | None = None,
        etag: str | Callable[[], str | None] | None = None,
        headers: Mapping[str, str] | None = None,
        options: WriteFields | None = None,
    ) -> None:
        self._options = merge(WriteOptions, None, options or {})
        self.stream_options: WriteFields = {**(options or {})}
        self.base = BaseUrl.of(base_url)
        if not 1 <= per_part <= self._options.max_entries:
            raise UsageError(f"per_part must be an integer from 1 to {self._options.max_entries:,}, not {per_part!r}")
        if not callable(entries) and not isinstance(entries, Sequence):
            raise UsageError(
                f"entries must be a list, or a function that returns them for each request, not "
                f"{type(entries).__name__}"
            )
        self._entries = entries
        self._count = count
        self._per_part = per_part
        self._last_modified = last_modified
        self._etag = etag
        self._headers = dict(headers or {})
        self._path = re.compile(rf"(?:^|/){re.escape(self._options.name)}(?:-([1-9][0-9]{{0,6}}))?\.xml\Z")

    def response(self, request: Request) -> ServedResponse:
        match = self._path.search(request.path)
        if match is None:
            return _plain_response(HTTPStatus.NOT_FOUND)
        if request.method not in ("GET", "HEAD"):
            return _plain_response(HTTPStatus.METHOD_NOT_ALLOWED, ("Allow", "GET, HEAD"))
        parts = self._parts()
        number = int(match[1]) if match[1] else None
        if number is not None and (parts is None or parts == 1 or number > parts):
            return _plain_response(HTTPStatus.NOT_FOUND)
        modified = _value_of(self._last_modified)
        headers = self._validators(modified)
        if _is_unchanged(request, dict(headers)):
            return ServedResponse(HTTPStatus.NOT_MODIFIED, headers)
        is_gzip = accepts_gzip(request.headers.get("accept-encoding", ""))
        headers.insert(0, ("Content-Type", "application/xml; charset=utf-8"))
        if is_gzip:
            headers.append(("Content-Encoding", "gzip"))
        if request.method == "HEAD":
            return ServedResponse(HTTPStatus.OK, headers)
        if parts is not None and parts > 1 and number is None:
            names = (f"{self._options.name}-{part}.xml" for part in range(1, parts + 1))
            index = index_document([(self.base.url(name), modified) for name in names], **self.stream_options)
            return ServedResponse(HTTPStatus.OK, headers, index, is_gzip=is_gzip)
        return ServedResponse(HTTPStatus.OK, headers, None, self._part(number or 1), is_gzip)

    def _parts(self) -> int | None:
        """Return the number of parts; None if the number of entries is unknown."""
        count = len(self._entries) if isinstance(self._entries, Sequence) else _value_of(self._count)
        return None if count is None else max(1, -(-count // self._per_part))

    def _part(self, number: int) -> Iterable[OneEntry] | AsyncIterable[OneEntry]:
        begin, end = (number - 1) * self._per_part, number * self._per_part
        if isinstance(self._entries, Sequence):
            return self._entries[begin:end]
        return self._entries() if self._count is None else self._entries(begin, end)

    def _validators(self, modified: datetime | None) -> list[tuple[str, str]]:
        headers = [("Vary", "Accept-Encoding"), *self._headers.items()]
        if modified is not None:
            at = modified if modified.tzinfo is not None else modified.replace(tzinfo=UTC)
            headers.append(("Last-Modified", format_datetime(at.astimezone(UTC), usegmt=True)))
        tag = _value_of(self._etag)
        if tag is not None:
            # A weak tag, because it is the same for the plain and the compressed body.
            headers.append(("ETag", f'W/"{tag}"'))
        return headers


def _plain_response(status: HTTPStatus, *headers: tuple[str, str]) -> ServedResponse:
    text = f"{status.value} {status.phrase}\n".encode()
    all_headers = [("Content-Type", "text/plain; charset=utf-8"), ("Content-Length", str(len(text))), *headers]
    return ServedResponse(status, all_headers, text)


def _value_of(value: T | Callable[[], T]) -> T:
    return value() if callable(value) else value


def _is_unchanged(request: Request, headers: Mapping[str, str]) -> bool:
    """Return whether the client is up to date, see https://www.rfc-editor.org/rfc/rfc9110#section-13.2.2 ."""
    tags = request.headers.get("if-none-match")
    if tags is not None:
        mine = headers.get("ETag", "").removeprefix("W/")
        theirs = {tag.strip().removeprefix("W/") for tag in tags.split(",")}
        return bool(mine) and (mine in theirs or "*" in theirs)
    since, modified = request.headers.get("if-modified-since"), headers.get("Last-Modified")
    if since is None or modified is None:
        return False
    try:
        return parsedate_to_datetime(modified) <= parsedate_to_datetime(since)
    except (ValueError, TypeError):
        # An invalid date must be ignored.
        return False


def accepts_gzip(header: str) -> bool:
    """Return whether Accept-Encoding allows gzip, see https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3 ."""
    weights: dict[str, float] = {}
    for item in header.lower().split(","):
        coding, *parameters = (part.strip() for part in item.split(";"))
        weight = 1.0
        for parameter in parameters:
            name, _, value = parameter.partition("=")
            if name.strip() == "q":
                try:
                    weight = float(value)
                except ValueError:
                    weight = 0.0
        weights[coding] = weight
    return weights.get("gzip", weights.get("x-gzip", weights.get("*", 0.0))) > 0


class Compressor:
    """Compresses chunks of bytes with gzip, if that is wanted."""

    def __init__(self, is_wanted: bool) -> None:
        self._stream = compressobj(6, wbits=GZIP_WINDOW) if is_wanted else None

    def add(self, piece: bytes) -> bytes:
        """Return the bytes to send after a chunk, which may be empty."""
        return piece if self._stream is None else self._stream.compress(piece)

    def end(self) -> bytes:
        """Return the remaining bytes."""
        return b"" if self._stream is None else self._stream.flush()
