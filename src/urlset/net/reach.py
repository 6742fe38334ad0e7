"""Reach: who can connect to an IP address, according to the registries of special addresses."""

from __future__ import annotations

import ipaddress
from enum import IntEnum

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address

# https://www.iana.org/assignments/iana-ipv4-special-registry and iana-ipv6-special-registry. The lists in the standard
# library differ between versions of Python, and treat multicast and carrier-grade NAT as global.
NOT_PUBLIC_V4 = tuple(
    ipaddress.IPv4Network(network)
    for network in (
        "0.0.0.0/8",  # this network; 0.0.0.0 connects to the local machine
        "10.0.0.0/8",
        "100.64.0.0/10",  # carrier-grade NAT
        "127.0.0.0/8",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",  # documentation
        "192.168.0.0/16",
        "198.18.0.0/15",  # network benchmarks
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, and broadcast
    )
)
PUBLIC_V6 = ipaddress.IPv6Network("2000::/3")
"""The only IPv6 addresses that are assigned for public use."""
NOT_PUBLIC_V6 = tuple(
    ipaddress.IPv6Network(network)
    for network in (
        "2001::/23",  # IETF protocol assignments, including Teredo
        "2001:db8::/32",  # documentation
        "3fff::/20",  # documentation
    )
)
# Link-local addresses, and the metadata services through which clouds give credentials to their machines. No site is
# served from these addresses, so even links from a private site are not followed to them.
LINK_V4 = tuple(
    ipaddress.IPv4Network(network)
    for network in (
        "169.254.0.0/16",  # link-local, including the metadata service of nearly every cloud
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


class Reach(IntEnum):
    """Who can reach an IP address. Links from farther to nearer addresses are not followed."""

    PUBLIC = 0
    PRIVATE = 1
    """Private, loopback, multicast, and reserved addresses."""
    LINK = 2
    """Link-local addresses, and the metadata services of clouds."""


def reach_of(text: str) -> Reach:
    """Return who can reach an IP address. An IPv6 address that embeds an IPv4 address is treated as that address."""
    address: IPAddress = ipaddress.ip_address(text.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        embedded = _embedded_address(address)
        if embedded is None:
            if any(address in network for network in LINK_V6):
                return Reach.LINK
            is_public = address in PUBLIC_V6 and not any(address in network for network in NOT_PUBLIC_V6)
            return Reach.PUBLIC if is_public else Reach.PRIVATE
        address = embedded
    if any(address in network for network in LINK_V4):
        return Reach.LINK
    return Reach.PRIVATE if any(address in network for network in NOT_PUBLIC_V4) else Reach.PUBLIC


def _embedded_address(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address in NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF)
    if address in SIX_TO_FOUR:
        return address.sixtofour
    return None
