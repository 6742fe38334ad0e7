"""Ask a preview in place of its site, and return its responses as those of the site."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING

from urlset.fetch.reply import Reply
from urlset.fetch.request_url import Address
from urlset.fetch.response import FetchError
from urlset.net.origin import origin_of
from urlset.net.urlparts import split_url
from urlset.web.html_page import is_html
from urlset.web.robots_txt import Robots

if TYPE_CHECKING:
    from urlset.fetch.exchange import Exchange
    from urlset.fetch.reply import RequestSettings
    from urlset.net.origin import Origin
    from urlset.net.previews import Preview
    from urlset.net.trust import Trust

EVERYTHING = frozenset({"/", "/*", "*"})
"""Paths of `Disallow` that match every URL."""

_HAS_HOST = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*:)?//")


class PreviewExchange:
    """Sends requests for sites to their previews, and all others as they are.

    The address of a preview is guarded like that of any host that the user named. What a preview adds to all responses
    is removed and counted; `stages/examine_preview.py` finds out what that is.
    """

    def __init__(self, exchange: Exchange, trust: Trust) -> None:
        self._exchange = exchange
        self._trust = trust

    async def open(self) -> None:
        await self._exchange.open()

    async def close(self) -> None:
        await self._exchange.close()

    async def ask(self, address: Address, via: Origin | None, request: RequestSettings, seconds: float) -> Reply:
        """Send one request, without following redirects; see `Exchange.ask`."""
        preview = self._trust.preview_for(address.origin)
        if preview is None:
            if (of_host := self._trust.preview_of_host(address.origin)) is not None:
                reply = Reply()
                reply.fail(FetchError.OUTSIDE, f"the preview answers only for {of_host.site.url}")
                return reply
            return await self._exchange.ask(address, via, request, seconds)
        there = Address(preview.origin.url + address.target, preview.origin, address.auth)
        reply = await self._exchange.ask(there, via, request, seconds)
        _translate_location(reply, there, preview)
        _remove_directives(reply, address, request.method, preview)
        if address.target == "/robots.txt":
            _allow_everything(reply, preview)
        return reply


def _translate_location(reply: Reply, there: Address, preview: Preview) -> None:
    """Make a redirect to the preview one to its site."""
    location = reply.headers.get("location", "").strip()
    if not _HAS_HOST.match(location):
        return
    url = f"{there.origin.scheme}:{location}" if location.startswith("//") else location
    origin = origin_of(url)
    if origin is None or not preview.is_at(origin):
        return
    parts = split_url(url)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    if origin != preview.origin and target == there.target:
        reply.fail(FetchError.BAD_REDIRECT, f"the preview redirects to {origin.url}; name this URL in --map instead")
        return
    fragment = f"#{parts.fragment}" if parts.fragment else ""
    reply.headers = MappingProxyType({**reply.headers, "location": preview.site.url + target + fragment})


def _remove_directives(reply: Reply, address: Address, method: str, preview: Preview) -> None:
    """Remove the directives for crawlers that the preview adds to all responses, once each."""
    is_page = method == "GET" and reply.status == 200 and is_html(reply.headers.get("content-type"))
    if is_page:
        preview.pages.add(hash(address.target))
    if not preview.directives or (tag := reply.headers.get("x-robots-tag")) is None:
        return
    own = [directive.strip() for directive in tag.split(",")]
    count = len(own)
    for added in preview.directives:
        match = next((directive for directive in own if directive.lower() == added), None)
        if match is not None:
            own.remove(match)
    if len(own) == count:
        return
    if is_page:
        preview.pages_with_directives.add(hash(address.target))
    headers = {name: value for name, value in reply.headers.items() if name != "x-robots-tag"}
    reply.headers = MappingProxyType(headers | ({"x-robots-tag": ", ".join(own)} if own else {}))


def _allow_everything(reply: Reply, preview: Preview) -> None:
    """Empty the rule of robots.txt that disallows everything for all crawlers, and keep all other lines."""
    if reply.status != 200 or not isinstance(reply.content, bytes):
        return
    lines = {
        rule.line
        for group in Robots.parse(reply.content).groups
        if any(agent.value.strip() == "*" for agent in group.agents)
        for rule in group.rules
        if not rule.allow and rule.pattern in EVERYTHING
    }
    if not lines:
        return
    preview.disallow_line = min(lines)
    reply.content = b"".join(
        b"Disallow:" + line[len(line.rstrip(b"\r\n")) :] if number in lines else line
        for number, line in enumerate(reply.content.splitlines(keepends=True), start=1)
    )
