"""Origins as users write them: `example.com`, a URL, a name beyond ASCII, a port; what each one means."""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import quote, urlsplit

from urlset.errors import MisuseError
from urlset.net.urlparts import without_surrogates

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")
_DEFAULT_PORTS = {"http": 80, "https": 443}
_NOT_IN_A_HOST = re.compile(r"[\x00-\x20\x7f\"#%/<>?@\\^`{|}]")
_URL_CHARACTERS = "/:;,@!$&'()*+=~%-._"


@dataclass(frozen=True, slots=True)
class Origin:
    """A site to look at.

    Attributes:
        written: What the user wrote.
        scheme: http or https.
        host: In lower case and in ASCII, as it goes over the wire; an IPv6 address without brackets.
        port: The port, if it is not the usual one of the scheme.
        path: The path of the page that the user named, with a slash at its beginning.
        is_scheme_guessed: Whether the user named no scheme.
    """

    written: str
    scheme: str
    host: str
    port: int | None = None
    path: str = "/"
    is_scheme_guessed: bool = False

    @property
    def url(self) -> str:
        """Scheme, host and port: `https://example.com`, without a slash at its end."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}" + (f":{self.port}" if self.port is not None else "")

    @property
    def home(self) -> str:
        """The URL of the page that the user named: the home page."""
        return self.url + self.path

    @property
    def folder(self) -> str:
        """The folder of that page, with a slash at both ends; of `/shop/index.html` it is `/shop/`."""
        return self.path[: self.path.rindex("/") + 1]

    @property
    def unicode_host(self) -> str:
        """The host as people read it; the same as `host` unless that is an internationalised name."""
        if "xn--" not in self.host:
            return self.host
        import idna

        try:
            return idna.decode(self.host)
        except idna.IDNAError:
            return self.host


def parse_origin(written: str) -> Origin:
    """Understands an origin.

    Without a scheme it is https, and http for `localhost` and for addresses: what runs there has no certificate. A
    query and a fragment are dropped, the path is kept as that of the home page.

    Args:
        written: `example.com`, `https://example.com`, `http://localhost:8000/shop/` or the like.

    Raises:
        MisuseError: It is no origin; the text says why.

    Example:
        >>> parse_origin("Bücher.example/shop/?a=b").home
        'https://xn--bcher-kva.example/shop/'
        >>> parse_origin("localhost:8000").url
        'http://localhost:8000'
    """
    text = written.strip()
    if without_surrogates(text) != text:
        raise MisuseError(f"{text}: not an origin: it is not UTF-8")
    if not text:
        raise MisuseError("an origin is empty; write example.com or https://example.com")
    scheme = _SCHEME.match(text)
    if scheme is not None and scheme[1].lower() not in _DEFAULT_PORTS:
        raise MisuseError(f"{text}: an origin is an http or https one, not {scheme[1]}")
    try:
        parts = urlsplit(text if scheme is not None else f"//{text.removeprefix('//')}")
        port = parts.port
    except ValueError as error:
        raise MisuseError(f"{text}: not an origin: {error}") from None
    if parts.username is not None or parts.password is not None:
        raise MisuseError("an origin has no user and password in it; give them with --auth")
    host = _ascii_host(parts.hostname or "", text)
    name = parts.scheme or ("http" if _is_local(host) else "https")
    return Origin(
        written=text,
        scheme=name,
        host=host,
        port=None if port == _DEFAULT_PORTS[name] else port,
        path=quote(parts.path, safe=_URL_CHARACTERS) or "/",
        is_scheme_guessed=scheme is None,
    )


def _ascii_host(host: str, written: str) -> str:
    """The host as it goes over the wire: https://www.rfc-editor.org/rfc/rfc5891."""
    if not host or _NOT_IN_A_HOST.search(host):
        raise MisuseError(f"{written}: not an origin: it names no host; write example.com or https://example.com")
    if host.isascii():
        return host.lower()
    import idna

    try:
        return idna.encode(host, uts46=True).decode("ascii")
    except idna.IDNAError as error:
        raise MisuseError(f"{written}: not an origin: {error}") from None


def _is_local(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
