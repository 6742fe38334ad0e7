"""Every server of the world: public ones with the lures, at all other addresses victims, which record what comes."""

from __future__ import annotations

import contextlib
import html
import socket
import ssl
import threading
import tomllib
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

VECTORS: dict[str, Any] = tomllib.loads(Path(__file__).with_name("vectors.toml").read_text("utf-8"))
TARGETS: dict[str, dict[str, Any]] = VECTORS["targets"]
PUBLIC = ["93.184.215.14", "8.8.4.4", "2606:4700::1111"]
TLS_ADDRESSES = (*PUBLIC, "127.0.0.1", "10.0.0.5", "::1", "fd00::5")
"""Where TLS is spoken: not at `FLIPPED`, so that plain HTTP is tried there."""
PORTS = {80: False, 8080: False, 22: False, 6379: False, 443: True, 8443: True}
"""The ports that servers listen at, and whether by TLS."""
CODES = (301, 302, 303, 307, 308)
SECRET = "s3cr3t"
AUTH = "bob:hunter2"
PRIVATE_HOST = "10.0.0.7"
"""A private host that the user names in some runs."""
FLIPPED = "127.0.0.9"
"""Where `flip.test` leads at first."""
ROOT = (
    'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml" '
    'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1" '
    'xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"'
)
SITE = "http://public.test"
_IPV6_FREEBIND = 78
"""Lets a socket be bound to an address that is local by its route alone: linux/in6.h."""
NUMBERS = {name: number for number, name in enumerate(TARGETS)}


def victim(place: str, name: str) -> str:
    """The URL of a target as it stands in a place: its path says which vector it is."""
    url: str = TARGETS[name]["url"]
    return url.replace("{v}", f"/v/{place}/{name}")


@dataclass
class Record:
    """What came in since it was last emptied.

    Attributes:
        connections: The addresses and ports at which victims were connected to.
        asked: What public servers were asked for: scheme, host with port, path.
        requests: The same, with the method.
        told: Each request with a secret of the user's: scheme, host with port, path.
        victims: What victims were asked for, as `asked`, each with the address.
    """

    connections: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    victims: list[str] = field(default_factory=list)


class World:
    """The servers, which run until the process ends.

    Attributes:
        record: What came in.
    """

    def __init__(self, has_six: bool, tls: ssl.SSLContext) -> None:
        self.record = Record()
        for port, is_tls in PORTS.items():
            for address in TLS_ADDRESSES if is_tls else ("0.0.0.0", "::"):
                family = socket.AF_INET6 if ":" in address else socket.AF_INET
                if family == socket.AF_INET or has_six:
                    server = _Server(family, (address, port), self.record, tls if is_tls else None)
                    threading.Thread(target=server.serve_forever, daemon=True).start()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 512
    allow_reuse_address = True

    def __init__(
        self, family: socket.AddressFamily, place: tuple[str, int], record: Record, tls: ssl.SSLContext | None
    ) -> None:
        self.address_family = family
        self.record = record
        self.tls = tls
        super().__init__(place, _Handler, bind_and_activate=False)
        if family == socket.AF_INET6:
            self.socket.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        self.server_bind()
        self.server_activate()

    def server_bind(self) -> None:
        # That of HTTPServer would ask the name server for the name of the address.
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if self.address_family == socket.AF_INET6:
            self.socket.setsockopt(socket.IPPROTO_IPV6, _IPV6_FREEBIND, 1)
        self.socket.bind(self.server_address)
        self.server_name, self.server_port = "world", int(self.server_address[1])

    def get_request(self) -> tuple[socket.socket, Any]:
        connection, client = super().get_request()
        address, port = connection.getsockname()[:2]
        if address not in PUBLIC:
            self.record.connections.append(f"{address} port {port}")
        return connection, client

    def finish_request(self, request: Any, client_address: Any) -> None:
        if self.tls is not None:
            request.settimeout(5)
            request = self.tls.wrap_socket(request, server_side=True)
            request.settimeout(None)
        super().finish_request(request, client_address)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Stays quiet: clients hang up."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_GET(self) -> None:
        address = self.connection.getsockname()[0]
        scheme = "http" if self.server.tls is None else "https"
        host = (self.headers.get("Host") or "").lower()
        what = f"{scheme}://{host}{self.path}"
        record = self.server.record
        sent = f"{self.headers.get('X-Secret')} {self.headers.get('Authorization')}"
        if SECRET in sent or "Ym9iOmh1bnRlcjI=" in sent:
            record.told.append(what if address in PUBLIC else f"{what} at {address}")
        if address in PUBLIC:
            record.asked.append(what)
            record.requests.append(f"{self.command} {what}")
        else:
            record.victims.append(f"{address}: {what}")
        status, headers, body = answer(host.partition(":")[0], self.path, scheme)
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value.encode("utf-8").decode("latin-1"))
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        with contextlib.suppress(ConnectionError):
            self.wfile.write(b"" if self.command == "HEAD" else body)

    def do_HEAD(self) -> None:
        self.do_GET()

    def log_message(self, *args: object) -> None:
        """Stays quiet."""


