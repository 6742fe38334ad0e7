"""A loopback server for hostile networks: each path is one behavior. It sends raw bytes, so it can break any rule."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import itertools
import socket
import ssl
import struct
import threading
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass, field

SITEMAP = (
    b'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/</loc></url></urlset>'
)
NAMESPACE = b"http://www.sitemaps.org/schemas/sitemap/0.9"
CHILDREN = 10_000


@dataclass
class Request:
    """One request as received."""

    method: str
    target: str
    headers: dict[str, str]
    connection: int

    @property
    def path(self) -> str:
        return self.target.partition("?")[0]


@dataclass
class Hostile:
    """The running server."""

    url: str
    requests: list[Request] = field(default_factory=list)

    def paths(self) -> list[str]:
        return [request.path for request in self.requests]


Behaviour = Callable[[Request, asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
BEHAVIOURS: dict[str, Behaviour] = {}


def behaviour(function: Behaviour) -> Behaviour:
    BEHAVIOURS["/" + function.__name__.replace("_", "-")] = function
    return function


def send(writer: asyncio.StreamWriter, status: str, body: bytes = b"", *headers: str) -> None:
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers, "", ""]
    writer.write("\r\n".join(lines).encode("latin-1") + body)


def reset(writer: asyncio.StreamWriter) -> None:
    """Reset the connection, as a crash does."""
    connection = writer.get_extra_info("socket")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


async def drip(writer: asyncio.StreamWriter, pieces: Iterator[bytes], seconds: float) -> None:
    for piece in pieces:
        writer.write(piece)
        await writer.drain()
        await asyncio.sleep(seconds)


# ---- time


@behaviour
async def silent(request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(60)


@behaviour
async def slow_headers(request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await drip(writer, (bytes([byte]) for byte in b"HTTP/1.1 200 OK\r\nServer: " + b"x" * 500), 0.05)


@behaviour
async def slow_body(request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
    await drip(writer, itertools.repeat(b" ", 1000), 0.05)


@behaviour
async def stops_in_body(request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + SITEMAP)
    await asyncio.sleep(60)


@behaviour
async def continues(request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await drip(writer, itertools.repeat(b"HTTP/1.1 100 Continue\r\n\r\n", 1000), 0.02)


# ---- connections


@behaviour
async def hangs_up(request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.close()


@behaviour
async def resets(request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    reset(writer)


@behaviour
async def resets_in_body(request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + SITEMAP)
    await writer.drain()
    await asyncio.sleep(0.05)
    reset(writer)


@behaviour
async def hangs_up_after(request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Respond as if the connection stayed open, and close it."""
    send(writer, "200 OK", SITEMAP, "Connection: keep-alive")
    writer.close()


# ---- lengths


