"""Send the requests of a check of clients, one at a time, and record each answer.

Unlike the client of a run, nothing is retried, cached, or decoded on the way: the answers themselves are the subject.
Credentials of the user are not sent, because crawlers have none. The address guard holds for every connection.
"""

from __future__ import annotations

import asyncio
import hashlib
import socket
import time
from typing import TYPE_CHECKING, NamedTuple, Self

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.http_exceptions import HttpProcessingError
from msgspec import structs

from urlset.errors import MissingExtraError
from urlset.fetch.address_guard import Guard, GuardedConnector, PrivateAddressError
from urlset.fetch.connection import Connections
from urlset.fetch.diagnosis import diagnose, diagnose_body
from urlset.fetch.encoding import Decoder, EncodingError
from urlset.fetch.exchange import KEEP_ALIVE, tls_of
from urlset.fetch.request_url import Address, address_of, redirect_address
from urlset.fetch.resolver import SystemResolver
from urlset.fetch.response import FetchError
from urlset.files.gunzip import MAGIC
from urlset.model.client_check import Answer, Content, NotTried, Redirect
from urlset.net.origin import is_address
from urlset.net.status import REDIRECTS
from urlset.net.urlparts import without_surrogates
from urlset.sources.sitemap_links import link_values
from urlset.text.masking import mask_url
from urlset.web.llms_txt import is_html

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import TracebackType

    from urlset.clients.requests import Group, Request
    from urlset.fetch.connection import Incoming
    from urlset.net.origin import Origin
    from urlset.net.reach import Reach
    from urlset.net.trust import Trust
    from urlset.options.verbs import ReadOptions

ACCEPT = "application/xml,text/xml,text/html;q=0.9,*/*;q=0.8"
START = 64 * 1024
"""Bytes of a body, after decoding, that are read and compared."""

REQUESTS_PER_SECOND = 1.0
"""Requests per second, unless the user chooses a rate."""

MAX_BYTES = 512 * 1024
"""Bytes, after decoding, that are kept of a body that is read whole: what Googlebot reads of a robots.txt, at least."""

MAX_REDIRECTS = 10
"""Redirects that Googlebot follows (https://developers.google.com/crawling/docs/troubleshooting/http-status-codes)."""

KEPT_HEADERS = frozenset(
    {
        "age",
        "cache-control",
        "cf-cache-status",
        "cf-mitigated",
        "content-encoding",
        "content-length",
        "content-range",
        "content-signal",
        "content-type",
        "content-usage",
        "crawler-price",
        "etag",
        "last-modified",
        "link",
        "retry-after",
        "server",
        "set-cookie",
        "tdm-reservation",
        "vary",
        "via",
        "www-authenticate",
        "x-amzn-waf-action",
        "x-cache",
        "x-datadome",
        "x-robots-tag",
    }
)
"""Headers that an answer keeps: those that the causes look at."""
LISTS = frozenset({"cache-control", "content-signal", "content-usage", "link", "vary", "via", "x-robots-tag"})
"""Headers whose repeated lines are one list: RFC 9110, section 5.3. Of the others, the last line counts."""

LONGEST_HEADER = 500

AnswerFields = dict[str, object]
Resolver = AbstractResolver


class Observed(NamedTuple):
    """An answer, what its request is compared for, and the start of its body after decoding."""

    answer: Answer
    group: Group
    start: bytes


