"""Result of asking for an address in the ways that crawlers ask."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from msgspec import Struct, field

from urlset.model.fields import NonNegativeInt, about
from urlset.model.reported import ReportedReading
from urlset.rules.rule import Severity


class Content(StrEnum):
    """What a body looks like from its first bytes."""

    XML = "xml"
    HTML = "html"
    TEXT = "text"
    GZIP = "gzip"
    EMPTY = "empty"
    BINARY = "binary"


class Redirect(Struct, frozen=True):
    """One redirect on the way."""

    url: Annotated[str, about("The URL that redirects.")]
    status: Annotated[NonNegativeInt, about("Its HTTP status code.")]
    sets_cookie: Annotated[bool, about("Whether it sets a cookie.")] = False


class Answer(Struct, frozen=True, kw_only=True):
    """The answer to one request, after redirects."""

    request: Annotated[str, about("The name of the request.")]
    about: Annotated[str, about("How the request differs from the first.")]
    url: Annotated[str, about("The URL that was requested.")]
    final_url: Annotated[str, about("The URL that answered.")]
    status: Annotated[NonNegativeInt | None, about("The HTTP status code; None without an answer.")] = None
    error_kind: Annotated[
        str | None, about("Why there is no complete answer, as in the table `documents`; None if there is one.")
    ] = None
    error: Annotated[str | None, about("The same as a message.")] = None
    problems: Annotated[tuple[str, ...], about("How the answer violates HTTP, although it can be read.")] = ()
    redirects: Annotated[tuple[Redirect, ...], about("The redirects that were followed.")] = ()
    http_version: Annotated[str | None, about("`1.0`, `1.1`, or `2`.")] = None
    address: Annotated[str | None, about("The IP address that answered.")] = None
    ttfb_ms: Annotated[float | None, about("Milliseconds from the request to the headers, without redirects.")] = None
    headers: Annotated[dict[str, str], about("Headers that matter for crawlers, by lower-case name.")] = field(
        default_factory=dict
    )
    content: Annotated[Content | None, about("What the body looks like.")] = None
    wire_bytes: Annotated[int, about("Bytes of the body as received.")] = 0
    bytes: Annotated[int, about("Bytes of the body after decoding.")] = 0
    is_whole: Annotated[bool, about("Whether the whole body was read.")] = False
    sha256: Annotated[str | None, about("Digest of the first 64 KiB after decoding.")] = None
    whole_sha256: Annotated[
        str | None,
        about(
            "Digest of the whole body after decoding Content-Encoding, as in the table `documents`; None if not all "
            "of it was read."
        ),
    ] = None

    @property
    def is_read(self) -> bool:
        """Whether it is a successful and complete answer, as far as it was read."""
        return self.status is not None and 200 <= self.status < 300 and self.error_kind is None


class ClientFinding(Struct, frozen=True, kw_only=True):
    """Something that stops crawlers from reading the address, or may."""

    cause: Annotated[str, about("Name of the cause, from the list in `docs/how-to/couldnt-fetch.md`.")]
    severity: Annotated[
        Severity, about("error if a crawler cannot read the address, warning if it may fail, info otherwise.")
    ]
    title: Annotated[str, about("What is wrong.")]
    evidence: Annotated[str, about("What was seen.")]
    fix: Annotated[str, about("What to do.")]
    requests: Annotated[tuple[str, ...], about("Names of the requests that show it.")]
    source: Annotated[str | None, about("The documentation that it is based on; None if it is plain HTTP.")] = None


class NotTried(Struct, frozen=True):
    """A request that was not sent, and why."""

    request: Annotated[str, about("Its name.")]
    reason: Annotated[str, about("Why, as a phrase.")]


class ClientCheck(Struct, frozen=True, kw_only=True):
    """What an address answers to crawlers."""

    url: Annotated[str, about("The address.")]
    found_by: Annotated[
        str | None,
        about("How the address was found if only the site was given, such as `robots.txt`; None if it was given."),
    ]
    status: Annotated[
        Literal["pass", "warn", "fail"],
        about("pass without errors and warnings, warn with warnings, fail with errors."),
    ]
    findings: Annotated[tuple[ClientFinding, ...], about("What was found, the most likely cause first.")]
    answers: Annotated[tuple[Answer, ...], about("The answer to every request, in the order of the requests.")]
    not_tried: Annotated[tuple[NotTried, ...], about("Requests that were not sent.")]
    unknown: Annotated[tuple[str, ...], about("What cannot be known from outside of a search engine.")]
    readings: Annotated[
        tuple[ReportedReading, ...], about("What search engines say about the address, if there are credentials.")
    ] = ()

    def answer(self, request: str) -> Answer | None:
        """Return the answer to a request by its name; None if it was not sent."""
        return next((answer for answer in self.answers if answer.request == request), None)
