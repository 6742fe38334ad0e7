"""Verifies addresses of crawlers by DNS: the name of the address must be the operator's, and lead back to the address.

A name alone proves nothing, because anyone can give any name to their own addresses.
https://developers.google.com/search/docs/crawling-indexing/verifying-googlebot#manual
"""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING, Protocol

from urlset.model.access_log import Verdict
from urlset.processes.threads import in_order
from urlset.web.agents import known_agent

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from ipaddress import IPv4Address, IPv6Address
    from typing import TypeAlias

    Address: TypeAlias = IPv4Address | IPv6Address

MAX_LOOKUPS = 20_000
"""Maximum number of addresses to look up in a run."""

LOOKUPS_AT_ONCE = 16


class Resolver(Protocol):
    """Asks DNS."""

    def names(self, address: str) -> Sequence[str]:
        """Return the names of an address; none if it has none.

        Raises:
            OSError: DNS does not answer.
        """

    def addresses(self, name: str) -> Sequence[str]:
        """Return the addresses of a name; none if it does not exist.

        Raises:
            OSError: DNS does not answer.
        """


class SystemResolver:
    def names(self, address: str) -> Sequence[str]:
        try:
            name, aliases, _ = socket.gethostbyaddr(address)
        except socket.herror as error:
            if error.errno in (1, 4):  # HOST_NOT_FOUND and NO_DATA in netdb.h, which Python does not name
                return ()
            raise
        return (name, *aliases)

    def addresses(self, name: str) -> Sequence[str]:
        """Return the addresses of a name; none if it does not exist, or cannot be looked up."""
        try:
            records = socket.getaddrinfo(name, None, type=socket.SOCK_STREAM)
        except socket.gaierror as error:
            if error.errno == socket.EAI_NONAME:
                return ()
            raise
        except UnicodeError:
            return ()
        return [str(address[0]) for *_, address in records]


class Confirmation:
    """Looks up each address once.

    Attributes:
        unconfirmed: Number of addresses that were not looked up because there were too many.
    """

    def __init__(self, resolver: Resolver) -> None:
        self.lookups = 0
        self.unconfirmed = 0
        self._resolver = resolver
        self._verdicts: dict[tuple[tuple[str, ...], Address], Verdict] = {}

    def verdicts(self, claims: Iterable[tuple[str, Address]]) -> Iterator[Verdict]:
        """Yield the verdict on each claim of an address to be a crawler."""
        questions = [((agent.domains if (agent := known_agent(name)) else ()), address) for name, address in claims]
        new = list(dict.fromkeys(question for question in questions if question not in self._verdicts))
        lookups = new[: MAX_LOOKUPS - self.lookups]
        self.lookups += len(lookups)
        self.unconfirmed += len(new) - len(lookups)
        if lookups:
            answers = in_order(self._verdict, lookups, min(LOOKUPS_AT_ONCE, len(lookups)), "urlset-dns")
            self._verdicts.update(zip(lookups, answers, strict=True))
        for question in questions:
            yield self._verdicts.get(question, Verdict.UNVERIFIED)

    def _verdict(self, question: tuple[tuple[str, ...], Address]) -> Verdict:
        domains, address = question
        try:
            for name in self._resolver.names(str(address)):
                host = name.rstrip(".").lower()
                if host.endswith(domains) and str(address) in self._resolver.addresses(host):
                    return Verdict.VERIFIED
        except OSError:
            # DNS may answer another time, so this proves nothing.
            return Verdict.UNVERIFIED
        return Verdict.IMPOSTOR
