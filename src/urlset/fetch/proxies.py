"""Proxies: the one of the options, or those of the environment variables that other tools go by, too."""

from __future__ import annotations

import urllib.request
from typing import TYPE_CHECKING, NamedTuple

from urlset.errors import UsageError
from urlset.fetch.address import address_of
from urlset.fetch.secrets import basic
from urlset.net.origin import in_url

if TYPE_CHECKING:
    from yarl import URL

    from urlset.fetch.address import Address
    from urlset.net.origin import Origin


class Proxy(NamedTuple):
    """A proxy: its URL, and the header that it wants to see."""

    url: URL
    authorization: str | None


class Proxies:
    """Finds the proxy of an address: HTTP_PROXY, HTTPS_PROXY and ALL_PROXY in either case, but for NO_PROXY.

    Args:
        proxy: The proxy for all of them; None to go by the environment alone.

    Raises:
        UsageError: A proxy is no http(s) URL.
    """

    def __init__(self, proxy: str | None) -> None:
        environment = urllib.request.getproxies_environment()
        self._without = {"no": environment.get("no", "")}
        self._by_scheme: dict[str, Proxy] = {}
        for scheme in ("http", "https"):
            if proxy is not None:
                self._by_scheme[scheme] = _proxy(proxy, "--proxy")
            elif text := environment.get(scheme) or environment.get("all"):
                name = scheme if environment.get(scheme) else "all"
                self._by_scheme[scheme] = _proxy(text, f"{name.upper()}_PROXY")

    def of(self, address: Address) -> Proxy | None:
        """The proxy through which an address is asked; None for none."""
        proxy = self._by_scheme.get(address.origin.scheme)
        if proxy is None or self._is_excepted(address.origin):
            return None
        return proxy

    def _is_excepted(self, origin: Origin) -> bool:
        return bool(urllib.request.proxy_bypass_environment(f"{in_url(origin.host)}:{origin.port}", self._without))  # type: ignore[attr-defined]


def _proxy(text: str, origin: str) -> Proxy:
    try:
        address = address_of(text if "://" in text else f"http://{text}")
    except ValueError as error:
        # The URL itself is not shown: there may be a password in it.
        raise UsageError(f"{origin}: not a proxy that can be used: {error}; give http://host:port") from None
    return Proxy(address.wire, None if address.auth is None else basic(address.auth))
