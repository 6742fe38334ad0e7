"""Choose the headers of each request: credentials go only to the origins that the user named."""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING

from urlset.fetch.encoding import ACCEPTED

if TYPE_CHECKING:
    from pathlib import Path

    from urlset.fetch.request_url import Address
    from urlset.fetch.signing import Signer
    from urlset.net.trust import Trust
    from urlset.options.fetching import FetchingOptions

HARMLESS = frozenset({"accept", "accept-language", "user-agent", "cache-control", "pragma", "referer", "dnt", "from"})
"""Headers without credentials, which any origin may get."""


class Headers:
    """The headers of each request."""

    def __init__(self, options: FetchingOptions, trust: Trust) -> None:
        self._trust = trust
        self._defaults = {"User-Agent": options.user_agent, "Accept-Encoding": ACCEPTED}
        self._secret: list[tuple[str, str]] = []
        for name, value in options.headers:
            if name.lower() in HARMLESS:
                self._defaults[name.title()] = value
            else:
                self._secret.append((name, value))
        if options.auth is not None:
            self._secret.append(("Authorization", basic(options.auth)))
        self._signer = None if options.sign is None else _signer(options.sign)

    def of(self, address: Address, accept: str, method: str = "GET") -> tuple[list[tuple[str, str]], bool]:
        """Return the headers for a URL, and whether they contain credentials.

        Args:
            accept: The Accept header, if the user set none.
            method: The method, which a signature covers.
        """
        headers = list(({"Accept": accept} | self._defaults).items())
        secret = list(self._secret) if self._trust.may_have_secrets(address.origin) else []
        secret += self._trust.headers_of(address.origin)
        if self._signer is not None and self._trust.may_have_secrets(address.origin):
            secret += self._signer.headers(method, address)
        if address.auth is not None:
            secret = [(name, value) for name, value in secret if name.lower() != "authorization"]
            secret.append(("Authorization", basic(address.auth)))
        return headers + secret, bool(secret)


def _signer(path: Path) -> Signer:
    from urlset.fetch.signing import Signer, key_in

    return Signer(key_in(path))


def basic(auth: str) -> str:
    """Return the value of the Authorization header for `user:password`."""
    return f"Basic {b64encode(auth.encode()).decode()}"
