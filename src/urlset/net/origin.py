"""Origins: scheme, host, and port of a URL, normalized."""

from __future__ import annotations

import re
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

from urlset import _core
from urlset.net.urlparts import without_surrogates

DEFAULT_PORTS = {"http": 80, "https": 443}

_IPV4 = re.compile(r"(?:(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])(?:\.(?!$)|$)){4}")
_NAME = re.compile(r"[0-9a-z._-]+")
_NUMBER = re.compile(r"0x[0-9a-f]*|[0-9]+")


class Origin(NamedTuple):
    """Scheme (http or https), host as `ascii_host` returns it, and port, also if it is the default of the scheme."""

    scheme: str
    host: str
    port: int

    @property
    def url(self) -> str:
        """The URL of the origin without a trailing slash and without the default port."""
        port = f":{self.port}" if self.port != DEFAULT_PORTS[self.scheme] else ""
        return f"{self.scheme}://{in_url(self.host)}{port}"

    @property
    def siblings(self) -> tuple[Origin, ...]:
        """The origin itself, and its host with the other scheme: on the same port, or both on their default ports."""
        return _siblings(self)

    def is_as_safe_as(self, other: Origin) -> bool:
        """Return whether data for the other origin can go here: the same origin, or the same host upgraded to TLS."""
        return self == other or (self.scheme == "https" and other.scheme == "http" and other in self.siblings)


@lru_cache(maxsize=1024)
def _siblings(origin: Origin) -> tuple[Origin, ...]:
    """Return `Origin.siblings`; cached, since every request needs it for the same few origins."""
    scheme, host, port = origin
    other = "http" if scheme == "https" else "https"
    siblings: tuple[Origin, ...] = (origin, Origin(other, host, port))
    if port == DEFAULT_PORTS[scheme]:
        siblings += (Origin(other, host, DEFAULT_PORTS[other]),)
    return siblings


LOCAL = Origin("file", "", 0)
"""Origin of documents that were not fetched: files, standard input, bytes."""


def document_origin(url: str) -> Origin:
    """Return the origin of a document, to check its links; `LOCAL` if it was not fetched."""
    return origin_of(url) or LOCAL


def origin_of(url: str) -> Origin | None:
    """Return the origin of an http(s) URL; None for anything else.

    Example:
        >>> origin_of("HTTPS://me:secret@Example.COM./a?b")
        Origin(scheme='https', host='example.com', port=443)
        >>> origin_of("sitemaps/pages.xml") is None
        True
    """
    try:
        return parse_origin(url)
    except ValueError:
        return None


def origin_url(url: str) -> str:
    """Return the URL of the origin of an http(s) URL, as `Origin.url` writes it; the empty string for anything else.

    Example:
        >>> origin_url("HTTPS://Example.com:443/a?b")
        'https://example.com'
        >>> origin_url("http://[")
        ''
    """
    origin = origin_of(url)
    return "" if origin is None else origin.url


def parse_origin(url: str) -> Origin:
    """Return the origin of an http(s) URL.

    Raises:
        ValueError: The URL has no origin to connect to; the message says why.
    """
    parts, port = split(url.strip())
    scheme = parts.scheme.lower()
    if scheme not in DEFAULT_PORTS:
        raise ValueError("its scheme is neither http nor https")
    if not parts.hostname:
        raise ValueError("it has no host")
    if ":" not in parts.hostname and parts.netloc.rpartition("@")[2].startswith("["):
        raise ValueError("its host is not a valid name")
    if port == 0:
        raise ValueError("its port is 0")
    return Origin(scheme, ascii_host(parts.hostname), port or DEFAULT_PORTS[scheme])


def split(url: str) -> tuple[SplitResult, int | None]:
    """Split a URL, and return its port, too.

    Raises:
        ValueError: It cannot be split. Unlike those of `urllib`, the message contains no part of the URL, which may be
            a password.
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        raise ValueError("its host is not a valid name") from None
    try:
        return parts, parts.port
    except ValueError:
        raise ValueError("its port is not a number below 65,536") from None


@lru_cache(maxsize=1024)
def ascii_host(host: str) -> str:
    """Return a host in the form for DNS and the Host header: lowercase, ASCII, without a trailing dot.

    The core converts it, so that it equals the `host` columns of tables, except that those have IPv6 addresses in
    brackets.

    Args:
        host: A name or an IP address; an IPv6 address without brackets.

    Raises:
        ValueError: The host is neither; the message says why.

    Example:
        >>> ascii_host("Bücher.Example."), ascii_host("2001:DB8:0::1")
        ('xn--bcher-kva.example', '2001:db8::1')
    """
    if ":" in host:
        return _ipv6(host)
    name = _core.ascii_host(without_surrogates(host))
    if not _NAME.fullmatch(name):
        raise ValueError("its host is not a valid name")
    # Resolvers treat a host that ends in a number as an IP address, including `2130706433`, `127.1`, and `0x7f.0.0.1`.
    if _NUMBER.fullmatch(name.rpartition(".")[2]) and not _IPV4.fullmatch(name):
        raise ValueError("its host is an IPv4 address in an unusual notation")
    return name


def in_url(host: str) -> str:
    """Return a host in its form for URLs: an IPv6 address in brackets."""
    return f"[{host}]" if ":" in host else host


def is_address(host: str) -> bool:
    return ":" in host or _IPV4.fullmatch(host) is not None


def is_localhost(host: str) -> bool:
    """Return whether a host is `localhost` or a subdomain of it."""
    return host == "localhost" or host.endswith(".localhost")


def _ipv6(host: str) -> str:
    address, percent, zone = host.partition("%")
    try:
        parsed = ip_address(address)
    except ValueError:
        parsed = None
    if not isinstance(parsed, IPv6Address) or (percent and not re.fullmatch(r"[0-9A-Za-z._-]+", zone)):
        raise ValueError("its host is not a valid name")
    return _core.ascii_host(f"[{address}]")[1:-1] + percent + zone
