"""The address guard: which addresses are private, and that links of public documents never lead to one."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Iterable
from typing import Any

import pytest
from aiohttp.abc import AbstractResolver, ResolveResult

from urlset.fetch.address_guard import Guard, PrivateAddressError
from urlset.fetch.client import Client
from urlset.fetch.response import FetchError, Response
from urlset.net import reach as reach_module
from urlset.net.origin import Origin
from urlset.net.reach import Reach, reach_of
from urlset.net.trust import Trust
from urlset.options import ReadOptions

QUICK = ReadOptions(timeout=2, retries=0, cache=False)
PUBLIC, PRIVATE, LINK = "93.184.215.14", "10.0.0.1", "169.254.169.254"


class Names(AbstractResolver):
    """Resolves names from a table. Several results for a name are returned in turn, the last one repeatedly."""

    def __init__(self, table: dict[str, list[list[str]]]) -> None:
        self.table = table
        self.asked: list[str] = []

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        self.asked.append(host)
        if host not in self.table:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        answers = self.table[host]
        addresses = answers.pop(0) if len(answers) > 1 else answers[0]
        return [
            ResolveResult(hostname=host, host=each, port=port, family=socket.AF_INET, proto=0, flags=0)
            for each in addresses
        ]

    async def close(self) -> None:
        """Do nothing: there is nothing to close."""


@pytest.mark.parametrize(
    "address",
    [
        "0.0.0.0", "10.1.2.3", "100.64.0.1", "100.127.255.254", "127.0.0.1", "127.255.255.254", "172.16.0.1",
        "172.31.255.255", "192.0.0.1", "192.168.1.1", "198.18.0.1", "224.0.0.1", "239.1.1.1", "240.0.0.1",
        "255.255.255.255", "::", "::1", "fc00::1", "fd12:3456::1", "fec0::1", "ff02::1",
        "::ffff:127.0.0.1", "::ffff:a00:1", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::1", "2002:7f00:1::",
        "2001:db8::1", "2001::1", "3fff::1", "4000::1",
    ],
)  # fmt: skip
def test_private(address: str) -> None:
    assert reach_of(address) is Reach.PRIVATE


@pytest.mark.parametrize(
    "address",
    [
        "169.254.0.1", "169.254.169.254", "169.254.170.2", "100.100.100.200", "168.63.129.16", "fe80::1",
        "fe80::1%eth0", "febf::1", "fd00:ec2::254", "fd20:ce::254", "::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe",
        "2002:a9fe:a9fe::1",
    ],
)  # fmt: skip
def test_link_local_or_cloud_metadata(address: str) -> None:
    assert reach_of(address) is Reach.LINK


@pytest.mark.parametrize(
    "address",
    [
        "1.1.1.1", "93.184.215.14", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
        "128.0.0.1", "169.253.255.255", "172.15.255.255", "172.32.0.0", "192.169.0.0", "223.255.255.255",
        "2606:2800:21f:cb07:6820:80da:af6b:8b2c", "::ffff:1.1.1.1", "64:ff9b::101:101", "2002:101:101::1",
    ],
)  # fmt: skip
def test_public(address: str) -> None:
    assert reach_of(address) is Reach.PUBLIC


def resolved(trust: Trust, names: Names, *hosts: str) -> list[list[str] | str]:
    """Return for each host the allowed addresses, after connecting to them, or why there are none."""

    async def work() -> list[list[str] | str]:
        outcomes: list[list[str] | str] = []
        for host in hosts:
            guard = Guard(trust, trust.limit(Origin("http", host, 80), None), names)
            try:
                guard.check(host)
                outcomes.append([result["host"] for result in await guard.resolve(host)])
                trust.record_connection(host, guard.check_again(host, [str(outcomes[-1][0])]))
            except PrivateAddressError as error:
                outcomes.append(str(error))
        return outcomes

    return asyncio.run(work())


REFUSED = f"the host has a private IP address ({PRIVATE}); pass --allow-private to allow it"
OF_LINK = f"the host has a link-local or cloud metadata IP address ({LINK}); pass --allow-private to allow it"


@pytest.mark.parametrize(
    ("trusted", "table", "hosts", "expected"),
    [
        # The host of a stranger, in a run that started at a public host.
        (["site"], {"site": [[PUBLIC]], "evil": [[PRIVATE]]}, ["site", "evil"], [[PUBLIC], REFUSED]),
        (["site"], {"site": [[PUBLIC]], "evil": [[PRIVATE]]}, ["evil"], [REFUSED]),
        # A name with both kinds: only its public addresses.
        (["site"], {"site": [[PUBLIC]], "both": [[PRIVATE, PUBLIC]]}, ["both"], [[PUBLIC]]),
        (["site"], {"site": [[PRIVATE, PUBLIC]]}, ["site"], [[PUBLIC]]),
        # The user's own host is private; other private hosts stay blocked.
        (["site"], {"site": [[PRIVATE]], "near": [[PRIVATE]]}, ["site", "near"], [[PRIVATE], REFUSED]),
        (["site"], {"site": [[PRIVATE]], "near": [[PRIVATE]]}, ["near"], [REFUSED]),
        # One of several named hosts is public: the others are allowed, but nothing else is.
        (
            ["site", "home"],
            {"site": [[PUBLIC]], "home": [[PRIVATE]], "evil": [[PRIVATE]]},
            ["home", "site", "evil"],
            [[PRIVATE], [PUBLIC], REFUSED],
        ),
        # The user's own host moves: a public host does not become private, whoever changed the DNS.
        (["site"], {"site": [[PUBLIC], [PRIVATE]]}, ["site", "site"], [[PUBLIC], REFUSED]),
        (
            ["site"],
            {"site": [[PRIVATE], [PUBLIC], [PRIVATE]]},
            ["site", "site", "site"],
            [[PRIVATE], [PUBLIC], REFUSED],
        ),
        # The host of a stranger moves.
        (["site"], {"site": [[PUBLIC]], "evil": [[PUBLIC], [PRIVATE]]}, ["evil", "evil"], [[PUBLIC], REFUSED]),
        # From a private network, nothing leads to link-local or cloud metadata addresses.
        (["site"], {"site": [[PRIVATE]], "evil": [[LINK]]}, ["site", "evil"], [[PRIVATE], OF_LINK]),
        (["site"], {"site": [[PRIVATE]], "both": [[LINK, PRIVATE]]}, ["both"], [REFUSED]),
        (["127.0.0.1"], {}, [LINK], [OF_LINK]),
        # Nor does the user's own host move there.
        (["site"], {"site": [[PRIVATE], [LINK]]}, ["site", "site"], [[PRIVATE], OF_LINK]),
        # The user names a link-local host.
        ([LINK], {LINK: [[LINK]], "near": [[PRIVATE]]}, [LINK, "near"], [[LINK], REFUSED]),
        (["site"], {"site": [[LINK]], "near": [["169.254.1.1"]]}, ["site"], [[LINK]]),
        # One of two named hosts is link-local.
        (
            ["site", LINK],
            {"site": [[PRIVATE]], "evil": [["169.254.1.1"]]},
            ["evil"],
            [OF_LINK.replace(LINK, "169.254.1.1")],
        ),
        # The user named no host.
        ([], {"evil": [[PRIVATE]]}, ["evil"], [REFUSED]),
        # The user's own host cannot be resolved: that does not prove a private network.
        (["gone"], {"evil": [[PRIVATE]]}, ["evil"], [REFUSED]),
    ],
)
def test_which_hosts_may_be_private(
    trusted: list[str], table: dict[str, list[list[str]]], hosts: list[str], expected: list[object]
) -> None:
    trust = Trust.of(f"http://{host}/" for host in trusted)
    assert resolved(trust, Names(table), *hosts) == expected


def test_option_allows_every_address() -> None:
    names = Names({"evil": [[PRIVATE]]})
    assert resolved(Trust(allow_private=True), names, "evil") == [[PRIVATE]]


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost", "a.localhost", "::ffff:10.0.0.1"])
def test_addresses_and_localhost_are_checked_without_a_resolver(host: str) -> None:
    names = Names({})
    with pytest.raises(PrivateAddressError):
        Guard(Trust(), Reach.PUBLIC, names).check(host)
    assert names.asked == []


def fetched(url: str, trusted: Iterable[str], names: Names, options: ReadOptions = QUICK) -> Response:
    async def work() -> Response:
        async with Client(options, Trust.of(trusted, allow_private=options.allow_private), resolver=names) as client:
            return await client.get(url, via=None)

    return asyncio.run(work())


@pytest.fixture
def loopback_is_public(monkeypatch: pytest.MonkeyPatch) -> None:
    """127.0.0.1 stands for the public internet, 127.0.0.2 for a private network."""
    networks = [network for network in reach_module.NOT_PUBLIC_V4 if not network.network_address.is_loopback]
    monkeypatch.setattr(reach_module, "NOT_PUBLIC_V4", (*networks, ipaddress.IPv4Network("127.0.0.2/32")))


def port_of(hostile: Any) -> str:
    return str(hostile.url).rpartition(":")[2]


@pytest.mark.usefixtures("loopback_is_public")
def test_a_redirect_to_a_private_address_is_not_followed(hostile: Any) -> None:
    answer = fetched(f"{hostile.url}/to-private", [hostile.url], Names({}))
    assert answer.error_kind is FetchError.PRIVATE_ADDRESS
    assert (answer.final_url, answer.status) == ("http://169.254.169.254/latest/meta-data/", None)
    assert [hop.status for hop in answer.hops] == [302]


def test_a_redirect_from_a_private_address_to_the_cloud_is_not_followed(hostile: Any) -> None:
    answer = fetched(f"{hostile.url}/to-private", [hostile.url], Names({}))
    assert answer.error_kind is FetchError.PRIVATE_ADDRESS
    assert (
        answer.reason
        == f"the host has a link-local or cloud metadata IP address ({LINK}); pass --allow-private to allow it"
    )


@pytest.mark.usefixtures("loopback_is_public")
def test_the_address_that_was_checked_is_the_one_connected_to(hostile: Any) -> None:
    names = Names({"moves.example": [["127.0.0.1"], ["127.0.0.2"]]})
    answer = fetched(f"http://moves.example:{port_of(hostile)}/good", ["http://site.example"], names)
    assert answer.ok
    assert names.asked == ["moves.example"]
    # The next connection resolves the name again, and the guard sees the private address.
    answer = fetched(f"http://moves.example:{port_of(hostile)}/good", ["http://site.example"], names)
    assert answer.error_kind is FetchError.PRIVATE_ADDRESS


@pytest.mark.parametrize(
    "host", ["2130706433", "017700000001", "0x7f000001", "127.1", "0x7f.0.0.1", "0177.0.0.1", "127.0.0.1.", "1.2.3.4.5"]
)
def test_addresses_in_unusual_notations(hostile: Any, host: str) -> None:
    answer = fetched(f"http://{host}:{port_of(hostile)}/good", ["http://site.example"], Names({}))
    assert answer.error_kind in (FetchError.BAD_URL, FetchError.PRIVATE_ADDRESS)
    assert hostile.requests == []


def test_invalid_host_name(hostile: Any) -> None:
    answer = fetched("http://gone.example/", ["http://gone.example/"], Names({}))
    assert (answer.error_kind, answer.reason) == (FetchError.DNS, "host name gone.example cannot be resolved")


def test_the_trusted_host_may_be_private(hostile: Any) -> None:
    assert fetched(f"{hostile.url}/good", [hostile.url], Names({})).ok
    assert fetched(f"{hostile.url}/good", [], Names({})).error_kind is FetchError.PRIVATE_ADDRESS
    open_options = ReadOptions(cache=False, allow_private=True)
    assert fetched(f"{hostile.url}/good", [], Names({}), open_options).ok
