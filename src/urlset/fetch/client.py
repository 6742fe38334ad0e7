"""The HTTP client of a run. Every outcome is a `Response`; network errors raise no exceptions."""

from __future__ import annotations

import time
from http import HTTPStatus
from typing import TYPE_CHECKING, Self

from msgspec.structs import replace

from urlset.fetch.folder_exchange import FolderExchange
from urlset.fetch.politeness import Politeness, Timing
from urlset.fetch.replies import KeptReply, Replies
from urlset.fetch.reply import Reply, RequestSettings, Reuse
from urlset.fetch.request_url import Address, address_of, redirect_address
from urlset.fetch.response import FetchError, Hop, Response, portable_headers
from urlset.net.status import REDIRECTS
from urlset.net.urlparts import without_surrogates
from urlset.text.masking import mask_url

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType

    from aiohttp.abc import AbstractResolver

    from urlset.fetch.exchange import Exchange
    from urlset.fetch.preview_exchange import PreviewExchange
    from urlset.net.origin import Origin
    from urlset.net.trust import Trust
    from urlset.options.verbs import ReadOptions

ACCEPT = "application/xml, text/xml, text/plain, application/rss+xml, application/atom+xml, application/gzip, */*;q=0.5"


class Client:
    """Fetches URLs. A run has one client, so that connections are reused and rate limits hold for each host.

    No request is sent twice, also after redirects, as far as the replies are small and few enough to be kept.

    Args:
        trust: Which origins get the user's credentials, and which may be private.
        resolver: The DNS resolver, for tests; by default that of the system.
    """

    def __init__(
        self,
        options: ReadOptions,
        trust: Trust,
        *,
        timing: Timing | None = None,
        resolver: AbstractResolver | None = None,
    ) -> None:
        self._options = options
        self.trust = trust
        self._exchange = _exchange(options, trust, resolver)
        self._timing = timing or Timing()
        self._politeness = Politeness(options, self._timing)
        self._replies = Replies()

    async def __aenter__(self) -> Self:
        await self._exchange.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._exchange.close()

    async def get(
        self,
        url: str,
        *,
        via: Origin | None,
        max_bytes: int | None = None,
        accept: str | None = None,
        retries: int | None = None,
        reuse: Reuse = Reuse.CACHE,
    ) -> Response:
        """Fetch a URL, following redirects.

        Args:
            url: An absolute http(s) URL.
            via: The origin of the document that links to it; None if the user or a local file named the URL.
            max_bytes: Maximum size of the body, in bytes; by default that of the options.
            accept: The Accept header; by default the types of sitemaps.
            retries: Maximum retries after a temporary failure; by default that of the options.
            reuse: Which earlier replies may answer the request.
        """
        return await self._ask("GET", url, via, accept, max_bytes=max_bytes, retries=retries, reuse=reuse)

    async def head(self, url: str, *, via: Origin | None, retries: int | None = None) -> Response:
        """Request only the headers, following redirects; `via` and `retries` as for `get`."""
        return await self._ask("HEAD", url, via, retries=retries)

    async def post(self, url: str, json: bytes, *, max_bytes: int) -> Response:
        """Send a JSON document to a URL that the user or urlset itself named, once.

        Redirects are not followed and nothing is retried, since the server may have accepted the document already.

        Args:
            url: An absolute http(s) URL.
            json: The document, as UTF-8.
            max_bytes: Maximum size of the response, in bytes.
        """
        return await self._ask("POST", url, None, "application/json", max_bytes=max_bytes, retries=0, json=json)

    async def call(
        self, method: str, url: str, *, headers: Mapping[str, str], body: bytes | None, max_bytes: int
    ) -> Response:
        """Call an API at a URL that the user or urlset itself named, once.

        The headers can be secret: redirects are not followed, nothing is cached, and nothing is retried.

        Args:
            method: GET or POST.
            url: An absolute http(s) URL.
            headers: The headers besides the usual ones, such as Authorization and Content-Type.
            max_bytes: Maximum size of the response, in bytes.
        """
        own = tuple(headers.items())
        return await self._ask(
            method, url, None, "application/json", max_bytes=max_bytes, retries=0, json=body, headers=own
        )

    async def _ask(
        self,
        method: str,
        url: str,
        via: Origin | None,
        accept: str | None = None,
        *,
        max_bytes: int | None = None,
        retries: int | None = None,
        json: bytes | None = None,
        headers: tuple[tuple[str, str], ...] | None = None,
        reuse: Reuse = Reuse.RUN,
    ) -> Response:
        options = self._options
        masked_url = mask_url(url)
        try:
            address = address_of(url)
        except ValueError as error:
            return Response(
                url=masked_url,
                final_url=masked_url,
                error_kind=FetchError.BAD_URL,
                reason=f"not a valid URL: {_sentence(error)}",
            )
        request = RequestSettings(
            method,
            accept or ACCEPT,
            options.max_document_bytes if max_bytes is None else max_bytes,
            options.retries if retries is None else retries,
            options.timeout,
            json,
            headers,
            reuse,
        )
        stopwatch = Stopwatch()
        return await self._follow(masked_url, address, via, request, stopwatch)

    async def _follow(
        self, masked_url: str, address: Address, via: Origin | None, request: RequestSettings, stopwatch: Stopwatch
    ) -> Response:
        """Send the request, and follow redirects until there is a response."""
        hops: list[Hop] = []
        problems: list[str] = []
        visited_urls = {address.url}
        while True:
            reply = await self._reply(address, via, request, stopwatch)
            problems += [problem for problem in reply.problems if problem not in problems]
            answer = _answer(masked_url, address, reply, hops, problems, stopwatch)
            if reply.error_kind is not None or reply.status not in REDIRECTS or request.is_final:
                return answer
            location = reply.headers.get("location")
            if location is None:
                return replace(
                    answer, error_kind=FetchError.BAD_REDIRECT, reason=f"HTTP {reply.status} without a Location"
                )
            answer.close()
            try:
                there = redirect_address(address, location)
            except ValueError as error:
                reason = f"redirects to an invalid URL: {_sentence(error)}"
                return replace(answer, error_kind=FetchError.BAD_REDIRECT, reason=reason)
            hops.append(Hop(address.url, reply.status, mask_url(without_surrogates(location))))
            if (folder := self.trust.folder) is not None and not folder.is_of_origin(there.url):
                # Only its host knows the response; a redirect of a page is a problem even to a page that exists.
                folder.leaves()
                return Response(url=masked_url, final_url=there.url, status=200, hops=tuple(hops))
            if there.url in visited_urls:
                return replace(
                    answer,
                    hops=tuple(hops),
                    error_kind=FetchError.REDIRECT_LOOP,
                    reason="redirects in a loop" if there.url != address.url else "redirects to itself",
                )
            if len(hops) > self._options.max_redirects:
                return replace(
                    answer,
                    hops=tuple(hops),
                    error_kind=FetchError.TOO_MANY_REDIRECTS,
                    reason=f"more than {self._options.max_redirects} redirects",
                )
            visited_urls.add(there.url)
            address, via = there, address.origin

    async def _reply(
        self, address: Address, via: Origin | None, request: RequestSettings, stopwatch: Stopwatch
    ) -> Reply:
        """Request one URL, or take its reply from earlier in the run."""
        # The files of a directory are not kept: reading them again sends no request.
        if self.trust.folder is not None or not request.takes_kept_reply:
            return await self._persist(address, via, request, stopwatch)
        key = request.method, address.url
        async with self._replies.turn(key):
            kept = self._replies.find(key, request.limit, self.trust.limit(address.origin, via))
            if kept is not None:
                stopwatch.seconds += kept.seconds
                return kept.within(request.limit)
            before = stopwatch.seconds
            reply = await self._persist(address, via, request, stopwatch)
            # A connection can narrow the limit, so that it is known only now.
            reach, seconds = self.trust.limit(address.origin, via), stopwatch.seconds - before
            self._replies.keep(key, KeptReply(reply, request.limit, reach, seconds))
            return reply

    async def _persist(
        self, address: Address, via: Origin | None, request: RequestSettings, stopwatch: Stopwatch
    ) -> Reply:
        """Request one URL, and retry after temporary failures."""
        if self.trust.folder is not None:
            # Files need no rate limits, and waiting for a turn needs an event loop.
            with stopwatch:
                return await self._exchange.ask(address, via, request, request.seconds)
        attempt = 0
        while True:
            async with self._politeness.turn(address.origin) as turn:
                with stopwatch:
                    reply = await self._exchange.ask(address, via, request, request.seconds - stopwatch.seconds)
                turn.adapt(reply.status, reply.headers.get("retry-after"))
            attempt += 1
            if not reply.is_temporary or attempt > request.retries or stopwatch.seconds >= request.seconds:
                return reply
            wait = self._politeness.wait_before_retry(attempt, reply.headers.get("retry-after"))
            if wait is None:
                return reply
            reply.close()
            await self._timing.sleep(wait)


