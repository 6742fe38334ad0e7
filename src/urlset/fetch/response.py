"""The result of a request as a value: a response, or the reason why no response came.

Whether that is a problem, the rules decide.
"""

from __future__ import annotations

from datetime import UTC, datetime
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec import Struct, field

from urlset.fetch import read_bytes
from urlset.fetch.fetched_source import FetchedSource
from urlset.net.urlparts import published_at, requested_at, without_surrogates
from urlset.web.robots_txt import Robots

if TYPE_CHECKING:
    from collections.abc import Mapping

    from urlset.sources import BinaryFile


MAX_ROBOTS_BYTES = 4 * 1024 * 1024
"""Maximum bytes of a robots.txt to read: enough to know its real size in most cases."""

REDIRECTS_OF_ROBOTS = 5
"""Redirects of a robots.txt that crawlers follow at least."""


class FetchError(StrEnum):
    """The reason why a URL could not be fetched completely."""

    BAD_URL = "bad-url"
    """The URL cannot be requested: not http(s), no host, or an invalid port."""
    PRIVATE_ADDRESS = "private-address"
    """The host has a private IP address, and the user did not name it."""
    DNS = "dns"
    """The host name cannot be resolved."""
    REFUSED = "refused"
    """Nothing listens on the port."""
    UNREACHABLE = "unreachable"
    """There is no route to the IP address."""
    PROXY = "proxy"
    """The proxy cannot be reached, or refuses the request."""
    CONNECT_TIMEOUT = "connect-timeout"
    """No connection within the connect timeout."""
    TLS = "tls"
    """The TLS handshake fails, or the certificate is invalid."""
    RESET = "reset"
    """The connection was closed before a response."""
    READ_TIMEOUT = "read-timeout"
    """The server sent no data within the read timeout."""
    TIMEOUT = "timeout"
    """The response was not complete within the timeout."""
    HEADERS_TOO_LARGE = "headers-too-large"
    """The headers of the response exceed their limit."""
    BAD_RESPONSE = "bad-response"
    """The response is not valid HTTP."""
    BAD_ENCODING = "bad-encoding"
    """The body is not in the Content-Encoding that its header declares."""
    CUT_OFF = "cut-off"
    """The connection was closed before the end of the body."""
    TOO_LARGE = "too-large"
    """The body exceeds its limit."""
    TOO_MANY_REDIRECTS = "too-many-redirects"
    """There are more redirects than the limit."""
    REDIRECT_LOOP = "redirect-loop"
    """A redirect leads back to a URL requested before."""
    OUTSIDE = "outside"
    """The audited directory does not have the site of the URL, and nothing is requested over the network."""
    UNDECIDED = "undecided"
    """A rule of the host that is not applied could answer the URL, which has no file in the audited directory."""
    UNREADABLE = "unreadable"
    """The file of the audited directory cannot be read."""
    BAD_REDIRECT = "bad-redirect"
    """A redirect has no Location, or its Location is not an http(s) URL."""


class Hop(Struct, frozen=True):
    """One redirect.

    Attributes:
        url: The URL that redirects.
        location: The Location header as written.
    """

    url: str
    status: int
    location: str


