"""The requests of a check of clients: each asks for the same address in another way."""

from __future__ import annotations

import socket
from enum import StrEnum
from typing import TYPE_CHECKING
from urllib.parse import urlunsplit

from msgspec import Struct

from urlset.net.origin import is_address, is_localhost
from urlset.net.urlparts import split_url
from urlset.web.agents import known_agent

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from urlset.web.agents import KnownAgent


class Group(StrEnum):
    """The group of requests that a request is compared with."""

    SAME = "same"
    """Nothing is different: the answers must be equal."""
    CRAWLER = "crawler"
    """The user agent of a crawler."""
    BROWSER = "browser"
    """The user agent of a browser."""
    METHOD = "method"
    ENCODING = "encoding"
    FORMAT = "format"
    """Another format, whose content differs."""
    CONDITION = "condition"
    RANGE = "range"
    NETWORK = "network"
    """Another version of IP or HTTP."""
    ADDRESS = "address"
    """Another spelling of the address."""
    MISSING = "missing"
    """An address that does not exist."""
    ROBOTS = "robots"


class Request(Struct, frozen=True, kw_only=True):
    """One way to ask.

    Attributes:
        name: Its name in reports.
        about: What is different, as a phrase.
        url: The address, where it is another one.
        method: GET or HEAD.
        headers: Headers that differ from those of the first request; an empty value removes one.
        family: The version of IP; AF_UNSPEC for any.
        reads_all: Whether the whole body is read, and not only its start.
    """

    name: str
    group: Group
    about: str
    url: str = ""
    method: str = "GET"
    headers: Mapping[str, str] = {}
    family: int = socket.AF_UNSPEC
    is_http2: bool = False
    reads_all: bool = False


FIRST = "urlset"
"""The request that the others are compared with."""

INVENTED_TAG = '"urlset-has-never-seen-this"'
"""An entity tag that no server has given out."""

CRAWLERS = ("Googlebot", "Bingbot", "GPTBot", "ClaudeBot")
"""Product tokens of the crawlers to ask as, which have a published user agent."""

BROWSER = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36"
)
"""The user agent of a browser."""


def requests_for(url: str) -> Iterator[Request]:
    """Yield every way to ask for an address, in the order of the requests. Conditions need the first answer."""
    parts = split_url(url)
    yield Request(name=FIRST, group=Group.SAME, about="as urlset", reads_all=True)
    yield from requests_as(filter(None, map(known_agent, CRAWLERS)))
    yield Request(
        name="browser", group=Group.BROWSER, about="under the user agent of a browser", headers={"User-Agent": BROWSER}
    )
    yield Request(name="again", group=Group.SAME, about="as urlset, a second time")
    yield Request(name="head", group=Group.METHOD, about="HEAD, which asks for the headers alone", method="HEAD")
    yield Request(
        name="identity", group=Group.ENCODING, about="without compression", headers={"Accept-Encoding": "identity"}
    )
    yield Request(name="brotli", group=Group.ENCODING, about="with Brotli", headers={"Accept-Encoding": "br"})
    yield Request(
        name="markdown",
        group=Group.FORMAT,
        about="as Markdown, which some agents prefer",
        headers={"Accept": "text/markdown, */*;q=0.1"},
    )
    yield Request(
        name="other-version",
        group=Group.CONDITION,
        about="only if it is not a version that the server has never had",
        headers={"If-None-Match": INVENTED_TAG},
    )
    yield Request(name="same-version", group=Group.CONDITION, about="only if it has changed since the first answer")
    yield Request(name="range", group=Group.RANGE, about="only its first 100 bytes", headers={"Range": "bytes=0-99"})
    yield Request(name="ipv4", group=Group.NETWORK, about="over IPv4", family=socket.AF_INET)
    yield Request(name="ipv6", group=Group.NETWORK, about="over IPv6", family=socket.AF_INET6)
    if parts.scheme == "https":
        yield Request(name="http2", group=Group.NETWORK, about="over HTTP/2", is_http2=True)
    for name, about, other in _other_addresses(url):
        yield Request(name=name, group=Group.ADDRESS, about=about, url=other)
    missing = f"{parts.path.rpartition('/')[0]}/urlset-checks-a-missing-page"
    yield Request(
        name="missing",
        group=Group.MISSING,
        about="an address that should not exist",
        url=urlunsplit(parts._replace(path=missing, query="")),
    )
    yield Request(
        name="robots.txt",
        group=Group.ROBOTS,
        about="robots.txt of the site",
        url=urlunsplit(parts._replace(path="/robots.txt", query="")),
        reads_all=True,
    )
    yield Request(name="at the end", group=Group.SAME, about="as urlset, a third time")


def requests_as(agents: Iterable[KnownAgent]) -> Iterator[Request]:
    """Yield a request under the user agent of each crawler that has a published one."""
    for agent in agents:
        if agent.user_agent:
            yield Request(
                name=agent.name,
                group=Group.CRAWLER,
                about=f"under the user agent of {agent.name}",
                headers={"User-Agent": agent.user_agent},
            )


def _other_addresses(url: str) -> Iterator[tuple[str, str, str]]:
    parts = split_url(url)
    host = parts.hostname or ""
    is_name = not (is_address(host) or is_localhost(host)) and "." in host
    if is_name and parts.port is None:
        scheme = "http" if parts.scheme == "https" else "https"
        yield scheme, f"over {scheme}", urlunsplit(parts._replace(scheme=scheme))
    if is_name:
        bare = host.removeprefix("www.")
        other = bare if bare != host else f"www.{host}"
        port = "" if parts.port is None else f":{parts.port}"
        about = "without www" if bare != host else "with www"
        yield "www", about, urlunsplit(parts._replace(netloc=other + port))
    if "." not in parts.path.rpartition("/")[2] and parts.path not in ("", "/"):
        path = parts.path.rstrip("/") if parts.path.endswith("/") else f"{parts.path}/"
        about = "without the final slash" if parts.path.endswith("/") else "with a final slash"
        yield "slash", about, urlunsplit(parts._replace(path=path))
