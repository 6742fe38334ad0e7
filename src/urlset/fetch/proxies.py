"""Choose the proxy: that of the options, or those of the usual environment variables."""

from __future__ import annotations

import urllib.request
from typing import TYPE_CHECKING, NamedTuple

from urlset.errors import UsageError
from urlset.fetch.request_url import address_of
from urlset.fetch.secrets import basic
from urlset.net.origin import in_url

if TYPE_CHECKING:
    from yarl import URL

    from urlset.fetch.request_url import Address
    from urlset.net.origin import Origin


class Proxy(NamedTuple):
    """A proxy: its URL, and its Proxy-Authorization header."""

    url: URL
    authorization: str | None


class Proxies:
    """Finds the proxy of a URL: HTTP_PROXY, HTTPS_PROXY, and ALL_PROXY in either case, except for hosts in NO_PROXY.

    Args:
        proxy: The proxy for all URLs; None to use the environment variables.

    Raises:
        UsageError: A proxy is not an http(s) URL.
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
        """Return the proxy for a URL; None to connect directly."""
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
        # The message leaves out the URL, which may contain a password.
        raise UsageError(f"{origin}: invalid proxy URL: {error}; use http://host:port") from None
    return Proxy(address.wire, None if address.auth is None else basic(address.auth))