def _exchange(
    options: ReadOptions, trust: Trust, resolver: AbstractResolver | None
) -> Exchange | FolderExchange | PreviewExchange:
    """Return what answers the requests of a run."""
    if trust.folder is not None:
        return FolderExchange(trust.folder)
    # A directory needs none of what speaks HTTP, which takes long to import.
    from urlset.fetch.exchange import Exchange

    exchange = Exchange(options, trust, resolver)
    if not trust.previews:
        return exchange
    from urlset.fetch.preview_exchange import PreviewExchange

    return PreviewExchange(exchange, trust)


class Stopwatch:
    """Measures the total time spent inside `with`."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._began = 0.0

    def __enter__(self) -> None:
        self._began = time.perf_counter()

    def __exit__(self, *_: object) -> None:
        self.seconds += time.perf_counter() - self._began


def _answer(
    masked_url: str, address: Address, reply: Reply, hops: list[Hop], problems: list[str], stopwatch: Stopwatch
) -> Response:
    reason = reply.reason
    if reason is None and reply.status is not None and not 200 <= reply.status < 300:
        reason = f"returned HTTP {reply.status} {_phrase(reply)}".rstrip()
    return Response(
        url=masked_url,
        final_url=address.url,
        status=reply.status,
        error_kind=reply.error_kind,
        reason=reason,
        hops=tuple(hops),
        headers=portable_headers(reply.headers),
        content=reply.content,
        from_cache=reply.from_cache,
        elapsed_ms=stopwatch.seconds * 1000,
        wire_bytes=reply.wire_bytes,
        content_encoding=reply.content_encoding,
        problems=tuple(problems),
    )


def _phrase(reply: Reply) -> str:
    """Return the standard phrase for the status code, or that of the server for an unknown code."""
    assert reply.status is not None
    try:
        return HTTPStatus(reply.status).phrase
    except ValueError:
        return without_surrogates(reply.phrase[:60])


def _sentence(error: ValueError) -> str:
    return str(error).partition("\n")[0][:120]
