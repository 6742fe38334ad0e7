"""Serves the example site on loopback, with its own URL in place of https://www.example.com.

Usage: python examples/serve_site.py [PORT]   (default: a free port; stop with Ctrl+C)
"""

from __future__ import annotations

import contextlib
import gzip
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

SITE = Path(__file__).resolve().parent / "site"
WRITTEN = b"https://www.example.com"
PACKED = "sitemaps/pages.xml.gz"
"""The file that is stored as text and served as gzip."""
TYPES = {".xml": "application/xml", ".txt": "text/plain", ".html": "text/html", ".gz": "application/gzip"}


class Server(ThreadingHTTPServer):
    """A server of the files in a folder."""

    daemon_threads = True
    site = SITE


class Handler(BaseHTTPRequestHandler):
    """Serves the files of the site."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Sends one response."""
        path = self.path.partition("?")[0].strip("/") or "index.html"
        assert isinstance(self.server, Server)
        plain = self.server.site / (path.removesuffix(".gz") if path == PACKED else path)
        is_there = ".." not in path.split("/") and plain.is_file()
        content = plain.read_bytes() if is_there else b"Page not found.\n"
        content = content.replace(WRITTEN, address_of(self.server).encode())
        if path == PACKED:
            content = gzip.compress(content)
        self.send_response(200 if is_there else 404)
        self.send_header("Content-Type", TYPES.get(Path(path).suffix, "text/plain") if is_there else "text/plain")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *args: object) -> None:
        """Logs nothing."""


def address_of(server: ThreadingHTTPServer) -> str:
    """Returns the origin of the server."""
    return f"http://127.0.0.1:{server.server_address[1]}"


@contextlib.contextmanager
def serving(port: int = 0, site: Path = SITE) -> Iterator[str]:
    """Serves the site and yields its origin."""
    server = Server(("127.0.0.1", port), Handler)
    server.site = site
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield address_of(server)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def main() -> None:
    """Serves the site until it is interrupted."""
    with serving(int(sys.argv[1]) if len(sys.argv) > 1 else 0) as origin, contextlib.suppress(KeyboardInterrupt):
        print(f"{origin} serves the example site; stop with Ctrl+C", flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()
