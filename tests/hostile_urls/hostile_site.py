"""A site on the loopback network in which every place that can hold a URL holds hostile ones, and some good ones."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from xml.sax.saxutils import escape

from tests.hostile_urls.urls import AS_THEY_COME, carried

BEYOND = ("2001:db8", "[::ffff:", "example.com/", "example.com:", "://user@", "://u:p@", "://a@", "://%65")
"""What of them might be asked for on another machine."""

HOSTILE = {
    name: url for name, url in AS_THEY_COME.items() if carried(url) is not None and not any(b in url for b in BEYOND)
}
ROOT = (
    'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml" '
    'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1" '
    'xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"'
)


def _in_xml(url: str) -> str:
    """The URL as XML can hold it: a character that XML forbids is left as it is, which damages the document."""
    return escape(url, {'"': "&quot;", "'": "&apos;"})


def _is_xml(url: str) -> bool:
    return all(ord(character) >= 0x20 and character not in "\ufffe\uffff" for character in url)


XML = {name: url for name, url in HOSTILE.items() if _is_xml(url) and url.strip()}
"""Those that a well-formed document can hold."""


class HostileSite:
    """The answers of the site.

    Attributes:
        url: Its origin.
        asked: The paths that were asked for, in order.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.asked: list[str] = []
        names = list(HOSTILE)
        self.redirects = {f"/r/{number}.xml": HOSTILE[name] for number, name in enumerate(names)}
        self.pages = {f"/p/{number}": HOSTILE[name] for number, name in enumerate(names)}

    def robots(self) -> bytes:
        lines = [f"Sitemap: {self.url}/index.xml"]
        lines += [f"Sitemap: {url}" for url in HOSTILE.values() if len(url) < 1000]
        return "\n".join(["User-agent: *", "Disallow: /no", *lines, f"Sitemap: {self.url}/last.xml"]).encode()

    def index(self) -> bytes:
        children = [*XML.values(), *(self.url + path for path in self.redirects), f"{self.url}/list.xml"]
        entries = "\n".join(f"<sitemap><loc>{_in_xml(url)}</loc></sitemap>" for url in children)
        return f'<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex {ROOT}>\n{entries}\n</sitemapindex>'.encode()

    def list(self) -> bytes:
        entries = []
        for url in [*XML.values(), *(self.url + path for path in self.pages), f"{self.url}/good"]:
            text = _in_xml(url)
            entries.append(
                f'<url><loc>{text}</loc><xhtml:link rel="alternate" hreflang="de" href="{text}"/>'
                f"<image:image><image:loc>{text}</image:loc></image:image>"
                f"<video:video><video:thumbnail_loc>{text}</video:thumbnail_loc><video:title>t</video:title>"
                f"<video:description>d</video:description><video:content_loc>{text}.mp4</video:content_loc></video:video>"
                "</url>"
            )
        listed = "\n".join(entries)
        return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset {ROOT}>\n{listed}\n</urlset>'.encode()

    def few(self) -> bytes:
        return f"<urlset {ROOT}><url><loc>{self.url}/good</loc></url></urlset>".encode()

    def page(self, url: str) -> bytes:
        return (
            f"<title>t</title><link rel=sitemap href='{url}'><link rel=canonical href='{url}'>"
            f"<link rel=alternate hreflang=de href='{url}'><meta http-equiv=refresh content='9; url={url}'>"
            f"<base href='{url}'><p>words"
        ).encode()

    def home(self) -> bytes:
        links = "".join(f"<link rel=sitemap href='{url}'>" for url in HOSTILE.values() if len(url) < 1000)
        return f"<title>home</title>{links}<link rel=sitemap href='/last.xml'>".encode()

    def answer(self, path: str) -> tuple[int, bytes, bytes, str | None]:
        """Status, Content-Type, body and a URL for the headers."""
        self.asked.append(path)
        if path in self.redirects:
            return 302, b"text/plain", b"", self.redirects[path]
        if path in self.pages:
            return 200, b"text/html; charset=utf-8", self.page(self.pages[path]), self.pages[path]
        match path:
            case "/robots.txt":
                return 200, b"text/plain", self.robots(), None
            case "/":
                return 200, b"text/html", self.home(), "http://[\udcff"
            case "/index.xml":
                return 200, b"application/xml", self.index(), None
            case "/list.xml":
                return 200, b"application/xml", self.list(), None
            case "/last.xml" | "/few.xml":
                return 200, b"application/xml", self.few(), None
            case "/good":
                return 200, b"text/html", b"<title>good</title><p>words", None
            case _:
                return 404, b"text/plain", b"nothing", None


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    site: HostileSite

    def handle_error(self, request: object, client_address: object) -> None:
        """Stays quiet: clients hang up."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_GET(self) -> None:
        status, kind, body, url = self.server.site.answer(self.path)
        lines = [f"HTTP/1.1 {status} x".encode(), b"Content-Type: " + kind, b"Content-Length: %d" % len(body)]
        if url is not None:
            # On the wire as bytes: an HTTP library of Python would not send some of them.
            raw = url[:4000].replace("\r", "").replace("\n", "").replace("\0", "").encode("utf-8", "surrogateescape")
            lines.append(b"Location: " + raw)
            lines.append(
                b'Link: <%s>; rel=canonical, <%s>; rel=alternate; hreflang="de", <%s>; rel=sitemap' % (raw, raw, raw)
            )
            lines.append(b"X-Robots-Tag: \xff, unavailable_after: \xff")
            lines.append(b'ETag: "\xff"')
        with contextlib.suppress(ConnectionError):
            self.wfile.write(b"\r\n".join([*lines, b"", b""]) + (b"" if self.command == "HEAD" else body))

    def do_HEAD(self) -> None:
        self.do_GET()

    def log_message(self, *args: object) -> None:
        """Stays quiet."""


@contextlib.contextmanager
def serving() -> Iterator[HostileSite]:
    """The site, while it runs."""
    server = _Server(("127.0.0.1", 0), _Handler)
    server.site = HostileSite(f"http://127.0.0.1:{server.server_address[1]}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server.site
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
