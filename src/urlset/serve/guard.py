"""Access to the workbench: the hosts it answers to, the origin of a request, and the token of a shared server.

A page of another site can make a browser send requests to this machine, or have its own name lead here (DNS
rebinding). Therefore, Host and Origin are checked for every request, and forms have a token that other sites cannot
read: https://cheatsheetseries.owasp.org/cheatsheets/Cross-Site_Request_Forgery_Prevention_Cheat_Sheet.html
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from http.cookies import CookieError, SimpleCookie
from ipaddress import ip_address
from typing import TYPE_CHECKING

from msgspec import Struct, field
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

SESSION = "urlset-session"
"""The cookie of a browser that has given the token, without the name of the server."""

BROWSER = "urlset-browser"
"""The cookie that the tokens of forms belong to, without the name of the server."""

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
"""The names that a server on the loopback network answers to."""

_HOST = re.compile(r"(?:\[([0-9a-f:.]+)\]|([^\[\]:@/\s]+))(?::\d{1,5})?")
"""A Host header: an IPv6 address in brackets, or a name, and a port."""

OPEN = frozenset({"/login"})
"""Paths that need no token."""

POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
"""https://www.w3.org/TR/CSP3/"""

HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # `no-referrer` would remove the origin from requests of forms.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "private, no-cache",
}


class Access(Struct, frozen=True):
    """The protection of a server.

    Attributes:
        names: The names of the server, in lowercase; with a token, it also answers to IP addresses.
        token: The token that browsers need; None on the loopback network.
        key: A secret of this process.
        cookies: What the names of its cookies end with. Browsers send cookies to all ports of a host, so those of two
            servers must differ.
    """

    names: frozenset[str] = LOOPBACK
    token: str | None = None
    key: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    cookies: str = ""

    @property
    def session_cookie(self) -> str:
        return SESSION + self.cookies

    @property
    def browser_cookie(self) -> str:
        return BROWSER + self.cookies

    def is_known(self, host: str) -> bool:
        """Return whether a request may name this host."""
        name = _name(host)
        return name in self.names or (self.token is not None and _is_address(name))

    @property
    def session(self) -> str:
        """The value of the cookie of a browser that has given the token."""
        return self._sign(f"session {self.token}")

    def is_token(self, text: str) -> bool:
        return self.token is not None and hmac.compare_digest(text.encode(), self.token.encode())

    def form_token(self, browser: str) -> str:
        """Return the token for forms in a browser, by its cookie `BROWSER`."""
        return self._sign(f"form {browser}")

    def is_form_token(self, browser: str, text: str) -> bool:
        return bool(browser) and hmac.compare_digest(text.encode(), self.form_token(browser).encode())

    def logged_in(self) -> Response:
        """Return the response to a browser that has given the token."""
        response = RedirectResponse("/", 303)
        response.set_cookie(self.session_cookie, self.session, httponly=True, samesite="strict", path="/")
        return response

    def _sign(self, text: str) -> str:
        return hmac.new(self.key, text.encode(), hashlib.sha256).hexdigest()


class Guard:
    """ASGI middleware that refuses what other sites send, and what has no token."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app = app
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        cookies = _cookies(headers)
        browser = cookies.get(self._access.browser_cookie, "")
        is_new = not browser
        if is_new:
            browser = secrets.token_urlsafe(24)
        scope["urlset.browser"] = browser
        scope["urlset.is_foreign"] = headers.get("sec-fetch-site", "none") not in ("same-origin", "none")

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                sent = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    sent.setdefault(name, value)
                if is_new:
                    name = self._access.browser_cookie
                    sent.append("Set-Cookie", f"{name}={browser}; Path=/; HttpOnly; SameSite=Strict")
            await send(message)

        refused = self._refusal(scope, headers, cookies)
        await (refused or self._app)(scope, receive, sending)

    def _refusal(self, scope: Scope, headers: Headers, cookies: dict[str, str]) -> Response | None:
        """Return the response to a request that is refused; None if it is not."""
        host = headers.get("host", "")
        if not self._access.is_known(host):
            return PlainTextResponse(
                "This server does not answer to that name. Start `urlset serve` with --name to add it.\n", 421
            )
        is_read = scope["method"] in ("GET", "HEAD")
        origin = headers.get("origin")
        if origin is not None and origin != f"{scope['scheme']}://{host}":
            return PlainTextResponse("This request comes from another site.\n", 403)
        # A page in a frame has another destination: https://www.w3.org/TR/fetch-metadata/#sec-fetch-dest-header
        is_page = headers.get("sec-fetch-dest", "document") == "document"
        is_link = is_read and is_page and headers.get("sec-fetch-mode") == "navigate"
        if scope["urlset.is_foreign"] and not is_link:
            return PlainTextResponse("This request comes from another site.\n", 403)
        if self._access.token is None or scope["path"] in OPEN or scope["path"].startswith("/static/"):
            return None
        if hmac.compare_digest(cookies.get(self._access.session_cookie, "").encode(), self._access.session.encode()):
            return None
        return RedirectResponse("/login", 303)


def _cookies(headers: Headers) -> dict[str, str]:
    try:
        return {name: morsel.value for name, morsel in SimpleCookie(headers.get("cookie", "")).items()}
    except CookieError:
        return {}


def _name(host: str) -> str:
    """Return a Host header without its port; the empty string if it is not valid."""
    match = _HOST.fullmatch(host.lower())
    return (match[1] or match[2]) if match else ""


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
