"""Parses origins as users write them: `example.com`, a URL, a non-ASCII name, a port."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import quote

from urlset.errors import UsageError
from urlset.net import origin as net
from urlset.net.urlparts import without_surrogates
from urlset.text.masking import mask_target

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")
_NOT_IN_A_HOST = re.compile(r"[\x00-\x20\x7f\"#%/<>?@\\^`{|}]")
_URL_CHARACTERS = "/:;,@!$&'()*+=~%-._"


@dataclass(frozen=True, slots=True)
class SiteOrigin:
    """A site to check.

    Attributes:
        as_written: The origin as the user wrote it.
        scheme: http or https.
        host: The host in lowercase and ASCII, as sent over the network; an IPv6 address without brackets.
        port: The port, if it is not the default of the scheme.
        path: The path of the given page, with a leading slash.
        is_scheme_guessed: Whether the user omitted the scheme.
    """

    as_written: str
    scheme: str
    host: str
    port: int | None = None
    path: str = "/"
    is_scheme_guessed: bool = False

    @property
    def url(self) -> str:
        """Scheme, host, and port: `https://example.com`, without a trailing slash."""
        return net.Origin(self.scheme, self.host, self.port or net.DEFAULT_PORTS[self.scheme]).url

    @property
    def home(self) -> str:
        """The URL of the given page: the home page."""
        return self.url + self.path

    @property
    def folder(self) -> str:
        """The folder of that page, with a slash at both ends: `/shop/` for `/shop/index.html`."""
        return self.path[: self.path.rindex("/") + 1]


def parse_origin(written: str) -> SiteOrigin:
    """Parse an origin.

    The default scheme is https, or http for `localhost` and IP addresses, which usually have no certificate. Query and
    fragment are dropped. The path is kept as the path of the home page.

    Args:
        written: `example.com`, `https://example.com`, `http://localhost:8000/shop/`, or similar.

    Raises:
        UsageError: The text is not an origin; the message says why.

    Example:
        >>> parse_origin("Bücher.example/shop/?a=b").home
        'https://xn--bcher-kva.example/shop/'
        >>> parse_origin("localhost:8000").url
        'http://localhost:8000'
    """
    text = written.strip()
    if not text:
        raise UsageError("empty origin; write example.com or https://example.com")
    masked_text = mask_target(text)
    if without_surrogates(text) != text:
        raise UsageError(f"{masked_text}: not an origin: it is not UTF-8")
    scheme = _SCHEME.match(text)
    if scheme is not None and scheme[1].lower() not in net.DEFAULT_PORTS:
        raise UsageError(f"{masked_text}: not an origin: the scheme must be http or https, not {scheme[1]}")
    try:
        parts, port = net.split(text if scheme is not None else f"//{text.removeprefix('//')}")
    except ValueError as error:
        raise UsageError(f"{masked_text}: not an origin: {error}") from None
    if parts.username is not None or parts.password is not None:
        raise UsageError("an origin must not contain a user name or password; use --auth instead")
    host = _ascii_host(parts.hostname or "", masked_text)
    name = parts.scheme or ("http" if net.is_localhost(host) or net.is_address(host) else "https")
    return SiteOrigin(
        as_written=text,
        scheme=name,
        host=host,
        port=None if port == net.DEFAULT_PORTS[name] else port,
        path=quote(parts.path, safe=_URL_CHARACTERS) or "/",
        is_scheme_guessed=scheme is None,
    )


def _ascii_host(host: str, masked_text: str) -> str:
    if not host or _NOT_IN_A_HOST.search(host):
        raise UsageError(f"{masked_text}: not an origin: it has no host; write example.com or https://example.com")
    try:
        return net.ascii_host(host)
    except ValueError as error:
        raise UsageError(f"{masked_text}: not an origin: {error}") from None
