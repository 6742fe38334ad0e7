"""URLs as they are asked for: what goes on the wire, what is shown, and where a redirect leads."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import quote, unquote, urljoin, urlsplit, urlunsplit

from yarl import URL

from urlset.urlparts import without_surrogates

KEPT = "!$&'()*+,;=:@/?%~-._[]"
"""Characters of a path and a query that stand as they are; what is percent-encoded stays so."""

LONGEST_URL = 16 * 1024
"""Characters of a URL, at most: servers refuse longer ones, and a redirect could bring one of any length."""

_PORTS = {"http": 80, "https": 443}
_IPV4 = re.compile(r"(?:(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])(?:\.(?!$)|$)){4}")
_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_USUAL = re.compile(
    r"(https?://[A-Za-z0-9.:-]+)(/[A-Za-z0-9!$&'()*+,;=:@/%~._-]*)?(\?[A-Za-z0-9!$&'()*+,;=:@/?%~._-]+)?"
)
"""A URL of which nothing changes on the wire but, maybe, what stands before its path."""


class Origin(NamedTuple):
    """Scheme, host and port: what a connection belongs to."""

    scheme: str
    host: str
    port: int

    def is_as_safe_as(self, other: Origin) -> bool:
        """Whether what is meant for the other may go here: it is the same, or the same host by TLS."""
        if self == other:
            return True
        usual = (self.port, other.port) == (443, 80)
        return self.host == other.host and self.scheme == "https" and (usual or self.port == other.port)


@dataclass(frozen=True, slots=True)
class Address:
    """A URL that can be asked for.

    Attributes:
        url: As it goes on the wire: without user, password and fragment.
        origin: Where the connection goes.
        auth: The user and password that stood in it, as `user:password`; None if there were none.
    """

    url: str
    origin: Origin
    auth: str | None = None

    @property
    def wire(self) -> URL:
        """For aiohttp, which then changes nothing of it."""
        return URL(self.url, encoded=True)


def address_of(url: str) -> Address:
    """Makes ready to ask for a URL.

    Raises:
        ValueError: It is no URL that can be asked for; the text says why.
    """
    if without_surrogates(url) != url:
        raise ValueError("it is not UTF-8")
    if len(url) > LONGEST_URL:
        raise ValueError(f"longer than {LONGEST_URL:,} characters")
    if (usual := _USUAL.fullmatch(url)) is not None:
        start, path, query = usual.groups()
        site = _site(start)
        return Address(f"{site.url[:-1]}{path or '/'}{query or ''}", site.origin)
    return _address_of(url)


@lru_cache(maxsize=1024)
def _site(start: str) -> Address:
    """The address of a home page, which the pages of its site have in common."""
    return _address_of(f"{start}/")


def _address_of(url: str) -> Address:
    parts = urlsplit(url.strip())
    scheme = parts.scheme.lower()
    if scheme not in _PORTS:
        raise ValueError("its scheme is neither http nor https")
    if not parts.hostname:
        raise ValueError("it has no host")
    try:
        port = parts.port
    except ValueError:
        raise ValueError("its port is no number below 65,536") from None
    if port == 0:
        raise ValueError("its port is 0")
    host = _ascii_host(parts.hostname)
    shown_host = f"[{host}]" if ":" in host else host
    netloc = shown_host if port is None else f"{shown_host}:{port}"
    path = quote(parts.path, safe=KEPT) or "/"
    wire = urlunsplit((scheme, netloc, path, quote(parts.query, safe=KEPT), ""))
    auth = None
    if parts.username is not None:
        auth = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
    return Address(wire, Origin(scheme, host, port or _PORTS[scheme]), auth)


@lru_cache(maxsize=1024)
def _ascii_host(host: str) -> str:
    """The host as DNS and the Host header want it."""
    try:
        ascii_host = URL.build(scheme="http", host=host.rstrip(".") or host).raw_host
    except ValueError:
        ascii_host = None
    if not ascii_host or re.search(r"[^0-9a-z._:%-]", ascii_host):
        raise ValueError("its host is no valid name")
    # What ends in a number is an address to every resolver, also `2130706433`, `127.1` and `0x7f.0.0.1`.
    if re.fullmatch(r"0x[0-9a-f]*|[0-9]+", ascii_host.rpartition(".")[2]) and not _IPV4.fullmatch(ascii_host):
        raise ValueError("its host is an IPv4 address in an unusual notation")
    return ascii_host


def redirected(address: Address, location: str) -> Address:
    """Where a redirect leads. A user and password in it are not taken over.

    Raises:
        ValueError: It leads to no URL that can be asked for.
    """
    # aiohttp gives bytes of headers that are no UTF-8 as surrogates; on the wire they are what they were.
    text = location.strip()
    if not text.isascii():
        try:
            text = quote(text.encode("utf-8", "surrogateescape"), safe=KEPT + "#")
        except UnicodeEncodeError:
            raise ValueError("it is not UTF-8") from None
    # urljoin takes `http://` alone for a relative reference.
    there = address_of(text if _ABSOLUTE.match(text) else urljoin(address.url, text))
    return Address(there.url, there.origin, address.auth if there.origin.is_as_safe_as(address.origin) else None)
