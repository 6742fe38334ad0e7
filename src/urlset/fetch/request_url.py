"""URLs as they are requested: what is sent, and where a redirect leads."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote, urljoin, urlsplit

from msgspec import Struct

from urlset.net.origin import Origin, in_url, parse_origin
from urlset.net.urlparts import without_surrogates

if TYPE_CHECKING:
    from yarl import URL

KEPT = "!$&'()*+,;=:@/?%~-._[]"
"""Characters of a path and a query that are sent as they are. Percent-encoded characters stay encoded."""

LONGEST_URL = 16 * 1024
"""Maximum characters of a URL: servers refuse longer ones, and a redirect can have any length."""

_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")


class Address(Struct, frozen=True):
    """A URL that can be requested.

    Attributes:
        url: The URL as sent: without user name, password, and fragment.
        auth: The user name and password of the URL, as `user:password`; None if it has none.
    """

    url: str
    origin: Origin
    auth: str | None = None

    @property
    def wire(self) -> URL:
        """The URL for aiohttp, marked as encoded so that aiohttp does not change it."""
        # A directory is read without it.
        from yarl import URL

        return URL(self.url, encoded=True)

    @property
    def start(self) -> str:
        """The URL of the home page."""
        return self.url[: self._path + 1]

    @property
    def target(self) -> str:
        """The path and query to request."""
        return self.url[self._path :]

    @property
    def _path(self) -> int:
        return self.url.index("/", len("https://"))


def address_of(url: str) -> Address:
    """Return a URL in the form in which it is requested.

    Raises:
        ValueError: The URL cannot be requested; the message says why.
    """
    if without_surrogates(url) != url:
        raise ValueError("it is not UTF-8")
    if len(url) > LONGEST_URL:
        raise ValueError(f"longer than {LONGEST_URL:,} characters")
    origin = parse_origin(url)
    parts = urlsplit(url.strip())
    path = quote(parts.path, safe=KEPT) or "/"
    wire = f"{_as_written(origin, parts.port)}{path}" + (f"?{quote(parts.query, safe=KEPT)}" if parts.query else "")
    auth = None
    if parts.username is not None:
        auth = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
    return Address(wire, origin, auth)


def _as_written(origin: Origin, port: int | None) -> str:
    """Return the URL of the origin, with its default port if the URL has one."""
    return f"{origin.scheme}://{in_url(origin.host)}" + ("" if port is None else f":{port}")


def redirect_address(address: Address, location: str) -> Address:
    """Return where a redirect leads.

    Credentials in the Location are ignored. Those of the address are kept for an origin that is as safe.

    Raises:
        ValueError: The target is not a URL that can be requested.
    """
    # aiohttp represents header bytes that are not UTF-8 as surrogates. Send the original bytes.
    text = location.strip()
    if not text.isascii():
        try:
            text = quote(text.encode("utf-8", "surrogateescape"), safe=KEPT + "#")
        except UnicodeEncodeError:
            raise ValueError("it is not UTF-8") from None
    # urljoin treats `http://` alone as a relative reference.
    there = address_of(text if _ABSOLUTE.match(text) else urljoin(address.url, text))
    return Address(there.url, there.origin, address.auth if there.origin.is_as_safe_as(address.origin) else None)
