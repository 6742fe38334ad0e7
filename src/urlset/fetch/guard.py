"""The address guard: what strangers link to is not connected to when it lies in a private network.

Names are judged by the addresses that they resolve to, and it is those very addresses that are connected to: an
answer of the DNS that changes in between changes nothing.
"""

from __future__ import annotations

import socket
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult

from urlset.net.origin import is_address, is_localhost
from urlset.net.reach import Reach, reach_of

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Sequence

    from aiohttp.client_proto import ResponseHandler

    from urlset.net.trust import Trust


class PrivateAddressError(OSError):
    """A host lies in a private network, and nobody allowed that. The text is a sentence about it."""


class Guard(AbstractResolver):
    """Resolves names, and leaves out the addresses that are nearer than a limit.

    Of a name with addresses of several kinds the farthest count alone.

    Attributes:
        limit: How near the addresses may be.
    """

    def __init__(self, trust: Trust, limit: Reach, resolver: AbstractResolver) -> None:
        """Get ready.

        Args:
            trust: Whom the user trusts, and how near each host was found to be.
            limit: How near the addresses may be.
            resolver: What resolves names.
        """
        self._trust = trust
        self.limit = limit
        self._resolver = resolver
        self._reach_of = lru_cache(maxsize=1024)(reach_of)

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """Return the addresses of a name that may be connected to.

        Raises:
            PrivateAddressError: There is none among those that it has.
            OSError: It cannot be resolved.
        """
        found = await self._resolver.resolve(host, port, family)
        if self._trust.allow_private:
            return found
        farthest = self._admitted([result["host"] for result in found])
        return [result for result in found if self._reach_of(result["host"]) <= farthest]

    def check(self, host: str) -> None:
        """Check a host that is itself an address, and one that every machine calls itself.

        Raises:
            PrivateAddressError: It may not be connected to.
        """
        if is_localhost(host):
            self._admitted(["127.0.0.1"])
        elif is_address(host):
            self._admitted([host])

    def check_again(self, host: str, addresses: Sequence[str]) -> Reach:
        """Return how near some addresses of a host are, if it did not turn out to be farther since it was resolved.

        Raises:
            PrivateAddressError: It did.
        """
        address = min(addresses, key=self._reach_of)
        reach = self._reach_of(address)
        if self._trust.is_narrowed(host, reach):
            raise _refusal(reach, address)
        return reach

    async def close(self) -> None:
        """End the resolver."""
        await self._resolver.close()

    def _admitted(self, addresses: Sequence[str]) -> Reach:
        """Return the farthest reach among some addresses."""
        if not addresses:
            raise OSError("its name has no address")
        address = min(addresses, key=self._reach_of)
        reach = self._reach_of(address)
        if reach > self.limit:
            raise _refusal(reach, address)
        return reach


class GuardedConnector(aiohttp.TCPConnector):
    """Connects where a guard lets it, and notes how near each host is that was connected to.

    Args:
        guard: The guard.
        trust: Where that is noted.
        ssl: How certificates are checked.
        keepalive_timeout: Seconds that a connection stays open unused.
    """

    def __init__(self, guard: Guard, trust: Trust, *, ssl: Any, keepalive_timeout: float) -> None:
        # Where a host may be private its name is resolved for each connection: what led nowhere decides nothing.
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
            # Somebody was there, and answered with something else than good TLS.
            self._trust.connected(host, reach)
            raise
        try:
            reach = self._guard.check_again(host, [transport.get_extra_info("peername")[0]])
        except PrivateAddressError:
            transport.abort()
            raise
        self._trust.connected(host, reach)
        return transport, protocol


def _refusal(reach: Reach, address: str) -> PrivateAddressError:
    what = "is of the local link or of a cloud" if reach is Reach.LINK else "lies in a private network"
    return PrivateAddressError(f"its host {what} ({address}); --allow-private would allow that")
