"""Result of asking for an address in the ways that crawlers ask."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from urlset.model.reported import ReportedReading  # noqa: TC001 - msgspec reads the annotations
from urlset.rules.rule import Severity  # noqa: TC001 - msgspec reads the annotations


class Content(StrEnum):
    """What a body looks like from its first bytes."""

    XML = "xml"
    HTML = "html"
    TEXT = "text"
    GZIP = "gzip"
    EMPTY = "empty"
    BINARY = "binary"


@dataclass(frozen=True, slots=True)
class Redirect:
    """One redirect on the way.

    Attributes:
        url: The URL that redirects.
        status: Its HTTP status code.
        sets_cookie: Whether it sets a cookie.
    """

    url: str
    status: int
    sets_cookie: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The answer to one request, after redirects.

    Attributes:
        request: The name of the request.
        about: How the request differs from the first.
        url: The URL that was requested.
        final_url: The URL that answered.
        status: The HTTP status code; None without an answer.
        error_kind: Why there is no complete answer, as in the table `documents`; None if there is one.
        error: The same as a message.
        problems: How the answer violates HTTP, although it can be read.
        redirects: The redirects that were followed.
        http_version: `1.0`, `1.1`, or `2`.
        address: The IP address that answered.
        ttfb_ms: Milliseconds from the request to the headers, without redirects.
        headers: Headers that matter for crawlers, by lower-case name.
        content: What the body looks like.
        wire_bytes: Bytes of the body as received.
        bytes: Bytes of the body after decoding.
        is_whole: Whether the whole body was read.
        sha256: Digest of the first 64 KiB after decoding.
        whole_sha256: Digest of the whole body after decoding Content-Encoding, as in the table `documents`; None if
            not all of it was read.
    """

    request: str
    about: str
    url: str
    final_url: str
    status: int | None = None
    error_kind: str | None = None
    error: str | None = None
    problems: tuple[str, ...] = ()
    redirects: tuple[Redirect, ...] = ()
    http_version: str | None = None
    address: str | None = None
    ttfb_ms: float | None = None
    headers: dict[str, str] = field(default_factory=dict)
    content: Content | None = None
    wire_bytes: int = 0
    bytes: int = 0
    is_whole: bool = False
    sha256: str | None = None
    whole_sha256: str | None = None

    @property
    def is_read(self) -> bool:
        """Whether it is a successful and complete answer, as far as it was read."""
        return self.status is not None and 200 <= self.status < 300 and self.error_kind is None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientFinding:
    """Something that stops crawlers from reading the address, or may.

    Attributes:
        cause: Name of the cause, from the list in `docs/how-to/couldnt-fetch.md`.
        severity: error if a crawler cannot read the address, warning if it may fail, info otherwise.
        title: What is wrong.
        evidence: What was seen.
        fix: What to do.
        requests: Names of the requests that show it.
        source: The documentation that it is based on; None if it is plain HTTP.
    """

    cause: str
    severity: Severity
    title: str
    evidence: str
    fix: str
    requests: tuple[str, ...]
    source: str | None = None


@dataclass(frozen=True, slots=True)
class NotTried:
    """A request that was not sent, and why.

    Attributes:
        request: Its name.
        reason: Why, as a phrase.
    """

    request: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientCheck:
    """What an address answers to crawlers.

    Attributes:
        url: The address.
        found_by: How the address was found if only the site was given, such as `robots.txt`; None if it was given.
        status: pass without errors and warnings, warn with warnings, fail with errors.
        findings: What was found, the most likely cause first.
        answers: The answer to every request, in the order of the requests.
        not_tried: Requests that were not sent.
        unknown: What cannot be known from outside of a search engine.
        readings: What search engines say about the address, if there are credentials.
    """

    url: str
    found_by: str | None
    status: Literal["pass", "warn", "fail"]
    findings: tuple[ClientFinding, ...]
    answers: tuple[Answer, ...]
    not_tried: tuple[NotTried, ...]
    unknown: tuple[str, ...]
    readings: tuple[ReportedReading, ...] = ()

    def answer(self, request: str) -> Answer | None:
        """Return the answer to a request by its name; None if it was not sent."""
        return next((answer for answer in self.answers if answer.request == request), None)
