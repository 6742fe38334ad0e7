"""Send the requests of a check of clients, one at a time, and record each answer.

Unlike the client of a run, nothing is retried, cached, or decoded on the way: the answers themselves are the subject.
Credentials of the user are not sent, because crawlers have none. The address guard holds for every connection.
"""

from __future__ import annotations

import asyncio
import socket
import time
from typing import TYPE_CHECKING, NamedTuple, Self

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.http_exceptions import HttpProcessingError
from msgspec import structs

from urlset.clients.answer_record import START, AnswerFields, BodyRecord, failure_of, fields_of_head
from urlset.errors import MissingExtraError
from urlset.fetch.address_guard import Guard, GuardedConnector, PrivateAddressError
from urlset.fetch.connection import Connections
from urlset.fetch.diagnosis import diagnose, diagnose_body
from urlset.fetch.encoding import EncodingError
from urlset.fetch.exchange import KEEP_ALIVE, tls_of
from urlset.fetch.request_url import Address, address_of, redirect_address
from urlset.fetch.resolver import SystemResolver
from urlset.fetch.response import FetchError
from urlset.model.client_check import Answer, NotTried, Redirect
from urlset.net.origin import is_address
from urlset.net.status import REDIRECTS
from urlset.text.masking import mask_url

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import TracebackType

    from urlset.clients.requests import Group, Request
    from urlset.fetch.connection import Incoming
    from urlset.net.origin import Origin
    from urlset.net.reach import Reach
    from urlset.stages.session import Session

ACCEPT = "application/xml,text/xml,text/html;q=0.9,*/*;q=0.8"
REQUESTS_PER_SECOND = 1.0
"""Requests per second, unless the user chooses a rate."""

MAX_REDIRECTS = 10
"""Redirects that Googlebot follows (https://developers.google.com/crawling/docs/troubleshooting/http-status-codes)."""

LISTS = frozenset({"cache-control", "content-signal", "content-usage", "link", "vary", "via", "x-robots-tag"})
"""Headers whose repeated lines are one list: RFC 9110, section 5.3. Of the others, the last line counts."""

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
        session: Session,
        resolver: AbstractResolver | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._options = session.options
        self._trust = session.trust
        self._pause = 1 / (session.options.rate or REQUESTS_PER_SECOND)
        self._resolver = resolver or SystemResolver()
        self._clock = clock
        self._tls = tls_of(session.options)
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
            recorded |= failure_of(FetchError.BAD_URL, f"not a valid URL: {error}")
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
                recorded |= failure_of(FetchError.BAD_REDIRECT, f"redirects to an invalid URL: {error}")
                break
            headers: Mapping[str, str] = recorded["headers"]  # type: ignore[assignment]
            status: int = recorded["status"]  # type: ignore[assignment]
            redirects.append(Redirect(mask_url(address.url), status, "set-cookie" in headers))
            if there.url in {redirect.url for redirect in redirects}:
                recorded |= failure_of(FetchError.REDIRECT_LOOP, "redirects in a loop")
                break
            address, via = there, address.origin
        else:
            recorded |= failure_of(FetchError.TOO_MANY_REDIRECTS, f"more than {MAX_REDIRECTS} redirects")
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
            return {"headers": {}, **failure_of(*diagnose(error, self._options))}, None

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
                recorded |= failure_of(*diagnose_body(error, self._options))
            recorded |= body.fields()
        recorded["problems"] = incoming.problems
        if not recorded.get("is_whole"):
            incoming.close()
        return recorded, location

    def _max_bytes(self, request: Request) -> int:
        return self._options.max_document_bytes if request.reads_all else START


def _answer(request: Request, url: str, final_url: str, redirects: list[Redirect], recorded: AnswerFields) -> Answer:
    return Answer(
        request=request.name,
        about=request.about,
        url=mask_url(url),
        final_url=mask_url(final_url),
        redirects=tuple(redirects),
        **recorded,  # type: ignore[arg-type]
    )


def _conditional(request: Request, first: Answer | None) -> Request:
    headers = {}
    for condition, validator in (("If-None-Match", "etag"), ("If-Modified-Since", "last-modified")):
        if first is not None and validator in first.headers:
            headers[condition] = first.headers[validator]
    return structs.replace(request, headers=headers)
