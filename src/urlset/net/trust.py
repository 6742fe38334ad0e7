"""Trust: which origins the user named, whether they may be on private networks, and which may receive credentials.

A single value is made from the input of the user and passed to all code that fetches. It answers two questions for each
request: whether to send the credentials of the user, and how near the IP address of the connection may be.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple, Protocol

from urlset.net.origin import LOCAL, is_address, is_localhost, origin_of
from urlset.net.reach import Reach, reach_of
from urlset.net.urlparts import split_url

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from typing import Self

    from urlset.net.origin import Origin
    from urlset.net.previews import Preview


HeaderPairs = tuple[tuple[str, str], ...]
"""Headers, as pairs of name and value."""


class FolderAnswer(Protocol):
    """A response from a directory."""

    @property
    def status(self) -> int: ...

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers, by lower-case name."""
        ...

    @property
    def path(self) -> str | None:
        """The file with the body; None without one."""
        ...

    @property
    def is_repeated(self) -> bool:
        """Whether the links of the file are known from another URL."""
        ...

    @property
    def why(self) -> str:
        """Why the response is unknown; empty if it is known."""
        ...


class MeantUrls(NamedTuple):
    """The URLs that are meant by those that a generator wrote without the right URL of the site.

    Attributes:
        base: The URL of the site, which paths without a host lack.
        strays: What stands in its place before other paths.
    """

    base: str
    strays: tuple[str, ...] = ()


class ServedFolder(Protocol):
    """A directory that answers requests in place of its host."""

    unnamed: Mapping[str, Sequence[str]]
    """The URLs of its sitemaps that nothing names, with the pages that only they list."""

    @property
    def meant(self) -> MeantUrls:
        """The URLs that are meant by those of its sitemaps."""
        ...

    @property
    def origins(self) -> Collection[str]:
        """The origins that it answers for."""
        ...

    def serves(self, url: str) -> bool:
        """Return whether a URL is below the base URL of the directory."""
        ...

    def is_of_origin(self, url: str) -> bool:
        """Return whether a URL is on the host of the directory."""
        ...

    def answer(self, url: str, /) -> FolderAnswer:
        """Return the response to a URL of the host."""
        ...

    def is_error_page(self, url: str, /) -> bool | None:
        """Return whether the host shows this page in place of missing pages; None if its content decides."""
        ...

    def record_failure(self, path: str, reason: str) -> None:
        """Record a file that cannot be read."""
        ...

    def record_unknown(self, url: str, why: str) -> None:
        """Record a page whose response is unknown."""
        ...

    def leaves(self) -> None:
        """Count a redirect out of the directory."""
        ...

    def unrequested_pages(self) -> list[str]:
        """Return the URLs of the pages that were not requested."""
        ...


class ReachedHosts:
    """The reach of the hosts that were connected to. It can only narrow. Thread-safe."""

    def __init__(self, reach: Mapping[str, Reach] | None = None) -> None:
        self._reach = dict(reach or {})
        self._lock = Lock()

    def __reduce__(self) -> tuple[type[Self], tuple[Mapping[str, Reach]]]:
        """Return how to copy it to another process."""
        return type(self), (self.snapshot(),)

    def snapshot(self) -> Mapping[str, Reach]:
        with self._lock:
            return dict(self._reach)

    def narrow(self, host: str, reach: Reach) -> None:
        """Record a successful connection to a host."""
        with self._lock:
            self._reach[host] = min(reach, self._reach.get(host, reach))

    def of(self, host: str) -> Reach | None:
        """Return the reach of a host; None for a name without a connection so far."""
        if (reach := self._reach.get(host)) is not None:
            return reach
        if is_address(host):
            return reach_of(host)
        return Reach.PRIVATE if is_localhost(host) else None