class Response(Struct, frozen=True, kw_only=True):
    """The result for one URL. User names and passwords in URLs are masked.

    Attributes:
        url: The requested URL.
        final_url: The URL after all redirects.
        status: The HTTP status code of the final URL; None without a response.
        error_kind: Why it could not be fetched completely; None if it was, whatever the status code.
        reason: What went wrong, as a message without the URL; None for a response with status 2xx.
        headers: The response headers, by lower-case name; repeated ones are joined with `, `.
        content: The body, or as much of it as was received: bytes, or a file if it is large. None without a body.
        fetched_at: When the response was received, UTC.
        elapsed_ms: How long it took, in milliseconds, without the time spent waiting for a turn.
        from_cache: Whether the body comes from the cache, and the server confirmed that it has not changed.
        wire_bytes: Size of the body as received, in bytes.
        content_encoding: The Content-Encoding that was decoded; None if nothing was decoded.
        problems: How the response, or one of the redirects, violates HTTP, as phrases; it was read all the same.
    """

    url: str
    final_url: str
    status: int | None = None
    error_kind: FetchError | None = None
    reason: str | None = None
    hops: tuple[Hop, ...] = ()
    headers: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    content: bytes | BinaryFile | None = None
    fetched_at: datetime = field(default_factory=lambda: datetime.now(UTC))
    elapsed_ms: float = 0.0
    from_cache: bool = False
    wire_bytes: int = 0
    content_encoding: str | None = None
    problems: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether there is a complete response with status 2xx."""
        return self.error_kind is None and self.is_success

    @property
    def is_success(self) -> bool:
        """Whether the status is 2xx, even if the body is incomplete."""
        return self.status is not None and 200 <= self.status < 300

    @property
    def has_document(self) -> bool:
        """Whether there is something to read: the body, or the part received before it was cut off or too large."""
        return self.ok or (self.is_success and self.content not in (None, b""))

    @property
    def why_not(self) -> str:
        """The reason why there is nothing to read, as a message."""
        where = f" at {self.final_url}" if self.hops and self.error_kind is None else ""
        return f"{self.reason}{where}"

    def robots(self, url: str) -> Robots:
        """Return the robots.txt that this response is, when requested at a URL.

        One that is too large is read as far as crawlers read it. One that was cut off may lack the rule that decides,
        and counts as unreachable. Redirects that lead nowhere mean that it does not exist, as do more than five of
        them: RFC 9309, section 2.3.1.2.
        """
        leads_nowhere = self.error_kind in (FetchError.REDIRECT_LOOP, FetchError.BAD_REDIRECT) or (
            self.error_kind is FetchError.TOO_MANY_REDIRECTS and len(self.hops) > REDIRECTS_OF_ROBOTS
        )
        counts = leads_nowhere or self.error_kind in (None, FetchError.TOO_LARGE)
        status, content = self.status if counts else None, read_bytes(self.content, MAX_ROBOTS_BYTES)
        return Robots.of_answer(status, content, url, self.reason or "the response is incomplete")

    def close(self) -> None:
        """Close the file of a large body."""
        close = getattr(self.content, "close", None)
        if close is not None:
            close()

    def as_fetched(self) -> FetchedSource:
        """Return the body for reading, with the facts of the fetch as columns of `tables.DOCUMENTS`."""
        targets = [hop.url for hop in self.hops][1:]
        facts: dict[str, object] = {
            **published_at(self.final_url),
            **requested_at(self.url),
            "http_status": self.status,
            "redirects": [*targets, self.final_url] if self.hops else [],
            "redirect_statuses": [hop.status for hop in self.hops],
            "http_problems": list(self.problems) or None,
            "content_type": self.headers.get("content-type"),
            "etag": self.headers.get("etag"),
            "last_modified": self.headers.get("last-modified"),
            "wire_bytes": self.wire_bytes,
            "content_encoding": self.content_encoding,
            "error_kind": self.error_kind,
            "error": None if self.ok or self.error_kind is FetchError.TOO_LARGE else self.reason,
        }
        content = b"" if self.content is None else self.content
        size = len(content) if isinstance(content, bytes) else self.wire_bytes
        return FetchedSource(content, facts, self.fetched_at, is_ours=True, elapsed_ms=self.elapsed_ms, size=size)


def portable_headers(headers: Mapping[str, str]) -> Mapping[str, str]:
    """Return headers that tables and reports can hold: in aiohttp, bytes that are not UTF-8 are lone surrogates."""
    if all(value.isascii() for value in headers.values()):
        return headers
    return MappingProxyType({name: without_surrogates(value) for name, value in headers.items()})
