"""Answers at random: valid ones that are damaged in one way or another, and a server that sends them."""

from __future__ import annotations

import contextlib
import random
import socketserver
import threading
import zlib
from collections.abc import Iterator

NAMESPACE = b'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'

STATUSES = (b"103 E", b"101 S", b"204 N", b"206 P", b"301 M", b"304 N", b"401 U", b"407 P", b"99999", b"000 x", b"-1")
VERSIONS = (b"HTTP/1.0", b"HTTP/0.9", b"HTTP/9.9", b"http/1.1", b"HTTP/1.1.1", b"ICY", b"")
NAMES = (
    b"Content-Type", b"Content-Length", b"Transfer-Encoding", b"Content-Encoding", b"Location", b"Link", b"ETag",
    b"Last-Modified", b"Retry-After", b"Set-Cookie", b"Cache-Control", b"Vary", b"Connection", b"Upgrade", b"Trailer",
    b"X-Robots-Tag", b"Content-Range", b"Keep-Alive", b"WWW-Authenticate", b"Expires", b"Content-Usage", b"X-\xff",
)  # fmt: skip
HERE = b"127.0.0.1"
VALUES = (
    b"", b"0", b"-1", b"1_0", b"9" * 5000, b"9" * 20, b"chunked", b"gzip", b"gzip, gzip", b"br", b"zstd", b"deflate",
    b"text/html; charset=\xff", b"text/xml; charset=" + b"x" * 300, b"text/html; charset=idna", b"text/html", b"*",
    b"http://[", b"http://2130706433/", b"//", b"%%%", b'<a>; rel="canonical', b"Thu, 99 Foo 99999 99:99:99 GMT",
    b"Sun, 06 Nov 290000 08:49:37 GMT", b"close", b"websocket", b"inf", b"nan", b"1e999", b"\xd9\xa3", b'"',
    b"unavailable_after: 31 Dec 290000 00:00:00", b"max-age=" + b"9" * 400, b"/" + b"a" * 20_000,
)  # fmt: skip


def answer(seed: object, body: bytes) -> bytes:
    """Return an answer with a body, damaged in some way."""
    some = random.Random(str(seed))
    status = some.choice([b"200 OK"] * 12 + [b"%d x" % some.randrange(100, 1000), *STATUSES])
    lines = [some.choice([b"HTTP/1.1"] * 12 + [*VERSIONS]) + b" " + status]
    lines += [some.choice(NAMES) + b": " + some.choice(VALUES) for _ in range(some.choice((0, 0, 1, 3)))]
    lines += [b"X-%d: y" % number for number in range(some.choice((0,) * 9 + (3000,)))]
    if some.random() < 0.2:
        lines.append(b"Content-Encoding: gzip")
        packer = zlib.compressobj(wbits=31)
        body = packer.compress(body) + packer.flush()
    if some.random() < 0.3:
        lines.append(b"Transfer-Encoding: chunked")
        end = some.choice((b"0\r\n\r\n", b"0\r\nX: y\r\n\r\n", b"", b"zz\r\n", b"-1\r\n"))
        body = b"%x%s\r\n%s\r\n" % (len(body), some.choice((b"", b";a=b", b" ")), body) + end
    elif some.random() < 0.7:
        lines.append(b"Content-Length: %d" % len(body))
    line_end = some.choice([b"\r\n"] * 9 + [b"\n", b"\r", b"\r\n "])
    informational = b"HTTP/1.1 %d E\r\nLink: <a>\r\n\r\n" % some.choice((100, 102, 103, 199))
    head = informational * some.choice((0,) * 6 + (1, 5, 100, 101, 500, 3000)) + line_end.join([*lines, b"", b""])
    data = head + body
    # What is compressed, or names this machine, would name another one.
    most = len(head) if b"Content-Encoding: gzip" in lines else len(data)
    for _ in range(some.choice((0, 0, 0, 1, 5))):
        place = some.randrange(most)
        damaged = data[:place] + some.randbytes(1) + data[place + 1 :]
        if damaged.count(HERE) == data.count(HERE):
            data = damaged
    return data[: some.randrange(len(data))] if some.random() < 0.15 else data


class _Site(socketserver.ThreadingTCPServer):
    daemon_threads = True
    url: str
    seed: int
    asked: int = 0

    def handle_error(self, request: object, client_address: object) -> None:
        """Stay quiet: clients hang up."""

    def body(self, path: str) -> bytes:
        url = self.url.encode()
        match path:
            case "/robots.txt":
                return b"User-agent: *\nSitemap: %s/index.xml\nLicense: %s/rsl.xml\n" % (url, url)
            case "/index.xml":
                children = [b"<sitemap><loc>%s/%d.xml</loc></sitemap>" % (url, number) for number in range(9)]
                return b"<sitemapindex %s>%s</sitemapindex>" % (NAMESPACE, b"".join(children))
            case _:
                return b"<urlset %s><url><loc>%s/page</loc></url></urlset>" % (NAMESPACE, url)


class _Handler(socketserver.BaseRequestHandler):
    server: _Site

    def handle(self) -> None:
        with contextlib.suppress(OSError, IndexError):
            path = self.request.recv(65536).split(b" ")[1].decode("latin-1")
            body = self.server.body(path)
            self.server.asked += 1
            # What leads to the others, and the last of them, are as they should be.
            is_good = path in ("/robots.txt", "/index.xml", "/8.xml")
            good = b"HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: %d\r\n\r\n" % len(body) + body
            self.request.sendall(good if is_good else answer((self.server.seed, path, self.server.asked), body))


@contextlib.contextmanager
def site(seed: int) -> Iterator[str]:
    """Run a site whose robots.txt and index are good, and the eight children before the last one at random."""
    with _Site(("127.0.0.1", 0), _Handler) as server:
        server.seed, server.url = seed, f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield server.url
        finally:
            server.shutdown()
            thread.join()
