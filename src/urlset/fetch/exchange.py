"""Send one request: through the address guard, the proxy, and the cache, with the headers that the origin may get."""

from __future__ import annotations

import asyncio
import ssl
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar

import aiohttp
from aiohttp.http_exceptions import HttpProcessingError

from urlset.errors import UsageError, reason_of
from urlset.fetch.address_guard import Guard, GuardedConnector
from urlset.fetch.body import Body, ChunkError, sha256_of
from urlset.fetch.cache import KEPT_HEADERS, Cache, CacheEntry, key_of
from urlset.fetch.connection import Connections
from urlset.fetch.diagnosis import (
    PROXY_AUTHENTICATION,
    diagnose,
    diagnose_body,
    headers_too_large,
    is_lasting_dns,
)
from urlset.fetch.encoding import EncodingError
from urlset.fetch.proxies import Proxies
from urlset.fetch.reply import ERROR_BODY, Reply, RequestSettings, Reuse
from urlset.fetch.resolver import SystemResolver
from urlset.fetch.response import FetchError
from urlset.fetch.secrets import Headers
from urlset.fetch.tolerance import TolerantConnector
from urlset.files.bounded import MAX_CERTIFICATES_BYTES, read_file
from urlset.files.user_folders import cache_folder
from urlset.net.reach import Reach
from urlset.text.sizes import limit_size

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from aiohttp.abc import AbstractResolver

    from urlset.fetch.connection import Incoming
    from urlset.fetch.request_url import Address
    from urlset.net.origin import Origin
    from urlset.net.trust import Trust
    from urlset.options.fetching import FetchingOptions

TEMPORARY_STATUSES = frozenset({408, 429, 502, 503, 504})
"""Status codes of failures that may be temporary."""
UNREACHED = frozenset({FetchError.DNS, FetchError.REFUSED, FetchError.UNREACHABLE})
"""Errors that count as errors of the proxy if there is one: only the proxy knows what lies behind it."""
KEEP_ALIVE = 10.0
"""Seconds that an idle connection stays open."""

JSON_TYPE = "application/json; charset=utf-8"
"""Content-Type of the body of a POST."""

Result = TypeVar("Result")

AT_ONCE = 256 * 1024
"""Maximum bytes of a cache entry that are read or written in the event loop; larger ones use a thread."""


