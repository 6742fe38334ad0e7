"""The address guard: what strangers link to is not connected to when it lies in a private network.

Names are judged by the addresses that they resolve to, and it is those very addresses that are connected to: an
answer of the DNS that changes in between changes nothing.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from enum import IntEnum
from functools import lru_cache
from typing import TYPE_CHECKING

from aiohttp.abc import AbstractResolver, ResolveResult

from urlset.fetch.address import address_of
from urlset.fetch.names import SystemResolver

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from urlset.fetch.address import Origin

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address

# https://www.iana.org/assignments/iana-ipv4-special-registry and iana-ipv6-special-registry. The standard library's own
# lists differ from one version of Python to the next, and count multicast and the shared space of carriers as global.
NOT_PUBLIC_V4 = tuple(
    ipaddress.IPv4Network(network)
    for network in (
        "0.0.0.0/8",  # this network; 0.0.0.0 connects to this machine
        "10.0.0.0/8",
        "100.64.0.0/10",  # shared space of carriers
        "127.0.0.0/8",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",  # documentation
        "192.168.0.0/16",
        "198.18.0.0/15",  # benchmarks of networks
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, and broadcast
    )
)
PUBLIC_V6 = ipaddress.IPv6Network("2000::/3")
"""The only addresses of IPv6 that are given out to the public."""
NOT_PUBLIC_V6 = tuple(
    ipaddress.IPv6Network(network)
    for network in (
        "2001::/23",  # protocols of the IETF, Teredo among them
        "2001:db8::/32",  # documentation
        "3fff::/20",  # documentation
    )
)
# What a machine says to whoever asks from within it: the network's own link, and the passwords that a cloud gives its
# machines. No site lies there, and so none of them is reached by a link from a private one either.
LINK_V4 = tuple(
    ipaddress.IPv4Network(network)
    for network in (
        "169.254.0.0/16",  # link-local, with the metadata of nearly every cloud
        "100.100.100.200/32",  # https://www.alibabacloud.com/help/en/ecs/user-guide/view-instance-metadata
        "168.63.129.16/32",  # https://learn.microsoft.com/en-us/azure/virtual-network/what-is-ip-address-168-63-129-16
    )
)
LINK_V6 = tuple(
    ipaddress.IPv6Network(network)
    for network in (
        "fe80::/10",  # link-local
        "fd00:ec2::/32",  # https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html
        "fd20:ce::254/128",  # https://docs.cloud.google.com/compute/docs/metadata/querying-metadata
    )
)
NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
SIX_TO_FOUR = ipaddress.IPv6Network("2002::/16")


class PrivateAddressError(OSError):
    """A host lies in a private network, and nobody allowed that. The text is a sentence about it."""


class Reach(IntEnum):
    """Who can reach an address; what leads to a nearer one than where a run began is not followed."""

    PUBLIC = 0
    PRIVATE = 1
    """Private, loopback, multicast, reserved."""
    LINK = 2
    """Link-local, and where clouds keep what their machines are to know."""


def reach_of(text: str) -> Reach:
    """Who can reach an IP address. An IPv6 address that stands for an IPv4 address is judged as that one."""
    address: IPAddress = ipaddress.ip_address(text.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        embedded = _embedded(address)
        if embedded is None:
            if any(address in network for network in LINK_V6):
                return Reach.LINK
            is_public = address in PUBLIC_V6 and not any(address in network for network in NOT_PUBLIC_V6)
            return Reach.PUBLIC if is_public else Reach.PRIVATE
        address = embedded
    if any(address in network for network in LINK_V4):
        return Reach.LINK
    return Reach.PRIVATE if any(address in network for network in NOT_PUBLIC_V4) else Reach.PUBLIC


def _embedded(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address in NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF)
    if address in SIX_TO_FOUR:
        return address.sixtofour
    return None


class Guard(AbstractResolver):
    """Resolves names, and leaves out the addresses that may not be connected to.

    A host that the user named may be private, or of the link. Whether it is, its first answer decides: one that was
    public does not become private later in the run, nor a private one of the link. Other hosts may be what every host
    that the user named is.

    Args:
        trusted: The hosts that the user named.
        allow_private: Whether everything is allowed.
        resolver: What resolves names; the system unless given.
    """

    def __init__(
        self, trusted: Iterable[Origin], *, allow_private: bool = False, resolver: AbstractResolver | None = None
    ) -> None:
        self._trusted = {origin.host: origin.port for origin in trusted}
        self._allow_private = allow_private
        self._resolver = resolver or SystemResolver()
        self._reach: dict[str, Reach] = {}
        self._reach_of = lru_cache(maxsize=1024)(reach_of)
        self._lock = asyncio.Lock()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """The addresses of a name that may be connected to.

        Raises:
            PrivateAddressError: There is none among those that it has.
            OSError: It cannot be resolved.
        """
        found = await self._resolver.resolve(host, port, family)
        admitted = await self._admitted(host, [result["host"] for result in found])
        return [result for result in found if result["host"] in admitted]

    async def check(self, host: str, *, by_proxy: bool = False) -> None:
        """Checks a host that is itself an address, and one that every machine calls itself.

        Args:
            host: The host.
            by_proxy: Whether a proxy connects to it; then no name is resolved here.

        Raises:
            PrivateAddressError: It may not be connected to.
        """
        if host == "localhost" or host.endswith(".localhost"):
            await self._admitted(host, ["127.0.0.1"], by_proxy)
        elif _is_address(host):
            await self._admitted(host, [host], by_proxy)

    async def close(self) -> None:
        """Ends the resolver."""
        await self._resolver.close()

    async def _admitted(self, host: str, addresses: Sequence[str], by_proxy: bool = False) -> frozenset[str]:
        """Those of a host's addresses that may be connected to."""
        if self._allow_private:
            return frozenset(addresses)
        reach = {address: self._reach_of(address) for address in addresses}
        widest = min(reach.values(), default=Reach.PUBLIC)
        if host in self._trusted:
            limit = self._reach.setdefault(host, widest)
        elif widest is Reach.PUBLIC:
            limit = Reach.PUBLIC
        else:
            limit = await self._reach_of_run(by_proxy)
        if admitted := frozenset(address for address in addresses if reach[address] <= limit):
            return admitted
        where = ", ".join(addresses[:1]) or "no address"
        what = "is of the local link or of a cloud" if widest is Reach.LINK else "lies in a private network"
        raise PrivateAddressError(f"its host {what} ({where}); --allow-private would allow that")

    async def _reach_of_run(self, by_proxy: bool) -> Reach:
        """The widest reach of the hosts that the user named."""
        async with self._lock:
            for host, port in self._trusted.items():
                if host not in self._reach:
                    if by_proxy and not _is_address(host):
                        return Reach.PUBLIC
                    self._reach[host] = await self._widest_of(host, port)
                if self._reach[host] is Reach.PUBLIC:
                    return Reach.PUBLIC
        return min((self._reach[host] for host in self._trusted), default=Reach.PUBLIC)

    async def _widest_of(self, host: str, port: int) -> Reach:
        if _is_address(host):
            return reach_of(host)
        try:
            found = await self._resolver.resolve(host, port, socket.AF_UNSPEC)
        except OSError:
            return Reach.PUBLIC
        return min((reach_of(result["host"]) for result in found), default=Reach.PUBLIC)


def origins_of(named: Iterable[str]) -> tuple[Origin, ...]:
    """The origins of hosts and URLs; a host alone means http at its usual port. What is neither is passed over."""
    origins = []
    for text in named:
        try:
            origins.append(address_of(text if "://" in text else f"http://{text}").origin)
        except ValueError:
            continue
    return tuple(dict.fromkeys(origins))


@lru_cache(maxsize=1024)
def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return True
