"""Small sites on the loopback network, each made of its answers."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Page:
    """One answer."""

    content: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


class Site:
    """A site while it runs: its pages may be changed at any time.

    Attributes:
        url: Its origin, without a slash at its end.
        pages: Its answers by path, or by `//host/path` for one host; what is missing answers with `otherwise`.
        otherwise: What every other path answers.
        asked: The paths that were asked for, in order.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.clear()

    def clear(self) -> None:
        """Takes every page away."""
        self.pages: dict[str, Page] = {}
        self.otherwise = Page(b"no such page", 404, {"Content-Type": "text/plain"})
        self.asked: list[str] = []

    def put(self, path: str, content: bytes | str, status: int = 200, **headers: str) -> None:
        """Adds a page; `{site}` in a text stands for the origin."""
        if isinstance(content, str):
            content = content.replace("{site}", self.url).encode()
        self.pages[path] = Page(content, status, {name.replace("_", "-"): value for name, value in headers.items()})


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    site: Site


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_GET(self) -> None:
        site = self.server.site
        site.asked.append(self.path)
        # The same server is several hosts.
        host = (self.headers.get("Host") or "").partition(":")[0]
        page = site.pages.get(f"//{host}{self.path}") or site.pages.get(self.path, site.otherwise)
        self.send_response(page.status)
        for name, value in page.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(page.content)))
        self.end_headers()
        with contextlib.suppress(ConnectionError):
            self.wfile.write(page.content)

    def log_message(self, *args: object) -> None:
        """Stays quiet."""


@contextlib.contextmanager
def serving() -> Iterator[Site]:
    """A site, while it runs."""
    server = _Server(("127.0.0.1", 0), _Handler)
    server.site = Site(f"http://127.0.0.1:{server.server_address[1]}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server.site
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