Answer = tuple[int, list[tuple[str, str]], bytes]


def answer(host: str, path: str, scheme: str) -> Answer:
    """What every host answers: lures wherever a document of a stranger can lead on."""
    head, _, rest = path.lstrip("/").partition("/")
    label = host.partition(".")[0]
    if host.endswith(".r.test") and path == "/robots.txt" and label in NAMES:
        return _redirect(302, victim("robots-redirect", NAMES[label]))
    if host.endswith(".w.test") and label in NAMES:
        # A site of which everything but robots.txt leads away.
        place = "home-redirect" if path == "/" else "well-known-redirect"
        return _text("") if path == "/robots.txt" else _redirect(302, victim(place, NAMES[label]))
    name = NAMES.get(rest.partition(".")[0], "")
    match head:
        case "redirect" | "page-redirect" | "image-redirect" if name:
            return _redirect(CODES[NUMBERS[name] % len(CODES)], victim(head, name))
        case "hop" if name:
            return _redirect(301, f"https://public.test/hop-tls/{rest}")
        case "hop-tls" if name:
            return _redirect(302, f"http://public.test:8080/hop-port/{rest}")
        case "hop-port" if name:
            return _redirect(307, victim("hop", name))
        case "page" if name:
            return _page(victim("page-link", name))
        case "build" if name:
            return _xml(index_of([victim("build-child", name)]))
        case "build-own" if rest.isdecimal():
            return _xml(index_of([OWN[int(rest)]]))
        case "down":
            return _redirect(301, f"http://{host}/list.xml")
        case "up":
            return _redirect(301, f"https://{host}/list.xml")
        case "elsewhere":
            return _redirect(302, "http://other.test/list.xml")
    return _document(host, path, scheme)


NAMES = {str(number): name for name, number in NUMBERS.items()}
"""The targets by the numbers that stand for them in paths and hosts."""


def _document(host: str, path: str, scheme: str) -> Answer:
    match path:
        case "/robots.txt":
            return _text("\n".join(["User-agent: *", "Disallow: /no", *robots_lines(f"{scheme}://{host}")]))
        case "/":
            links = "".join(f"<link rel=sitemap href='{_attribute(victim('home', name))}'>" for name in TARGETS)
            links += "".join(f"<a href='{_attribute(victim('anchor', name))}'>sitemap</a>" for name in TARGETS)
            headers = [("Content-Type", "text/html; charset=utf-8")]
            headers += [("Link", f"<{victim('home-header', name)}>; rel=sitemap") for name in list(TARGETS)[::3]]
            return 200, headers, f"<title>home</title>{links}".encode()
        case "/index.xml":
            return _xml(index(f"{scheme}://{host}"))
        case "/nested.xml":
            return _xml(index_of([victim("nested", name) for name in TARGETS]))
        case "/list.xml":
            return _xml(listed(f"{scheme}://{host}"))
        case "/feed.xml":
            return _xml(feed())
        case "/atom.xml":
            return _xml(atom())
        case "/list.txt":
            return _text("\n".join(victim("text-line", name).replace("\t", "") for name in TARGETS))
        case "/outside.xml":
            return _xml(outside(f"{scheme}://{host}"))
        case "/few.xml":
            return _xml(urlset([f"{scheme}://{host}/page/few"]))
        case "/own.xml":
            return _xml(urlset([f"http://{PRIVATE_HOST}/page/own"]))
    if path.startswith(("/v/", "/page")):
        return _page("http://public.test/page/few")
    return 404, [("Content-Type", "text/plain")], b"nothing"


def robots_lines(site: str) -> list[str]:
    """The `Sitemap:` lines of a public robots.txt."""
    lures = [victim("robots-line", name).replace("\t", "") for name in TARGETS]
    return [f"Sitemap: {url}" for url in (f"{site}/index.xml", *lures)]


def index(site: str) -> str:
    """An index of everything that leads on: hosts, children, redirects, a nested index and a list of pages."""
    urls = [f"http://{number}.r.test/sitemap.xml" for number in NAMES]
    urls += [f"{site}/{way}/{number}.xml" for number in NAMES for way in ("redirect", "hop")]
    urls += [f"{site}/nested.xml", f"{site}/list.xml", f"{site}/down", f"{site}/up", f"{site}/elsewhere"]
    return index_of([*urls, *(victim("child", name) for name in TARGETS)])


OWN = (
    "{folder}/secret.txt", "file://{folder}/secret.txt", "file:secret.txt", "{folder}", "-", "secret.txt",
    "web/../secret.txt", "/dev/stdin", "/proc/self/fd/0", "~/secret.txt",
)  # fmt: skip
"""Children of an index that mean files of the user's machine, or what its standard input has."""


