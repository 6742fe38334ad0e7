"""Trust: which origins the user named, how near they may be, and where the user's secrets may go.

One value is made of what the user typed and handed down to whatever fetches. It answers two questions for each request:
may the user's secrets go along, and how near may the address be that is connected to.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING

from urlset.net.origin import LOCAL, is_address, is_localhost, origin_of
from urlset.net.reach import Reach, reach_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from urlset.net.origin import Origin


class Reached:
    """How near the hosts are that were connected to. It only ever narrows; threads may share it."""

    def __init__(self) -> None:
        self._reach: dict[str, Reach] = {}
        self._lock = Lock()

    def narrow(self, host: str, reach: Reach) -> None:
        """Note a connection to a host that succeeded."""
        with self._lock:
            self._reach[host] = min(reach, self._reach.get(host, reach))

    def of(self, host: str) -> Reach | None:
        """Return how near a host is; None for a name that was not connected to yet."""
        if (reach := self._reach.get(host)) is not None:
            return reach
        if is_address(host):
            return reach_of(host)
        return Reach.PRIVATE if is_localhost(host) else None


@dataclass(frozen=True, slots=True)
class Trust:
    """What the user's own words allow. Made once for a run, and handed down.

    Attributes:
        named: The origins that the user named.
        allow_private: Whether anything may lead to any address.
        reached: How near the hosts of the run turned out to be, which narrows what is allowed.
    """

    named: frozenset[Origin] = frozenset()
    allow_private: bool = False
    reached: Reached = field(default_factory=Reached, compare=False, repr=False)
    _hosts: frozenset[str] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hosts", frozenset(origin.host for origin in self.named))

    @classmethod
    def of(cls, urls: Iterable[str], *, allow_private: bool = False) -> Trust:
        """Trust the origins of these URLs. What is no http(s) URL, such as a path, names no origin."""
        origins = (origin_of(url) for url in urls)
        return cls(frozenset(origin for origin in origins if origin is not None), allow_private)

    def names(self, origin: Origin) -> bool:
        """Return whether the user named an origin, or the same host with the other scheme."""
        return origin in self.named or not self.named.isdisjoint(origin.siblings)

    def may_have_secrets(self, origin: Origin) -> bool:
        """Return whether the user's secrets may go to an origin: one that was named, or its upgrade to https."""
        if origin in self.named:
            return True
        return origin.scheme == "https" and any(
            each.scheme == "http" for each in self.named.intersection(origin.siblings)
        )

    def limit(self, origin: Origin, via: Origin | None) -> Reach:
        """Return how near the address of an origin may be.

        A private host is reached by the user's own word, or from documents of its own origin. What strangers link to is
        public. A host that was connected to at a public address stays public.

        Args:
            origin: What is to be connected to.
            via: The origin of the document that links there, or that redirects; None if the user named the URL. Who
                wrote a local file is not known, so that it leads to public addresses alone.
        """
        if self.allow_private:
            return Reach.LINK
        if not self.names(origin):
            return Reach.PUBLIC
        reached = self.reached.of(origin.host)
        own = Reach.LINK if reached is None else reached
        if via is None or via == origin or via in origin.siblings:
            return own
        # From one private host that the user named to another; both are known to be there.
        linking = self.reached.of(via.host) if via != LOCAL and self.names(via) else None
        return min(own, linking or Reach.PUBLIC)

    def connected(self, host: str, reach: Reach) -> None:
        """Note a connection that succeeded: a host that the user named is from now on no nearer than that."""
        if host in self._hosts:
            self.reached.narrow(host, reach)

    def is_narrowed(self, host: str, reach: Reach) -> bool:
        """Return whether a host has meanwhile turned out to be less near than an address that it resolved to."""
        reached = self.reached.of(host)
        return not self.allow_private and reached is not None and reach > reached
