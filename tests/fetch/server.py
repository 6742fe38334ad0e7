"""A loopback server that misbehaves on request."""

from __future__ import annotations

import contextlib
import gzip
import socket
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SITEMAP = (
    b'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/</loc></url></urlset>'
)


class Handler(BaseHTTPRequestHandler):
    """Responds according to the path."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        name = self.path.partition("?")[0].strip("/").replace("-", "_").replace(".", "_")
        getattr(self, f"answer_{name}", self.answer_missing)()

    def log_message(self, *args: object) -> None:
        """Log nothing."""

    def send(self, status: int, body: bytes = b"", **headers: str) -> None:
        self.send_response(status)
        for header, value in headers.items():
            self.send_header(header.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def answer_missing(self) -> None:
        self.send(404)

    def answer_sitemap_xml(self) -> None:
        self.send(200, SITEMAP, Content_Type="text/html", ETag='"1"', Last_Modified="Thu, 02 Jan 2025 00:00:00 GMT")

    def answer_sitemap_xml_gz(self) -> None:
        self.send(200, gzip.compress(SITEMAP), Content_Type="application/x-gzip")

    def answer_encoded(self) -> None:
        self.send(200, gzip.compress(SITEMAP), Content_Encoding="gzip")

    def answer_encoded_gz(self) -> None:
        self.send(200, gzip.compress(gzip.compress(SITEMAP)), Content_Encoding="gzip")

    def answer_moved(self) -> None:
        self.send(301, Location="/moved-again")

    def answer_moved_again(self) -> None:
        self.send(302, Location="/sitemap.xml")

    def answer_loop(self) -> None:
        self.send(302, Location="/loop")

    def answer_moved_to_nothing(self) -> None:
        self.send(301, Location="/missing")

    def answer_error(self) -> None:
        self.send(503)

    def answer_slow(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "1000000")
        self.end_headers()
        with contextlib.suppress(OSError):
            for _ in range(100):
                self.wfile.write(b" ")
                self.wfile.flush()
                time.sleep(0.1)

    def answer_silent(self) -> None:
        time.sleep(5)

    def answer_cut(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(SITEMAP) + 100))
        self.end_headers()
        self.wfile.write(SITEMAP)
        self.close_connection = True

    def answer_hang_up(self) -> None:
        self.connection.shutdown(socket.SHUT_RDWR)
        self.close_connection = True

    def answer_endless(self) -> None:
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        line = b"https://example.com/endless\n" * 1000
        with contextlib.suppress(OSError):
            for _ in range(10_000):
                self.wfile.write(b"%x\r\n%s\r\n" % (len(line), line))

    def answer_nonsense(self) -> None:
        self.wfile.write(b"this is not HTTP\r\n\r\n")
        self.close_connection = True


@contextlib.contextmanager
def serving() -> Iterator[str]:
    """The URL of the running server."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