def listed(site: str) -> str:
    """A sitemap whose pages, images, videos and language versions are lures."""
    entries = []
    for number, name in NAMES.items():
        pages = [victim("listed", name), f"{site}/page/{number}", f"{site}/page-redirect/{number}"]
        pages.append(f"http://{number}.r.test/page/few")
        media = f"{site}/image-redirect/{number}.jpg"
        inside = (
            f'<xhtml:link rel="alternate" hreflang="de" href="{_attribute(victim("hreflang", name))}"/>'
            f"<image:image><image:loc>{_text_of('image', name)}</image:loc></image:image>"
            f"<image:image><image:loc>{media}</image:loc></image:image>"
            f"<video:video><video:thumbnail_loc>{_text_of('thumbnail', name)}</video:thumbnail_loc><video:title>t"
            f"</video:title><video:description>d</video:description><video:content_loc>{_text_of('video', name)}"
            f"</video:content_loc></video:video>"
        )
        entries += [
            f"<url><loc>{escape(page)}</loc>{inside if place == 1 else ''}</url>" for place, page in enumerate(pages)
        ]
    return f"<urlset {ROOT}>{''.join(entries)}</urlset>"


def urlset(urls: list[str]) -> str:
    """A plain sitemap."""
    return f"<urlset {ROOT}>{''.join(f'<url><loc>{escape(url)}</loc></url>' for url in urls)}</urlset>"


def feed() -> str:
    """An RSS feed whose items, enclosures and images are lures."""
    items = "".join(
        f"<item><title>t</title><link>{_text_of('feed-item', name)}</link><guid>{_text_of('feed-guid', name)}</guid>"
        f'<enclosure url="{_attribute(victim("enclosure", name))}" length="1" type="image/png"/></item>'
        for name in TARGETS
    )
    return f"<rss version='2.0'><channel><title>t</title><link>{SITE}/</link>{items}</channel></rss>"


def atom() -> str:
    """An Atom feed whose entries, and links of the feed itself, are lures."""
    entries = "".join(
        f'<link rel="{rel}" href="{_attribute(victim("atom-link", name))}"/>'
        for name in TARGETS
        for rel in ("next", "self", "hub")
    )
    entries += "".join(
        f'<entry><id>{_text_of("atom-id", name)}</id><link href="{_attribute(victim("atom-entry", name))}"/></entry>'
        for name in TARGETS
    )
    return f'<feed xmlns="http://www.w3.org/2005/Atom">{entries}</feed>'


def outside(site: str) -> str:
    """A sitemap that refers to lures as XML can: DTD, entities, stylesheets, schemas, inclusions."""
    urls = [_attribute(victim("outside", name)) for name in TARGETS]
    entities = "".join(f'<!ENTITY e{number} SYSTEM "{url}">' for number, url in enumerate(urls))
    entities += "".join(f'<!ENTITY % p{number} SYSTEM "{url}"> %p{number};' for number, url in enumerate(urls))
    styles = "".join(f'<?xml-stylesheet type="text/xsl" href="{url}"?>' for url in urls)
    schemas = " ".join(f"urn:{number} {url}" for number, url in enumerate(urls))
    uses = "".join(f"&e{number};" for number in range(len(urls)))
    included = "".join(f'<xi:include href="{url}" parse="text"/>' for url in urls)
    return (
        f'<!DOCTYPE urlset SYSTEM "{urls[0]}" [{entities}]>{styles}<urlset {ROOT} '
        f'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xi="http://www.w3.org/2001/XInclude" '
        f'xsi:schemaLocation="{schemas}" xsi:noNamespaceSchemaLocation="{urls[0]}" xml:base="{urls[0]}">'
        f"<url><loc>{site}/page/few</loc>{included}</url><url><loc>{site}/page/{uses}</loc></url></urlset>"
    )


def index_of(urls: list[str]) -> str:
    """A plain sitemap index."""
    children = "".join(f"<sitemap><loc>{escape(url)}</loc></sitemap>" for url in urls)
    return f"<sitemapindex {ROOT}>{children}</sitemapindex>"


def _text_of(place: str, name: str) -> str:
    return escape(victim(place, name))


def _attribute(url: str) -> str:
    return html.escape(url, quote=True).replace("\t", "&#9;")


def _page(url: str) -> Answer:
    there = _attribute(url)
    text = (
        f"<title>t</title><link rel=canonical href='{there}'><link rel=sitemap href='{there}'>"
        f"<link rel=alternate hreflang=de href='{there}'><link rel=amphtml href='{there}'><a href='{there}'>more</a>"
        f"<meta http-equiv=refresh content='0; url={there}'><img src='{there}'><base href='{there}'>"
    )
    headers = [("Content-Type", "text/html; charset=utf-8"), ("Link", f"<{url}>; rel=canonical".replace("\t", ""))]
    return 200, headers, text.encode()


def _redirect(status: int, url: str) -> Answer:
    return status, [("Location", url)], b""


def _text(text: str) -> Answer:
    return 200, [("Content-Type", "text/plain; charset=utf-8")], text.encode()


FOLDER = "/nowhere"


def _xml(text: str) -> Answer:
    return 200, [("Content-Type", "application/xml")], text.replace("{folder}", FOLDER).encode()
