"""The address guard: links of public documents cannot make urlset connect to a private network.

Host names are judged by the IP addresses that they resolve to, and urlset connects to exactly those addresses. A DNS
response that changes in between has no effect.
"""

from __future__ import annotations

import socket
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult

from urlset.fetch.tolerance import TolerantConnector
from urlset.net.origin import is_address, is_localhost
from urlset.net.reach import Reach, reach_of

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Sequence

    from aiohttp.client_proto import ResponseHandler

    from urlset.net.trust import Trust


class PrivateAddressError(OSError):
    """A host is on a private network, which is not allowed. The text is a message about it."""


class Guard(AbstractResolver):
    """Resolves host names, and leaves out addresses that are nearer than a limit.

    If a name has addresses of several kinds, only the farthest count.

    Args:
        trust: Which origins the user trusts, and how near each host was found to be.
        limit: How near the addresses may be.
    """

    def __init__(self, trust: Trust, limit: Reach, resolver: AbstractResolver) -> None:
        self._trust = trust
        self.limit = limit
        self._resolver = resolver
        self._reach_of = lru_cache(maxsize=1024)(reach_of)

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """Return the addresses of a name to which urlset may connect.

        Raises:
            PrivateAddressError: It has no such address.
            OSError: The name cannot be resolved.
        """
        addresses = await self._resolver.resolve(host, port, family)
        if self._trust.allow_private:
            return addresses
        farthest = self._admit([result["host"] for result in addresses])
        return [result for result in addresses if self._reach_of(result["host"]) <= farthest]

    def check(self, host: str) -> None:
        """Check a host that is an IP address or `localhost`.

        Raises:
            PrivateAddressError: urlset may not connect to it.
        """
        if is_localhost(host):
            self._admit(["127.0.0.1"])
        elif is_address(host):
            self._admit([host])

    def check_again(self, host: str, addresses: Sequence[str]) -> Reach:
        """Return how near the addresses of a host are, unless it was found to be farther since it was resolved.

        Raises:
            PrivateAddressError: It was.
        """
        address = min(addresses, key=self._reach_of)
        reach = self._reach_of(address)
        if self._trust.is_narrowed(host, reach):
            raise self._refusal(reach, address)
        return reach

    async def close(self) -> None:
        await self._resolver.close()

    def _admit(self, addresses: Sequence[str]) -> Reach:
        """Return the farthest reach among some addresses, if it is within the limit."""
        if not addresses:
            raise OSError("the name has no address")
        address = min(addresses, key=self._reach_of)
        reach = self._reach_of(address)
        if reach > self.limit:
            raise self._refusal(reach, address)
        return reach

    def _refusal(self, reach: Reach, address: str) -> PrivateAddressError:
        kind = "link-local or cloud metadata" if reach is Reach.LINK else "private"
        return PrivateAddressError(f"the host has a {kind} IP address ({address}); {self._trust.way_out}")


class GuardedConnector(TolerantConnector):
    """Connects where the guard allows it, and records in the trust how near each connected host is.

    Args:
        keepalive_timeout: Seconds that an idle connection stays open.
    """

    def __init__(self, guard: Guard, trust: Trust, *, ssl: object, keepalive_timeout: float) -> None:
        # Where a host may be private, resolve its name for each connection: an address that was never connected to must
        # not decide anything.
        is_cached = guard.limit is Reach.PUBLIC
        super().__init__(limit=0, resolver=guard, ssl=ssl, keepalive_timeout=keepalive_timeout, use_dns_cache=is_cached)
        self._guard = guard
        self._trust = trust

    async def _wrap_create_connection(
        self, *args: Any, addr_infos: list[Any], req: aiohttp.ClientRequest, **kwargs: Any
    ) -> tuple[asyncio.Transport, ResponseHandler]:
        """Connect to one of the addresses. Another connection may have narrowed the host since they were resolved."""
        host = req.url.raw_host or ""
        addresses = [str(info[4][0]) for info in addr_infos]
        reach = self._guard.check_again(host, addresses)
        try:
            transport, protocol = await super()._wrap_create_connection(*args, addr_infos=addr_infos, req=req, **kwargs)
        except aiohttp.ClientSSLError:
            # The host responded, but not with valid TLS.
            self._trust.record_connection(host, reach)
            raise
        try:
            reach = self._guard.check_again(host, [transport.get_extra_info("peername")[0]])
        except PrivateAddressError:
            transport.abort()
            raise
        self._trust.record_connection(host, reach)
        return transport, protocol
