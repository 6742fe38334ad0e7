"""Origins: scheme, host and port of a URL, in one spelling."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from typing import NamedTuple
from urllib.parse import urlsplit

DEFAULT_PORTS = {"http": 80, "https": 443}

_START = re.compile(r"https?://[A-Za-z0-9.:-]+(?=[/?#]|\Z)")
"""What most URLs of a site have in common."""

_IPV4 = re.compile(r"(?:(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])(?:\.(?!$)|$)){4}")
_NAME = re.compile(r"[0-9a-z._-]+")
_NUMBER = re.compile(r"0x[0-9a-f]*|[0-9]+")


class Origin(NamedTuple):
    """Scheme, host and port: what a connection belongs to.

    Attributes:
        scheme: http or https.
        host: As `ascii_host` spells it.
        port: The port, the scheme's default included.
    """

    scheme: str
    host: str
    port: int

    @property
    def url(self) -> str:
        """The URL of the origin without a slash at its end; the default port is left out."""
        port = f":{self.port}" if self.port != DEFAULT_PORTS[self.scheme] else ""
        return f"{self.scheme}://{in_url(self.host)}{port}"

    @property
    def siblings(self) -> tuple[Origin, ...]:
        """The origin itself, and the one with the other scheme: at the same port, or each at its default port."""
        return _siblings(self)

    def is_as_safe_as(self, other: Origin) -> bool:
        """Return whether what is meant for the other may go here: the same origin, or the same host upgraded to TLS."""
        return self == other or (self.scheme == "https" and other.scheme == "http" and other in self.siblings)


@lru_cache(maxsize=1024)
def _siblings(origin: Origin) -> tuple[Origin, ...]:
    """What `Origin.siblings` gives: asked for with every request, of few origins."""
    scheme, host, port = origin
    other = "http" if scheme == "https" else "https"
    siblings: tuple[Origin, ...] = (origin, Origin(other, host, port))
    if port == DEFAULT_PORTS[scheme]:
        siblings += (Origin(other, host, DEFAULT_PORTS[other]),)
    return siblings


LOCAL = Origin("file", "", 0)
"""What stands for the origin of documents that were not fetched: files, standard input, bytes."""


def document_origin(url: str) -> Origin:
    """Return the origin of a document, for what it links to; `LOCAL` for one that was not fetched."""
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
        return parsed_origin(url)
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
    usual = _START.match(url)
    return _origin_url(url) if usual is None else _origin_url_of_start(usual[0])


@lru_cache(maxsize=1024)
def _origin_url_of_start(start: str) -> str:
    return _origin_url(start)


def _origin_url(url: str) -> str:
    origin = origin_of(url)
    return "" if origin is None else origin.url


def parsed_origin(url: str) -> Origin:
    """Return the origin of an http(s) URL.

    Raises:
        ValueError: The URL has no origin that can be connected to; the text says why.
    """
    parts = urlsplit(url.strip())
    scheme = parts.scheme.lower()
    if scheme not in DEFAULT_PORTS:
        raise ValueError("its scheme is neither http nor https")
    if not parts.hostname:
        raise ValueError("it has no host")
    if ":" not in parts.hostname and parts.netloc.rpartition("@")[2].startswith("["):
        raise ValueError("its host is no valid name")
    try:
        port = parts.port
    except ValueError:
        raise ValueError("its port is no number below 65,536") from None
    if port == 0:
        raise ValueError("its port is 0")
    return Origin(scheme, ascii_host(parts.hostname), port or DEFAULT_PORTS[scheme])


@lru_cache(maxsize=1024)
def ascii_host(host: str) -> str:
    """Return a host as DNS and the Host header want it: in lower case and in ASCII, without a dot at its end.

    Args:
        host: A name or an address; an IPv6 address without brackets.

    Raises:
        ValueError: It is neither; the text says why.

    Example:
        >>> ascii_host("Bücher.Example."), ascii_host("2001:DB8:0::1")
        ('xn--bcher-kva.example', '2001:db8::1')
    """
    if ":" in host:
        return _ipv6(host)
    name = (host.rstrip(".") or host).lower()
    if not name.isascii():
        name = _encoded(name)
    if not _NAME.fullmatch(name):
        raise ValueError("its host is no valid name")
    # What ends in a number is an address to every resolver, also `2130706433`, `127.1` and `0x7f.0.0.1`.
    if _NUMBER.fullmatch(name.rpartition(".")[2]) and not _IPV4.fullmatch(name):
        raise ValueError("its host is an IPv4 address in an unusual notation")
    return name


def in_url(host: str) -> str:
    """Return a host as it stands in a URL: an IPv6 address in brackets."""
    return f"[{host}]" if ":" in host else host


def is_address(host: str) -> bool:
    """Return whether a host is itself an IP address."""
    return ":" in host or _IPV4.fullmatch(host) is not None


def is_localhost(host: str) -> bool:
    """Return whether a host is the name by which every machine calls itself."""
    return host == "localhost" or host.endswith(".localhost")


def _ipv6(host: str) -> str:
    address, percent, zone = host.partition("%")
    try:
        parsed = ip_address(address)
    except ValueError:
        parsed = None
    if not isinstance(parsed, IPv6Address) or (percent and not re.fullmatch(r"[0-9A-Za-z._-]+", zone)):
        raise ValueError("its host is no valid name")
    return parsed.compressed + percent + zone


def _encoded(name: str) -> str:
    """The name in ASCII: https://www.rfc-editor.org/rfc/rfc5891, and what older rules allowed beyond that."""
    import idna

    with suppress(idna.IDNAError):
        return idna.encode(name, uts46=True).decode("ascii").rstrip(".")
    # No label of a host begins or ends with a hyphen: https://www.rfc-editor.org/rfc/rfc5891#section-4.2.3.1
    if not any(label.startswith("-") or label.endswith("-") for label in name.split(".")):
        with suppress(UnicodeError):
            return name.encode("idna").decode("ascii")
    raise ValueError("its host is no valid name")