class Exchange:
    """Sends requests. Call `open` first and `close` last, both in the event loop of the requests.

    Args:
        resolver: The DNS resolver; by default that of the system.

    Raises:
        UsageError: The proxy or the certificates are unusable.
    """

    def __init__(self, options: FetchingOptions, trust: Trust, resolver: AbstractResolver | None) -> None:
        self._options = options
        self._trust = trust
        self._resolver = resolver or SystemResolver()
        self._headers = Headers(options, trust)
        self._proxies = Proxies(options.proxy)
        self._tls = tls_of(options)
        # A response received without TLS checks must not count as checked in a later run.
        self._cache = Cache(options.cache_dir or cache_folder()) if options.cache and not options.insecure else None

    async def open(self) -> None:
        self._guards = {limit: Guard(self._trust, limit, self._resolver) for limit in Reach}
        # Each limit has its own connections, so that a connection to a private address is not reused for a request that
        # may not reach one.
        self._direct = {
            limit: Connections(
                GuardedConnector(guard, self._trust, ssl=self._tls, keepalive_timeout=KEEP_ALIVE), self._options
            )
            for limit, guard in self._guards.items()
        }
        # Most proxies are in a private network, so the address of a proxy is not guarded.
        self._proxy_connections = Connections(
            TolerantConnector(limit=0, resolver=self._resolver, ssl=self._tls, keepalive_timeout=KEEP_ALIVE),
            self._options,
        )

    async def close(self) -> None:
        """Close every connection, and shrink the cache to its limit."""
        for connections in (*self._direct.values(), self._proxy_connections):
            await connections.close()
        await self._resolver.close()
        if self._cache is not None:
            self._cache.close()

    async def ask(self, address: Address, via: Origin | None, request: RequestSettings, seconds: float) -> Reply:
        """Send one request, without following redirects.

        Args:
            via: The origin that led there; see `Trust.limit`.
            seconds: The time that is left.
        """
        try:
            async with asyncio.timeout(max(seconds, 0.001)):
                return await self._ask(address, via, request)
        except (aiohttp.ClientError, HttpProcessingError, OSError, ValueError) as error:
            reply = Reply()
            error_kind, reason = diagnose(error, self._options)
            if error_kind in UNREACHED and self._proxies.of(address) is not None:
                error_kind, reason = FetchError.PROXY, f"cannot reach the proxy: {reason}"
            reply.fail(error_kind, reason)
            reply.is_temporary |= reply.error_kind is FetchError.DNS and not is_lasting_dns(error)
            return reply

    async def _ask(self, address: Address, via: Origin | None, request: RequestSettings) -> Reply:
        limit = self._trust.limit(address.origin, via)
        self._guards[limit].check(address.origin.host)
        headers, has_secrets = self._headers.of(address, request.accept, request.method)
        if request.headers is not None:
            headers, has_secrets = [*headers, *request.headers], True
        is_cached = request.method == "GET" and request.reuse is Reuse.CACHE and not has_secrets
        cache = self._cache if is_cached else None
        if cache is None:
            return await self._request(address, limit, headers, request)
        key = key_of(address.url, *(f"{name}: {value}" for name, value in headers))
        entry = cache.find(key)
        if entry is not None and entry.size <= request.limit:
            reply = await self._request(address, limit, headers + entry.conditions, request)
            if reply.status != 304:
                await _keep(cache, key, address, reply)
                return reply
            content = await _in_thread_if_large(entry.size, lambda: cache.load(key, entry))
            if content is not None:
                reply.headers = MappingProxyType({**entry.headers, **reply.headers})
                reply.status, reply.phrase, reply.content, reply.from_cache = entry.status, "", content, True
                reply.wire_bytes, reply.content_encoding = entry.wire_bytes, entry.content_encoding
                return reply
        reply = await self._request(address, limit, headers, request)
        await _keep(cache, key, address, reply)
        return reply

    async def _request(
        self, address: Address, limit: Reach, headers: list[tuple[str, str]], request: RequestSettings
    ) -> Reply:
        proxy = self._proxies.of(address)
        connections = self._direct[limit] if proxy is None else self._proxy_connections
        to_proxy = {}
        if proxy is not None and proxy.authorization is not None:
            to_proxy["Proxy-Authorization"] = proxy.authorization
            if address.origin.scheme == "http":
                # Without a tunnel, the proxy reads the headers of the request itself.
                headers = [*headers, *to_proxy.items()]
        if request.json is not None and request.headers is None:
            headers = [*headers, ("Content-Type", JSON_TYPE)]
        incoming = await connections.request(
            request.method,
            address,
            headers,
            body=request.json,
            proxy=None if proxy is None else proxy.url,
            proxy_headers=to_proxy,
        )
        with incoming:
            head = incoming.head
            reply = Reply(head.code, head.reason or "", _by_name(head.headers))
            reply.is_temporary = head.code in TEMPORARY_STATUSES
            if sum(map(len, chain.from_iterable(head.raw_headers))) > self._options.max_header_bytes:
                reply.fail(FetchError.HEADERS_TOO_LARGE, headers_too_large(self._options))
                incoming.close()
            elif proxy is not None and head.code == 407:
                reply.fail(FetchError.PROXY, PROXY_AUTHENTICATION)
            else:
                await self._take_body(reply, incoming, request)
            reply.problems = incoming.problems
            return reply

    async def _take_body(self, reply: Reply, incoming: Incoming, request: RequestSettings) -> None:
        is_success = 200 <= incoming.head.code < 300
        limit = request.limit if is_success else min(request.limit, ERROR_BODY)
        try:
            body = Body(limit, reply.headers.get("content-encoding"))
        except EncodingError as error:
            reply.fail(*diagnose_body(error, self._options))
            return
        try:
            await body.read(incoming)
        except (aiohttp.ClientError, OSError, EncodingError, ChunkError) as error:
            error_kind, reason = diagnose_body(error, self._options)
            reply.fail(
                error_kind, f"{reason} after {body.wire_bytes:,} bytes" if error_kind is FetchError.CUT_OFF else reason
            )
        except asyncio.CancelledError:
            body.close()
            raise
        reply.content, reply.wire_bytes, reply.content_encoding = body.content(), body.wire_bytes, body.content_encoding
        if body.is_too_large:
            # Do not read the rest only to discard it.
            incoming.close()
            if is_success and reply.error_kind is None:
                reply.fail(FetchError.TOO_LARGE, f"body exceeds {limit_size(request.limit)}")
        elif reply.error_kind is None and not body.is_complete:
            reply.fail(
                FetchError.CUT_OFF, f"response cut off: its {body.content_encoding} Content-Encoding is incomplete"
            )


async def _keep(cache: Cache, key: str, address: Address, reply: Reply) -> None:
    """Cache the body of a response that can be requested conditionally the next time."""
    if reply.status != 200 or reply.error_kind is not None or reply.content is None:
        return
    control = {part.strip().lower() for part in reply.headers.get("cache-control", "").split(",")}
    has_validator = "etag" in reply.headers or "last-modified" in reply.headers
    if not has_validator or "no-store" in control or "*" in reply.headers.get("vary", ""):
        cache.remove(key)
        return
    content = reply.content
    size = len(content) if isinstance(content, bytes) else content.seek(0, 2)

    def store() -> None:
        headers = {name: reply.headers[name] for name in KEPT_HEADERS if name in reply.headers}
        entry = CacheEntry(
            address.url, 200, headers, size, sha256_of(content), reply.wire_bytes, reply.content_encoding
        )
        cache.store(key, entry, content)

    await _in_thread_if_large(size, store)


async def _in_thread_if_large(size: int, work: Callable[[], Result]) -> Result:
    return work() if size <= AT_ONCE else await asyncio.to_thread(work)


def _by_name(received: Mapping[str, str]) -> Mapping[str, str]:
    headers: dict[str, str] = {}
    for name, value in received.items():
        lower = name.lower()
        headers[lower] = f"{headers[lower]}, {value}" if lower in headers else value
    return MappingProxyType(headers)


def tls_of(options: FetchingOptions) -> ssl.SSLContext | bool:
    """Return how to check certificates.

    Raises:
        UsageError: The file of certificates is unusable.
    """
    if options.insecure:
        return False
    if options.ca_bundle is None:
        return True
    try:
        # Some certificate files have comments that are not ASCII.
        pem = read_file(options.ca_bundle, MAX_CERTIFICATES_BYTES).decode("ascii", "ignore")
        if not pem.strip():
            raise ssl.SSLError("an empty file")
        return ssl.create_default_context(cadata=pem)
    except (ssl.SSLError, ValueError):
        raise UsageError(f"{options.ca_bundle}: no PEM certificates found") from None
    except OSError as error:
        raise UsageError(f"{options.ca_bundle}: cannot be read: {reason_of(error)}") from None
