"""The HTTP client of a run: every outcome is an `Answer`, none an exception."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from types import MappingProxyType
from typing import TYPE_CHECKING, Self

import aiohttp

from urlset.fetch.address import Address, address_of, masked, redirected
from urlset.fetch.answer import Answer, Hop, Trouble
from urlset.fetch.body import Body
from urlset.fetch.politeness import Politeness, Timing
from urlset.fetch.troubles import diagnose, diagnose_body, is_lasting_dns

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from types import TracebackType
    from typing import IO

    from urlset.config import FetchOptions

ACCEPT = "application/xml, text/xml, text/plain, application/rss+xml, application/atom+xml, application/gzip, */*;q=0.5"
REDIRECTS = frozenset({301, 302, 303, 307, 308})
PASSING_STATUSES = frozenset({408, 429, 502, 503, 504})
"""Statuses that a second request may not meet again."""
PASSING_TROUBLES = frozenset({Trouble.RESET, Trouble.CONNECT_TIMEOUT, Trouble.READ_TIMEOUT, Trouble.CUT_OFF})
ERROR_BODY = 64 * 1024
"""Bytes kept of the body of an answer that is not 2xx: enough to see what it is."""


@dataclass(slots=True)
class Reply:
    """What one request brought."""

    status: int | None = None
    phrase: str = ""
    headers: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    content: bytes | IO[bytes] | None = None
    wire_bytes: int = 0
    trouble: Trouble | None = None
    reason: str | None = None
    is_passing: bool = False
    """Whether it may go better the next time."""

    def close(self) -> None:
        """Drops the body."""
        if not isinstance(self.content, bytes | None):
            self.content.close()


@dataclass(frozen=True, slots=True)
class Want:
    """What is asked for, the same for every hop and every attempt."""

    method: str
    accept: str
    bound: int
    retries: int
    deadline: float


class Client:
    """Fetches URLs: one for a whole run, so that connections are used again and each host is asked politely.

    Args:
        options: How to fetch.
        trusted_hosts: Hosts that the user named, or their URLs: they alone get the user's secrets, and may be private.
        timing: The clock, for tests.
    """

    def __init__(
        self, options: FetchOptions, *, trusted_hosts: Iterable[str] = (), timing: Timing | None = None
    ) -> None:
        self._options = options
        self._trusted = frozenset(trusted_hosts)
        self._timing = timing or Timing()
        self._politeness = Politeness(options, self._timing)
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        options = self._options
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0, ssl=not options.insecure),
            timeout=aiohttp.ClientTimeout(
                total=None, connect=options.connect_timeout, sock_read=options.read_timeout, ceil_threshold=60
            ),
            headers={"User-Agent": options.user_agent},
            cookie_jar=aiohttp.DummyCookieJar(),
            max_line_size=options.max_header_bytes,
            max_field_size=options.max_header_bytes,
            trust_env=True,
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def get(
        self, url: str, *, max_bytes: int | None = None, accept: str | None = None, retries: int | None = None
    ) -> Answer:
        """Fetches a URL, following redirects.

        Args:
            url: An absolute http(s) URL.
            max_bytes: Bound on the body, in bytes; that of the options unless given.
            accept: The header Accept; what sitemaps come as unless given.
            retries: How often to try again after a fault that may pass; as the options say unless given.

        Returns:
            The answer, or what kept it from coming.
        """
        return await self._ask("GET", url, max_bytes, accept, retries)

    async def head(self, url: str) -> Answer:
        """Asks for the headers alone, following redirects."""
        return await self._ask("HEAD", url, None, None, None)

    async def _ask(
        self, method: str, url: str, max_bytes: int | None, accept: str | None, retries: int | None
    ) -> Answer:
        options = self._options
        shown = masked(url)
        try:
            address = address_of(url)
        except ValueError as error:
            return Answer(
                url=shown, final_url=shown, trouble=Trouble.BAD_URL, reason=f"not a valid URL: {_sentence(error)}"
            )
        want = Want(
            method,
            accept or ACCEPT,
            options.max_bytes if max_bytes is None else max_bytes,
            options.retries if retries is None else retries,
            options.timeout,
        )
        spent = Stopwatch()
        answer = await self._follow(address, want, spent)
        return replace(answer, url=shown, elapsed_ms=spent.seconds * 1000)

    async def _follow(self, address: Address, want: Want, spent: Stopwatch) -> Answer:
        """Asks, and asks again where a redirect leads, until there is an answer."""
        hops: list[Hop] = []
        seen = {address.url}
        while True:
            reply = await self._persist(address, want, spent)
            answer = _answer(address, reply, hops)
            if reply.trouble is not None or reply.status not in REDIRECTS:
                return answer
            location = reply.headers.get("location")
            if location is None:
                return replace(answer, trouble=Trouble.BAD_REDIRECT, reason=f"HTTP {reply.status} without a Location")
            answer.close()
            try:
                there = redirected(address, location)
            except ValueError as error:
                reason = f"redirects to what is no valid URL: {_sentence(error)}"
                return replace(answer, trouble=Trouble.BAD_REDIRECT, reason=reason)
            hops.append(Hop(address.url, reply.status, masked(location)))
            if there.url in seen:
                return replace(
                    answer,
                    hops=tuple(hops),
                    trouble=Trouble.REDIRECT_LOOP,
                    reason="redirects in a circle" if there.url != address.url else "redirects to itself",
                )
            if len(hops) > self._options.max_redirects:
                return replace(
                    answer,
                    hops=tuple(hops),
                    trouble=Trouble.TOO_MANY_REDIRECTS,
                    reason=f"more than {self._options.max_redirects} redirects",
                )
            seen.add(there.url)
            address = there

    async def _persist(self, address: Address, want: Want, spent: Stopwatch) -> Reply:
        """One URL: asks again after a fault that may pass."""
        attempt = 0
        while True:
            async with self._politeness.turn(address.origin) as turn:
                with spent:
                    reply = await self._attempt(address, want, want.deadline - spent.seconds)
                turn.told(reply.status, reply.headers.get("retry-after"))
            attempt += 1
            if not reply.is_passing or attempt > want.retries or spent.seconds >= want.deadline:
                return reply
            wait = self._politeness.wait_before_retry(attempt, reply.headers.get("retry-after"))
            if wait is None:
                return reply
            reply.close()
            await self._timing.sleep(wait)

    async def _attempt(self, address: Address, want: Want, seconds: float) -> Reply:
        """One request."""
        try:
            async with asyncio.timeout(max(seconds, 0.001)):
                return await self._exchange(address, want)
        except (aiohttp.ClientError, OSError, ValueError) as error:
            trouble, reason = diagnose(error, self._options)
            is_passing = trouble in PASSING_TROUBLES or (trouble is Trouble.DNS and not is_lasting_dns(error))
            return Reply(trouble=trouble, reason=reason, is_passing=is_passing)

    async def _exchange(self, address: Address, want: Want) -> Reply:
        assert self._session is not None, "a client is used within `async with`"
        async with self._session.request(
            want.method, address.wire, headers={"Accept": want.accept}, allow_redirects=False
        ) as response:
            reply = Reply(response.status, response.reason or "", _headers(response))
            reply.is_passing = response.status in PASSING_STATUSES
            is_success = 200 <= response.status < 300
            body = Body(want.bound if is_success else min(want.bound, ERROR_BODY))
            try:
                await body.read(response)
            except asyncio.CancelledError:
                # Time is up, or the run is over.
                body.close()
                raise
            except (aiohttp.ClientError, OSError) as error:
                reply.trouble, reply.reason = diagnose_body(error, self._options)
                reply.is_passing = reply.trouble in PASSING_TROUBLES
            reply.content, reply.wire_bytes = body.content(), body.wire_bytes
            if body.is_too_large and is_success and reply.trouble is None:
                reply.trouble = Trouble.TOO_LARGE
                reply.reason = f"longer than {want.bound:,} bytes"
            return reply


class Stopwatch:
    """Adds up the time spent inside `with`."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._began = 0.0

    def __enter__(self) -> None:
        self._began = time.perf_counter()

    def __exit__(self, *_: object) -> None:
        self.seconds += time.perf_counter() - self._began


def _headers(response: aiohttp.ClientResponse) -> Mapping[str, str]:
    headers: dict[str, str] = {}
    for name, value in response.headers.items():
        lower = name.lower()
        headers[lower] = f"{headers[lower]}, {value}" if lower in headers else value
    return MappingProxyType(headers)


def _answer(address: Address, reply: Reply, hops: list[Hop]) -> Answer:
    reason = reply.reason
    if reason is None and reply.status is not None and not 200 <= reply.status < 300:
        reason = f"answered HTTP {reply.status} {_phrase(reply)}".rstrip()
    return Answer(
        url=address.url,
        final_url=address.url,
        status=reply.status,
        trouble=reply.trouble,
        reason=reason,
        hops=tuple(hops),
        headers=reply.headers,
        content=reply.content,
        wire_bytes=reply.wire_bytes,
    )


def _phrase(reply: Reply) -> str:
    """The usual words for the status; the server's own only where there are none."""
    assert reply.status is not None
    try:
        return HTTPStatus(reply.status).phrase
    except ValueError:
        return reply.phrase[:60]


def _sentence(error: ValueError) -> str:
    return str(error).partition("\n")[0][:120]
