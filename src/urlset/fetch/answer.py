"""What became of a request: an answer or a trouble, as a value. Whether it is a fault, rules say."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING

from urlset.fetch import Fetched, read_bytes
from urlset.net.urlparts import host_of, split_url
from urlset.robots import Robots

if TYPE_CHECKING:
    from collections.abc import Mapping

    from urlset.sources import BinaryFile


MOST_OF_ROBOTS = 4 * 1024 * 1024
"""Bytes of a robots.txt that are read, so that its real size can be told in most cases."""


class Trouble(StrEnum):
    """What kept a URL from being fetched whole."""

    BAD_URL = "bad-url"
    """It cannot be asked for: not http(s), no host, a port that is none."""
    PRIVATE_ADDRESS = "private-address"
    """Its host lies in a private network, and the user did not name it."""
    DNS = "dns"
    """The name of the host cannot be resolved."""
    REFUSED = "refused"
    """Nobody listens at the port."""
    UNREACHABLE = "unreachable"
    """There is no way to the address."""
    PROXY = "proxy"
    """The proxy cannot be reached, or will not."""
    CONNECT_TIMEOUT = "connect-timeout"
    """No connection within the time allowed for one."""
    TLS = "tls"
    """TLS fails, or the certificate is not to be trusted."""
    RESET = "reset"
    """The connection was closed before there was an answer."""
    READ_TIMEOUT = "read-timeout"
    """The server said nothing for too long."""
    TIMEOUT = "timeout"
    """The answer was not complete within the time allowed for all of it."""
    HEADERS_TOO_LARGE = "headers-too-large"
    """The headers of the answer go beyond their bound."""
    BAD_ANSWER = "bad-answer"
    """What came is not HTTP."""
    BAD_ENCODING = "bad-encoding"
    """The body is not in the Content-Encoding that its header says."""
    CUT_OFF = "cut-off"
    """The connection ended before the body did."""
    TOO_LARGE = "too-large"
    """The body goes beyond its bound."""
    TOO_MANY_REDIRECTS = "too-many-redirects"
    """More redirects than are followed."""
    REDIRECT_LOOP = "redirect-loop"
    """A redirect leads back to where it came from."""
    BAD_REDIRECT = "bad-redirect"
    """A redirect leads nowhere: no Location, or one that is no http(s) URL."""


@dataclass(frozen=True, slots=True)
class Hop:
    """One redirect.

    Attributes:
        url: The URL that redirects.
        status: Its HTTP status.
        location: Where to, as the header says it.
    """

    url: str
    status: int
    location: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What became of one URL. User names and passwords in URLs are masked.

    Attributes:
        url: The URL that was asked for.
        final_url: The URL at the end of the redirects; the same without any.
        status: The HTTP status there; None if there was no answer.
        trouble: What kept it from being fetched whole; None if nothing did, whatever the status.
        reason: What went wrong, in a sentence for a person, without the URL; None for an answer with status 2xx.
        hops: The redirects followed.
        headers: The headers of the answer, by name in lower case; values of repeated ones joined by `, `.
        content: The body, or as much of it as came: bytes, or a file if it is large. None if there was none.
        fetched_at: When the answer had come, UTC.
        elapsed_ms: How long it took, in milliseconds, without the time spent waiting for one's turn.
        from_cache: Whether the body is the one kept from an earlier run, which the server said is still good.
        wire_bytes: Size of the body as received, in bytes.
        content_encoding: What Content-Encoding was undone; None if none was.
    """

    url: str
    final_url: str
    status: int | None = None
    trouble: Trouble | None = None
    reason: str | None = None
    hops: tuple[Hop, ...] = ()
    headers: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    content: bytes | BinaryFile | None = None
    fetched_at: datetime = field(default_factory=lambda: datetime.now(UTC))
    elapsed_ms: float = 0.0
    from_cache: bool = False
    wire_bytes: int = 0
    content_encoding: str | None = None

    @property
    def ok(self) -> bool:
        """Whether there is a whole answer with status 2xx."""
        return self.trouble is None and self.is_success

    @property
    def is_success(self) -> bool:
        """Whether the status is 2xx, whatever became of the body."""
        return self.status is not None and 200 <= self.status < 300

    @property
    def has_document(self) -> bool:
        """Whether there is something to read: all of it, or as much as came before it broke off or became too large."""
        return self.ok or (self.is_success and self.content not in (None, b""))

    @property
    def why_not(self) -> str:
        """Why there is nothing to read, in a sentence for a person."""
        where = f" at {self.final_url}" if self.hops and self.trouble is None else ""
        return f"{self.reason}{where}"

    def robots(self, url: str) -> Robots:
        """What holds if this is the answer for the robots.txt at a URL.

        One that is too large is read as far as crawlers read it; one that is cut off may lack the rule that counts.
        """
        is_whole = self.trouble in (None, Trouble.TOO_LARGE)
        return Robots.of_answer(self.status if is_whole else None, read_bytes(self.content, MOST_OF_ROBOTS), url)

    def close(self) -> None:
        """Closes the file of a large body."""
        close = getattr(self.content, "close", None)
        if close is not None:
            close()

    def as_fetched(self) -> Fetched:
        """The body to be read, with what is known of how it came as columns of `tables.DOCUMENTS`."""
        host, path = _host_and_path(self.final_url)
        targets = [hop.url for hop in self.hops][1:]
        facts: dict[str, object] = {
            "final_url": self.final_url,
            "host": host,
            "site_path": path,
            "http_status": self.status,
            "redirects": [*targets, self.final_url] if self.hops else [],
            "redirect_statuses": [hop.status for hop in self.hops],
            "content_type": self.headers.get("content-type"),
            "etag": self.headers.get("etag"),
            "last_modified": self.headers.get("last-modified"),
            "wire_bytes": self.wire_bytes,
            "content_encoding": self.content_encoding,
            "trouble": self.trouble,
            "error": None if self.ok or self.trouble is Trouble.TOO_LARGE else self.reason,
        }
        content = b"" if self.content is None else self.content
        size = len(content) if isinstance(content, bytes) else self.wire_bytes
        return Fetched(content, facts, self.fetched_at, is_ours=True, elapsed_ms=self.elapsed_ms, size=size)


def _host_and_path(url: str) -> tuple[str | None, str]:
    host = host_of(url)
    return host, "" if host is None else split_url(url).path
