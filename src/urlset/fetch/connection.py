"""Send requests over the connections of an aiohttp connector.

For each request, a session of aiohttp prepares cookies, redirects, authentication, and traces, which urlset does not
use. Without it, a request takes 60 % of the CPU time (measured).
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Self

import aiohttp
from aiohttp.http import StreamWriter
from multidict import CIMultiDict
from yarl import URL

from urlset.fetch.tolerance import TolerantHandler

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType

    from aiohttp.client_proto import ResponseHandler
    from aiohttp.connector import Connection
    from aiohttp.http import RawResponseMessage

    from urlset.fetch.request_url import Address
    from urlset.options.fetching import FetchingOptions

MAX_HEADERS = 256
"""Maximum number of headers in a response."""

WITHOUT_BODY = frozenset({"GET", "HEAD"})
"""Methods of requests without a body. They can be repeated if an idle connection turns out to be closed."""

Headers = list[tuple[str, str]]


@dataclass(slots=True)
class Incoming:
    """A response whose head was received. Leave its `with` block to release the connection.

    Attributes:
        head: Its status line and headers.
        content: Its body, which is still being received.
        writing: Whatever still sends the body of the request; None if everything was sent.
    """

    head: RawResponseMessage
    content: aiohttp.StreamReader
    connection: Connection
    protocol: ResponseHandler
    writing: aiohttp.ClientResponse | None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.writing is not None:
            self.writing.close()
        # The connector closes it if the body was not read to its end.
        self.connection.release()

    @property
    def problems(self) -> tuple[str, ...]:
        """How the response violates HTTP, as far as it was received."""
        return tuple(self.protocol.problems) if isinstance(self.protocol, TolerantHandler) else ()

    def close(self) -> None:
        """Close the connection instead of receiving the rest of the body."""
        self.connection.close()


class Connections:
    """Sends requests over the connections of a connector."""

    def __init__(self, connector: aiohttp.TCPConnector, options: FetchingOptions) -> None:
        self._connector = connector
        self._timeout = aiohttp.ClientTimeout(
            total=None, connect=options.connect_timeout, sock_read=options.read_timeout, ceil_threshold=60
        )
        self._max_header_bytes = options.max_header_bytes
        self._loop = asyncio.get_running_loop()
        # The connector identifies a server by a request, which can be the same for all requests to the server.
        self._default_peer = lru_cache(maxsize=1024)(lambda start: self._peer(URL(start, encoded=True)))

    async def close(self) -> None:
        await self._connector.close()

    async def request(
        self,
        method: str,
        address: Address,
        headers: Headers,
        *,
        body: bytes | None = None,
        proxy: URL | None = None,
        proxy_headers: Mapping[str, str] | None = None,
    ) -> Incoming:
        """Send a request, and return the response once its head was received.

        Args:
            proxy: The proxy; None to connect directly.
            proxy_headers: The headers of the request to the proxy for a tunnel.

        Raises:
            aiohttp.ClientError: There is no response.
            aiohttp.http_exceptions.HttpProcessingError: The response is invalid.
        """
        may_repeat = method in WITHOUT_BODY
        if may_repeat and proxy is None:
            peer = self._default_peer(address.start)
        else:
            peer = self._peer(address.wire, method, headers, body=body, proxy=proxy, proxy_headers=proxy_headers)
        while True:
            try:
                return await self._attempt(method, address, headers, peer)
            except aiohttp.ClientConnectorError:
                raise
            except (aiohttp.ClientOSError, aiohttp.ServerDisconnectedError):
                # The server has closed an idle connection: https://www.rfc-editor.org/rfc/rfc9112#section-9.3.1
                if not may_repeat:
                    raise
                may_repeat = False
            except aiohttp.ClientError:
                raise
            except OSError as error:
                if isinstance(error, TimeoutError) and error.errno is None:
                    raise
                raise aiohttp.ClientOSError(*error.args) from error

    def _peer(
        self,
        url: URL,
        method: str = "GET",
        headers: Headers | None = None,
        *,
        body: bytes | None = None,
        proxy: URL | None = None,
        proxy_headers: Mapping[str, str] | None = None,
    ) -> aiohttp.ClientRequest:
        return aiohttp.ClientRequest(
            method,
            url,
            headers=headers,
            data=body,
            loop=self._loop,
            proxy=proxy,
            proxy_headers=proxy_headers,
        )

    async def _attempt(self, method: str, address: Address, headers: Headers, peer: aiohttp.ClientRequest) -> Incoming:
        try:
            connection = await self._connector.connect(peer, traces=[], timeout=self._timeout)
        except TimeoutError as error:
            raise aiohttp.ConnectionTimeoutError from error
        writing = None
        try:
            protocol = connection.protocol
            assert protocol is not None
            protocol.set_response_params(
                skip_payload=method == "HEAD",
                read_until_eof=True,
                auto_decompress=False,
                read_timeout=self._timeout.sock_read,
                timeout_ceil_threshold=60,
                max_line_size=self._max_header_bytes,
                max_field_size=self._max_header_bytes,
                max_headers=MAX_HEADERS,
            )
            if method in WITHOUT_BODY:
                await self._send(method, address, headers, peer, protocol)
            else:
                writing = await peer.send(connection)
            head, content = await protocol.read()
            return Incoming(head, content, connection, protocol, writing)
        except BaseException:
            if writing is not None:
                writing.close()
            connection.close()
            raise

    async def _send(
        self,
        method: str,
        address: Address,
        headers: Headers,
        peer: aiohttp.ClientRequest,
        protocol: ResponseHandler,
    ) -> None:
        """Send a request without a body."""
        is_read_by_proxy = peer.proxy is not None and not peer.is_ssl()
        target = str(peer.url) if is_read_by_proxy else address.target
        sent = CIMultiDict([("Host", peer.url.host_port_subcomponent or ""), *headers])
        if len(hosts := sent.getall("Host")) > 1:
            # That of the user counts.
            sent["Host"] = hosts[-1]
        writer = StreamWriter(protocol, self._loop)
        await writer.write_headers(f"{method} {target} HTTP/1.1", sent)
        protocol.start_timeout()
        writer.set_eof()