@behaviour
async def endless(request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
    while True:
        writer.write(b"https://example.com/endless\n" * 1000)
        await writer.drain()


@behaviour
async def too_little(request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Send less than Content-Length declares."""
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + SITEMAP)
    writer.close()


@behaviour
async def too_much(request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Send more than Content-Length declares."""
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(SITEMAP) + SITEMAP + b"<!-- more -->")
    await writer.drain()
    writer.close()


@behaviour
async def two_lengths(request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\nContent-Length: 20\r\n\r\n" + SITEMAP)
    writer.close()


@behaviour
async def bad_chunk(request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n" + SITEMAP)
    await writer.drain()
    writer.close()


@behaviour
async def bad_second_chunk(request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n" % (len(SITEMAP), SITEMAP))
    await writer.drain()
    await asyncio.sleep(0.1)
    writer.write(b"zz\r\n")
    await writer.drain()
    writer.close()


@behaviour
async def chunk_cut(request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n" % (len(SITEMAP) + 9) + SITEMAP)
    await writer.drain()
    writer.close()


# ---- headers


@behaviour
async def huge_header(request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    send(writer, "200 OK", SITEMAP, "X-Huge: " + "x" * 200_000)


@behaviour
async def large_headers(request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Send headers that are too long only in total."""
    send(writer, "200 OK", SITEMAP, *(f"X-{number}: " + "x" * 2_000 for number in range(60)))


@behaviour
async def many_headers(request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    send(writer, "200 OK", SITEMAP, *(f"X-{number}: x" for number in range(2_000)))


@behaviour
async def endless_headers(request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\n")
    for number in itertools.count():
        writer.write(b"X-%d: x\r\n" % number)
        await writer.drain()


@behaviour
async def nonsense(request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"this is not HTTP\r\n\r\n")
    writer.close()


@behaviour
async def http_0_9(request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(SITEMAP)
    writer.close()


# ---- redirects


def to(location: str, status: str = "302 Found") -> Behaviour:
    async def redirect(request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        send(writer, status, b"", f"Location: {location}")

    return redirect


BEHAVIOURS |= {
    "/itself": to("/itself"),
    "/circle": to("/circle-2"),
    "/circle-2": to("/circle-3"),
    "/circle-3": to("/circle"),
    "/to-ftp": to("ftp://127.0.0.1/sitemap.xml"),
    "/to-file": to("file:///etc/passwd"),
    "/to-nothing": to("http://"),
    "/to-bad-port": to("http://127.0.0.1:99999/"),
    "/to-private": to("http://169.254.169.254/latest/meta-data/"),
    "/to-localhost": to("http://localhost:1/"),
    "/moved": to("moved-2", "301 Moved Permanently"),
    "/moved-2": to("/good", "308 Permanent Redirect"),
    "/moved-with-password": to("//user:secret@127.0.0.1:1/"),
}


@behaviour
async def unique(request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Redirect to a new URL every time."""
    number = int(request.target.partition("?")[2] or 0)
    send(writer, "302 Found", b"", f"Location: /unique?{number + 1}")


@behaviour
async def no_location(request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    send(writer, "301 Moved Permanently")


# ---- responses


@behaviour
async def good(request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    send(writer, "200 OK", SITEMAP, "Content-Type: application/xml", "X-Two: 1", "X-Two: 2")


@behaviour
async def lying_type(request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    send(writer, "200 OK", SITEMAP, "Content-Type: image/png")


@behaviour
async def not_found(request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    send(writer, "404 Gone Fishing", b"<html>nothing here</html>")


@behaviour
async def headers(request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Return the headers of the request."""
    send(writer, "200 OK", "\n".join(f"{name}: {value}" for name, value in request.headers.items()).encode())


@behaviour
async def versioned(request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Return 304 to a client that has the response."""
    if request.headers.get("if-none-match") == '"v1"':
        send(writer, "304 Not Modified", b"", 'ETag: "v1"', "Cache-Control: max-age=60")
    else:
        send(writer, "200 OK", SITEMAP, 'ETag: "v1"', "Set-Cookie: session=secret", "Content-Type: text/xml")


@behaviour
async def dated(request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    if "if-modified-since" in request.headers:
        send(writer, "304 Not Modified")
    else:
        send(writer, "200 OK", SITEMAP, "Last-Modified: Thu, 02 Jan 2025 00:00:00 GMT")


@behaviour
async def large_versioned(request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    if request.headers.get("if-none-match") == '"large"':
        send(writer, "304 Not Modified")
    else:
        send(writer, "200 OK", b"https://example.com/\n" * 450_000, 'ETag: "large"')


@behaviour
async def not_stored(request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    send(writer, "200 OK", SITEMAP, 'ETag: "v1"', "Cache-Control: private, No-Store")


@behaviour
async def never_asked(request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    send(writer, "304 Not Modified")


# ---- Content-Encoding


def raw_deflate(data: bytes) -> bytes:
    stream = zlib.compressobj(wbits=-15)
    return stream.compress(data) + stream.flush()


def encoded(body: bytes, encoding: str) -> Behaviour:
    async def answer(request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        send(writer, "200 OK", body, f"Content-Encoding: {encoding}")

    return answer


BEHAVIOURS |= {
    "/gzip": encoded(gzip.compress(SITEMAP), "gzip"),
    "/gzip-members": encoded(gzip.compress(SITEMAP[:50]) + gzip.compress(SITEMAP[50:]) + b"\0\0", "x-gzip"),
    "/deflate": encoded(zlib.compress(SITEMAP), "deflate"),
    "/raw-deflate": encoded(raw_deflate(SITEMAP), "deflate"),
    "/gzip-gzip": encoded(gzip.compress(gzip.compress(SITEMAP)), "gzip, gzip"),
    "/gzip-of-gz": encoded(gzip.compress(gzip.compress(SITEMAP)), "gzip"),
    "/identity": encoded(SITEMAP, "identity"),
    "/utf-8": encoded(SITEMAP, "UTF-8"),
    "/not-gzip": encoded(SITEMAP, "gzip"),
    "/not-deflate": encoded(b"\xff" * 200, "deflate"),
    "/not-br": encoded(SITEMAP, "br"),
    "/not-zstd": encoded(SITEMAP, "zstd"),
    "/gzip-cut": encoded(gzip.compress(SITEMAP * 50)[:-20], "gzip"),
    "/gzip-bomb": encoded(gzip.compress(bytes(1_000_000)) * 50, "gzip"),
    "/many-encodings": encoded(SITEMAP, "gzip, gzip, gzip, gzip"),
}


def overloaded(times: int, status: str, *headers: str) -> Behaviour:
    """Report overload a number of times, then respond."""
    left = itertools.count(times, -1)

    async def answer(request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if next(left) > 0:
            send(writer, status, b"", *headers)
        else:
            send(writer, "200 OK", SITEMAP)

    return answer


# ---- many children


def index(address: str, children: int = CHILDREN) -> bytes:
    """A sitemap index whose children are on this server."""
    entries = b"".join(
        b"<sitemap><loc>%s/child/%d.xml.gz</loc></sitemap>" % (address.encode(), number) for number in range(children)
    )
    return b'<sitemapindex xmlns="' + NAMESPACE + b'">' + entries + b"</sitemapindex>"


def child(number: int) -> bytes:
    """One child, as a gzip file."""
    loc = b"<url><loc>https://example.com/%d</loc></url>" % number
    return gzip.compress(b'<urlset xmlns="' + NAMESPACE + b'">' + loc + b"</urlset>", 1, mtime=0)


async def _children(request: Request, writer: asyncio.StreamWriter) -> None:
    number = request.path.removeprefix("/child/").removesuffix(".xml.gz")
    send(writer, "200 OK", child(int(number)), "Content-Type: application/gzip")


# ---- the server


@contextlib.contextmanager
def serving(tls: ssl.SSLContext | None = None, more: dict[str, Behaviour] | None = None) -> Iterator[Hostile]:
    """The server, in its own thread."""
    loop = asyncio.new_event_loop()
    started: list[Hostile] = []
    ready = threading.Event()
    stop = asyncio.Event()
    behaviours = BEHAVIOURS | (more or {})
    numbers = itertools.count()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        number = next(numbers)
        try:
            async for request in _requests(reader, number):
                started[0].requests.append(request)
                await answer(request, reader, writer)
                await writer.drain()
                if writer.is_closing():
                    break
        except OSError:
            return  # The client has disconnected.
        except ValueError:
            send(writer, "400 Bad Request")
        finally:
            writer.close()

    async def answer(request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if request.path.startswith("/child/"):
            await _children(request, writer)
        elif request.path == "/index":
            send(writer, "200 OK", index(started[0].url))
        elif request.path in behaviours:
            await behaviours[request.path](request, reader, writer)
        else:
            send(writer, "404 Not Found")

    async def serve() -> None:
        server = await asyncio.start_server(talk, "127.0.0.1", 0, ssl=tls)
        scheme = "http" if tls is None else "https"
        started.append(Hostile(f"{scheme}://127.0.0.1:{server.sockets[0].getsockname()[1]}"))
        ready.set()
        await stop.wait()
        server.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        # A closed connection disappears only after the next iteration of the loop.
        await asyncio.sleep(0.01)

    def work() -> None:
        # What a client does to a connection is not an error of the server.
        loop.set_exception_handler(lambda *_: None)
        with asyncio.Runner(loop_factory=lambda: loop) as runner:
            runner.run(serve())

    thread = threading.Thread(target=work, name="hostile", daemon=True)
    thread.start()
    assert ready.wait(10)
    try:
        yield started[0]
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(10)


async def _requests(reader: asyncio.StreamReader, connection: int) -> AsyncIterator[Request]:
    while line := (await reader.readline()).decode("latin-1").strip():
        method, target, _ = line.split(" ", 2)
        headers = {}
        while header := (await reader.readline()).decode("latin-1").strip():
            name, _, value = header.partition(":")
            headers[name.lower()] = value.strip()
        yield Request(method, target, headers, connection)