@dataclass(frozen=True, slots=True)
class Trust:
    """What the input of the user allows. Created once per run and passed on.

    Attributes:
        named_origins: The origins that the user named.
        allow_private: Whether links may lead to any IP address.
        reached_hosts: The reach of the hosts that the run connected to, which narrows what is allowed.
        folder: The directory that answers all requests, so that no host is contacted; None to use the network.
        headers: Headers with credentials that only a single origin may receive.
        previews: The previews that answer for sites. With any, only they receive credentials.
        way_out: What the user can do to have private addresses contacted, for messages.
    """

    named_origins: frozenset[Origin] = frozenset()
    allow_private: bool = False
    reached_hosts: ReachedHosts = field(default_factory=ReachedHosts, compare=False, repr=False)
    folder: ServedFolder | None = field(default=None, compare=False, repr=False)
    headers: Mapping[Origin, HeaderPairs] = field(default_factory=dict, compare=False, repr=False)
    previews: tuple[Preview, ...] = field(default=(), compare=False, repr=False)
    way_out: str = field(default="pass --allow-private to allow it", compare=False, repr=False)
    _hosts: frozenset[str] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hosts", frozenset(origin.host for origin in self.named_origins))

    @classmethod
    def of(cls, urls: Iterable[str], *, allow_private: bool = False) -> Trust:
        """Trust the origins of these URLs. Anything that is not an HTTP(S) URL, such as a path, is ignored."""
        origins = (origin_of(url) for url in urls)
        return cls(frozenset(origin for origin in origins if origin is not None), allow_private)

    def names(self, origin: Origin) -> bool:
        """Return whether the user named this origin, or the same host with the other scheme."""
        return origin in self.named_origins or not self.named_origins.isdisjoint(origin.siblings)

    def may_have_secrets(self, origin: Origin) -> bool:
        """Return whether an origin may receive credentials: one that the user named, or its upgrade to HTTPS."""
        if self.previews and not any(origin.is_as_safe_as(preview.origin) for preview in self.previews):
            return False
        if origin in self.named_origins:
            return True
        return origin.scheme == "https" and any(
            each.scheme == "http" for each in self.named_origins.intersection(origin.siblings)
        )

    def headers_of(self, origin: Origin) -> HeaderPairs:
        """Return the headers that only this origin may receive, or the one that it is the upgrade to HTTPS of."""
        return tuple(
            header for given, headers in self.headers.items() if origin.is_as_safe_as(given) for header in headers
        )

    def limit(self, origin: Origin, via: Origin | None) -> Reach:
        """Return how near the IP address of an origin may be.

        A private host is only contacted if the user named it or a document of its own origin links to it. Links from
        other origins may only lead to public addresses. A host that was contacted at a public address stays public.

        Args:
            via: The origin of the document that links or redirects there; None if the user named the URL. Local files
                have unknown authors, so their links may only lead to public addresses.
        """
        if self.previews:
            origin, via = self._contacted(origin), None if via is None else self._contacted(via)
        if self.allow_private:
            return Reach.LINK
        if not self.names(origin):
            return Reach.PUBLIC
        reached = self.reached_hosts.of(origin.host)
        own = Reach.LINK if reached is None else reached
        if via is None or via == origin or via in origin.siblings:
            return own
        # From one private host that the user named to another, both of which were contacted.
        linking = self.reached_hosts.of(via.host) if via != LOCAL and self.names(via) else None
        return min(own, linking or Reach.PUBLIC)

    def preview_for(self, origin: Origin) -> Preview | None:
        """Return the preview that answers for an origin."""
        return next((preview for preview in self.previews if preview.site == origin), None)

    def preview_of_host(self, origin: Origin) -> Preview | None:
        """Return the preview of a site on the same host, such as that of the https site for http."""
        hosts = (preview for preview in self.previews if preview.site.host == origin.host)
        return next((preview for preview in hosts if origin != preview.origin), None)

    def is_on_preview(self, url: str) -> bool:
        """Return whether a URL is on a preview instead of its site."""
        origin = origin_of(url)
        return origin is not None and any(preview.is_at(origin) for preview in self.previews)

    def site_url(self, url: str) -> str:
        """Return the URL of the site for that of its preview; other URLs are returned as they are."""
        return self._with_origin(url, {preview.origin: preview.site for preview in self.previews})

    def preview_url(self, url: str) -> str:
        """Return the URL of the preview for that of its site; other URLs are returned as they are."""
        return self._with_origin(url, {preview.site: preview.origin for preview in self.previews})

    @staticmethod
    def _with_origin(url: str, others: Mapping[Origin, Origin]) -> str:
        origin = origin_of(url)
        if origin is None or (other := others.get(origin)) is None:
            return url
        parts = split_url(url.strip())
        user = f"{parts.netloc.rpartition('@')[0]}@" if "@" in parts.netloc else ""
        return parts._replace(scheme=other.scheme, netloc=user + other.url.partition("://")[2]).geturl()

    def _contacted(self, origin: Origin) -> Origin:
        """Return the origin that is contacted for an origin."""
        preview = self.preview_for(origin)
        return origin if preview is None else preview.origin

    def record_connection(self, host: str, reach: Reach) -> None:
        """Record a successful connection: from now on, a host that the user named can be no nearer than this."""
        if host in self._hosts:
            self.reached_hosts.narrow(host, reach)

    def is_narrowed(self, host: str, reach: Reach) -> bool:
        """Return whether a host meanwhile turned out to be farther away than an address that it resolved to."""
        reached = self.reached_hosts.of(host)
        return not self.allow_private and reached is not None and reach > reached
