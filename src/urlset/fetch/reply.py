"""A request and its result, whether a server or a directory of pages answers."""

from __future__ import annotations

from enum import Enum
from types import MappingProxyType
from typing import IO, TYPE_CHECKING

from msgspec import Struct, field

from urlset.fetch.response import FetchError

if TYPE_CHECKING:
    from collections.abc import Mapping

TEMPORARY_ERRORS = frozenset(
    {FetchError.RESET, FetchError.CONNECT_TIMEOUT, FetchError.READ_TIMEOUT, FetchError.CUT_OFF}
)
ERROR_BODY = 64 * 1024
"""Maximum bytes kept of the body of a response that is not 2xx: enough to see what it is."""


class Reuse(Enum):
    """Which earlier replies may answer a request."""

    CACHE = "cache"
    """Those of the run, and those in the HTTP cache that the server confirms: for robots.txt and sitemaps."""
    RUN = "run"
    """Those of the run: for what the run keeps in its store, and for what must be online now."""
    NONE = "none"
    """None: for a file that is requested until it is online."""


class RequestSettings(Struct, frozen=True):
    """The request; the same for every redirect and every attempt.

    Attributes:
        method: GET, HEAD, or POST.
        limit: Maximum size of the body, in bytes.
        seconds: Time limit for everything together.
        json: The JSON document to send as the body of a POST; None without a body.
        headers: The headers of a call of an API, which may be secret and name the type of the body; None for others.
        reuse: Which earlier replies may answer it.
    """

    method: str
    accept: str
    limit: int
    retries: int
    seconds: float
    json: bytes | None = None
    headers: tuple[tuple[str, str], ...] | None = None
    reuse: Reuse = Reuse.CACHE

    @property
    def is_final(self) -> bool:
        """Whether redirects are not followed, since the server may have acted already, or would get secrets."""
        return self.method == "POST" or self.headers is not None

    @property
    def takes_kept_reply(self) -> bool:
        """Whether an earlier reply of the run may answer it."""
        return not self.is_final and self.reuse is not Reuse.NONE


class Reply(Struct):
    """The result of one request.

    Attributes:
        status: The HTTP status code; None without a response.
        phrase: The reason phrase after the status code.
        headers: The headers, by lower-case name.
        content: The body, or as much of it as was received.
        content_encoding: The Content-Encoding that was decoded.
        problems: How the response violates HTTP, as phrases.
        error_kind: Why the response is missing or incomplete.
        reason: What went wrong, as a message.
        is_temporary: Whether a retry may succeed.
        from_cache: Whether the body comes from an earlier run.
    """

    status: int | None = None
    phrase: str = ""
    headers: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    content: bytes | IO[bytes] | None = None
    wire_bytes: int = 0
    content_encoding: str | None = None
    problems: tuple[str, ...] = ()
    error_kind: FetchError | None = None
    reason: str | None = None
    is_temporary: bool = False
    from_cache: bool = False

    def fail(self, error_kind: FetchError, reason: str) -> None:
        self.error_kind, self.reason = error_kind, reason
        self.is_temporary = error_kind in TEMPORARY_ERRORS

    def close(self) -> None:
        if not isinstance(self.content, bytes | None):
            self.content.close()
