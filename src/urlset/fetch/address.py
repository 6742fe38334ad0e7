"""URLs as they are asked for: what goes on the wire, what is shown, and where a redirect leads."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import quote, unquote, urljoin, urlsplit

from yarl import URL

from urlset.net.origin import Origin, parsed_origin
from urlset.net.urlparts import without_surrogates

KEPT = "!$&'()*+,;=:@/?%~-._[]"
"""Characters of a path and a query that stand as they are; what is percent-encoded stays so."""

LONGEST_URL = 16 * 1024
"""Characters of a URL, at most: servers refuse longer ones, and a redirect could bring one of any length."""

_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_USUAL = re.compile(
    r"(https?://[A-Za-z0-9.:-]+)(/[A-Za-z0-9!$&'()*+,;=:@/%~._-]*)?(\?[A-Za-z0-9!$&'()*+,;=:@/?%~._-]+)?"
)
"""A URL of which nothing changes on the wire but, maybe, what stands before its path."""


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
    origin = parsed_origin(url)
    parts = urlsplit(url.strip())
    path = quote(parts.path, safe=KEPT) or "/"
    wire = f"{_as_written(origin, parts.port)}{path}" + (f"?{quote(parts.query, safe=KEPT)}" if parts.query else "")
    auth = None
    if parts.username is not None:
        auth = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
    return Address(wire, origin, auth)


def _as_written(origin: Origin, port: int | None) -> str:
    """The URL of the origin, with its default port if that was written."""
    host = f"[{origin.host}]" if ":" in origin.host else origin.host
    return f"{origin.scheme}://{host}" + ("" if port is None else f":{port}")


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