class OneFamily(AbstractResolver):
    """Resolves names to addresses of one version of IP."""

    def __init__(self, resolver: AbstractResolver, family: int) -> None:
        self._resolver = resolver
        self._family = family

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Return the addresses of a name.

        Raises:
            OSError: It has none of this version.
        """
        addresses = await self._resolver.resolve(host, port, family)
        if not (fitting := [result for result in addresses if self._family in (socket.AF_UNSPEC, result["family"])]):
            raise OSError("the name has no address of this version of IP")
        return fitting

    async def close(self) -> None:
        """Do nothing: the resolver belongs to someone else."""


class Sender:
    """Sends requests. Use it as an asynchronous context manager.

    Args:
        resolver: The DNS resolver; by default that of the system.
        clock: Returns seconds, for the time to the first byte.
    """

    def __init__(
        self,
        options: ReadOptions,
        trust: Trust,
        resolver: AbstractResolver | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._options = options
        self._trust = trust
        self._pause = 1 / (options.rate or REQUESTS_PER_SECOND)
        self._resolver = resolver or SystemResolver()
        self._clock = clock
        self._tls = tls_of(options)
        self._connections: dict[tuple[int, Reach], Connections] = {}
        self._has_sent = False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for connections in self._connections.values():
            await connections.close()
        await self._resolver.close()

    async def send(
        self, request: Request, url: str, first: Answer | None, via: Origin | None = None
    ) -> Observed | NotTried:
        """Send one request, following redirects as a crawler does.

        Args:
            url: The address of the check.
            first: The answer to the first request, which conditions refer to.
            via: The origin of the document that names the URL of the request; None if the user did.
        """
        if request.name == "same-version":
            request = _conditional(request, first)
            if not request.headers:
                return NotTried(request.name, "the first answer has no ETag and no Last-Modified")
        target = request.url or url
        redirects: list[Redirect] = []
        recorded: AnswerFields = {"headers": {}}
        try:
            address = address_of(target)
        except ValueError as error:
            # The document that names the URL can name anything.
            recorded |= _failure(FetchError.BAD_URL, f"not a valid URL: {error}")
            return Observed(_answer(request, target, target, redirects, recorded), request.group, b"")
        while len(redirects) <= MAX_REDIRECTS:
            reply = await self._ask(request, address, via)
            if isinstance(reply, NotTried):
                return reply
            recorded, location = reply
            if location is None:
                break
            try:
                there = redirect_address(address, location)
            except ValueError as error:
                recorded |= _failure(FetchError.BAD_REDIRECT, f"redirects to an invalid URL: {error}")
                break
            headers: Mapping[str, str] = recorded["headers"]  # type: ignore[assignment]
            status: int = recorded["status"]  # type: ignore[assignment]
            redirects.append(Redirect(mask_url(address.url), status, "set-cookie" in headers))
            if there.url in {redirect.url for redirect in redirects}:
                recorded |= _failure(FetchError.REDIRECT_LOOP, "redirects in a loop")
                break
            address, via = there, address.origin
        else:
            recorded |= _failure(FetchError.TOO_MANY_REDIRECTS, f"more than {MAX_REDIRECTS} redirects")
        start = recorded.pop("start", b"")
        assert isinstance(start, bytes)
        answer = _answer(request, target, address.url, redirects, recorded)
        return Observed(answer, request.group, start)

    async def _ask(
        self, request: Request, address: Address, via: Origin | None
    ) -> tuple[AnswerFields, str | None] | NotTried:
        """Send one request; return what is recorded of its answer, and where it redirects."""
        if self._has_sent:
            await asyncio.sleep(self._pause)
        self._has_sent = True
        headers = {
            "User-Agent": self._options.user_agent,
            "Accept": ACCEPT,
            "Accept-Encoding": "gzip",
            **request.headers,
        }
        try:
            async with asyncio.timeout(self._options.timeout):
                limit = self._trust.limit(address.origin, via)
                guard = Guard(self._trust, limit, OneFamily(self._resolver, request.family))
                guard.check(address.origin.host)
                if request.is_http2:
                    from urlset.clients.http2 import ask

                    # A context of its own, since the protocols that it offers are part of it.
                    return await ask(address, headers, guard, tls_of(self._options), self._clock, START)
                if (other := await self._without_family(request, address, guard)) is not None:
                    return other
                started = self._clock()
                incoming = await self._via(request.family, limit, guard).request(
                    request.method, address, list(headers.items())
                )
                with incoming:
                    ttfb = (self._clock() - started) * 1000
                    return await self._record(request, incoming, ttfb)
        except MissingExtraError as error:
            return NotTried(request.name, str(error))
        except (aiohttp.ClientError, HttpProcessingError, OSError, ValueError) as error:
            return {"headers": {}, **_failure(*diagnose(error, self._options))}, None

    async def _without_family(self, request: Request, address: Address, guard: Guard) -> NotTried | None:
        """Return why a version of IP cannot be used; None if it can."""
        if request.family == socket.AF_UNSPEC:
            return None
        version = "IPv6" if request.family == socket.AF_INET6 else "IPv4"
        host = address.origin.host
        if is_address(host) and (":" in host) != (request.family == socket.AF_INET6):
            return NotTried(request.name, f"the host is not an {version} address")
        try:
            await guard.resolve(host, 0, socket.AF_UNSPEC)
        except PrivateAddressError:
            raise
        except OSError:
            return NotTried(request.name, f"the host has no {version} address, or this machine cannot use it")
        return None

    def _via(self, family: int, limit: Reach, guard: Guard) -> Connections:
        if (connections := self._connections.get((family, limit))) is None:
            connector = GuardedConnector(guard, self._trust, ssl=self._tls, keepalive_timeout=KEEP_ALIVE)
            connections = self._connections[family, limit] = Connections(connector, self._options)
        return connections

    async def _record(self, request: Request, incoming: Incoming, ttfb: float) -> tuple[AnswerFields, str | None]:
        head = incoming.head
        headers: dict[str, str] = {}
        for name, value in head.headers.items():
            name = name.lower()
            before = headers.get(name) if name in LISTS else None
            # What names no crawler goes first, since a directive belongs to the crawler named before it.
            is_first = name == "x-robots-tag" and ":" not in value
            headers[name] = value if before is None else f"{value}, {before}" if is_first else f"{before}, {value}"
        transport = incoming.connection.transport
        peer = transport.get_extra_info("peername") if transport is not None else None
        recorded = fields_of_head(head.code, headers, f"{head.version.major}.{head.version.minor}", ttfb)
        recorded["address"] = str(peer[0]) if peer else None
        location = headers.get("location") if head.code in REDIRECTS else None
        if location is None and request.method != "HEAD":
            body = BodyRecord(headers.get("content-encoding"), self._max_bytes(request), is_part=head.code == 206)
            try:
                async for piece in incoming.content.iter_any():
                    if not body.add(piece):
                        break
                else:
                    body.is_whole = True
            except (aiohttp.ClientError, OSError, EncodingError) as error:
                recorded |= _failure(*diagnose_body(error, self._options))
            recorded |= body.fields()
        recorded["problems"] = incoming.problems
        if not recorded.get("is_whole"):
            incoming.close()
        return recorded, location

    def _max_bytes(self, request: Request) -> int:
        return self._options.max_document_bytes if request.reads_all else START


class BodyRecord:
    """Records facts of a body while it is received.

    Args:
        encoding: The Content-Encoding.
        max_bytes: Bytes after decoding at which reading ends.
        is_part: Whether the server sends only a part, so that the encoding may end early.
    """

    def __init__(self, encoding: str | None, max_bytes: int, *, is_part: bool = False) -> None:
        self._decoder = Decoder(encoding, max(max_bytes, START))
        self._max_bytes = max_bytes
        self._is_part = is_part
        self._start = bytearray()
        self._digest = hashlib.sha256()
        self._wire = self._bytes = 0
        self.is_whole = False

    def add(self, piece: bytes) -> bool:
        """Take received bytes; return whether more are wanted.

        Raises:
            EncodingError: They are not in the declared encoding.
        """
        self._wire += len(piece)
        for decoded in self._decoder.feed(piece):
            self._bytes += len(decoded)
            self._digest.update(decoded)
            if len(self._start) < MAX_BYTES:
                self._start += decoded[: MAX_BYTES - len(self._start)]
            if self._bytes > self._max_bytes:
                return False
        return True

    def fields(self) -> AnswerFields:
        """Return the fields of the answer."""
        start = bytes(self._start)
        recorded: AnswerFields = {
            "content": content_of(start),
            "wire_bytes": self._wire,
            "bytes": self._bytes,
            "is_whole": self.is_whole,
            "sha256": hashlib.sha256(start[:START]).hexdigest(),
            "whole_sha256": self._digest.hexdigest() if self.is_whole and not self._is_part else None,
            "start": start,
        }
        if self.is_whole and self._wire and not (self._is_part or self._decoder.is_complete):
            recorded |= _failure(FetchError.CUT_OFF, f"its {self._decoder.encodings} Content-Encoding is incomplete")
        return recorded


def content_of(start: bytes) -> Content:
    """Return what a body looks like from its first bytes."""
    text = start[:1024].removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    if not text:
        return Content.EMPTY
    if start.startswith(MAGIC):
        return Content.GZIP
    if is_html(start) or b"<html" in text:
        return Content.HTML
    if text.startswith((b"<", b"<\x00", b"\xff\xfe", b"\xfe\xff")):
        return Content.XML
    return Content.BINARY if b"\0" in text else Content.TEXT


def fields_of_head(status: int, headers: Mapping[str, str], version: str, ttfb: float) -> AnswerFields:
    """Return the fields of an answer that come from its head."""
    return {
        "status": status,
        "http_version": version,
        "ttfb_ms": round(ttfb, 1),
        "headers": {
            # A cookie can be a secret, and that there is one is all that counts.
            name: "(a cookie)" if name == "set-cookie" else without_surrogates(value)[:LONGEST_HEADER]
            for name, value in sorted(_of_interest(headers).items())
            if name in KEPT_HEADERS
        },
    }


def _of_interest(headers: Mapping[str, str]) -> Mapping[str, str]:
    """Return the headers with only the licenses of `Link`, which can have hundreds of other links."""
    if "link" not in headers:
        return headers
    licenses = ", ".join(f'<{target}>; rel="license"' for target, _ in link_values(headers["link"], "license"))
    others = {name: value for name, value in headers.items() if name != "link"}
    return {**others, "link": licenses} if licenses else others


def _answer(request: Request, url: str, final_url: str, redirects: list[Redirect], recorded: AnswerFields) -> Answer:
    return Answer(
        request=request.name,
        about=request.about,
        url=mask_url(url),
        final_url=mask_url(final_url),
        redirects=tuple(redirects),
        **recorded,  # type: ignore[arg-type]
    )


def _failure(kind: FetchError, reason: str) -> AnswerFields:
    return {"error_kind": kind.value, "error": reason}


def _conditional(request: Request, first: Answer | None) -> Request:
    headers = {}
    for condition, validator in (("If-None-Match", "etag"), ("If-Modified-Since", "last-modified")):
        if first is not None and validator in first.headers:
            headers[condition] = first.headers[validator]
    return structs.replace(request, headers=headers)
